package org.apache.spark.scheduler.holdfast.sparkline

import java.util.{Iterator => JavaIterator}

import scala.util.{Failure, Success}

import _root_.io.holdfast.approximate._
import org.apache.commons.math3.distribution.NormalDistribution
import org.apache.spark.{SparkContext, TaskContext}
import org.apache.spark.partial.{ApproximateEvaluator, BoundedDouble, MeanEvaluator, SumEvaluator}
import org.apache.spark.rdd.RDD
import org.apache.spark.util.{StatCounter, ThreadUtils}

/** Jobs that end once their bound is reached. */
class PartialActions extends PartialJobs {
  import PartialActions._

  override def run[T, U, R](
      rdd: RDD[T],
      each: PartitionFunction[T, U],
      evaluator: Evaluator[U, R],
      bound: Bound,
      confidence: Double
  ): Answer[R] = {
    val (begun, called) = (System.nanoTime(), System.currentTimeMillis())
    val partitions = rdd.partitions.length
    val collected = new Collected[U, R](partitions, bound.needed(partitions), evaluator)
    if (partitions > 0) {
      val sc = rdd.sparkContext
      val job = bounded(sc, bound, called) {
        sc.submitJob(rdd, on(each), 0 until partitions, collected.take _, ())
      }
      job.onComplete {
        case Success(_) => collected.ended(None)
        case Failure(e) => collected.ended(Some(e))
      }(ThreadUtils.sameThread)
      try collected.await(begun, bound.deadlineMillis)
      finally if (collected.close()) job.cancel()
    }
    collected.answer(confidence)
  }

  override def count(rdd: RDD[_], bound: Bound, confidence: Double): Answer[Estimate] =
    counting(rdd, counted, bound, confidence)

  override def counts(counts: RDD[_], bound: Bound, confidence: Double): Answer[Estimate] =
    counting(counts, first, bound, confidence)

  private def counting(
      rdd: RDD[_],
      each: PartitionFunction[Any, Long],
      bound: Bound,
      confidence: Double
  ): Answer[Estimate] = {
    val counts = new Counts(rdd.partitions.length, confidence)
    run[Any, Long, Estimate](rdd.asInstanceOf[RDD[Any]], each, counts, bound, confidence)
  }

  override def sum(rdd: RDD[_], bound: Bound, confidence: Double): Answer[Estimate] =
    statistics(rdd, new SumEvaluator(rdd.partitions.length, confidence), bound, confidence)

  override def mean(rdd: RDD[_], bound: Bound, confidence: Double): Answer[Estimate] =
    statistics(rdd, new MeanEvaluator(rdd.partitions.length, confidence), bound, confidence)

  private def statistics(
      rdd: RDD[_],
      evaluator: ApproximateEvaluator[StatCounter, BoundedDouble],
      bound: Bound,
      confidence: Double
  ): Answer[Estimate] =
    run[Any, StatCounter, Estimate](
      rdd.asInstanceOf[RDD[Any]],
      measured,
      new Sparks(evaluator, rdd.partitions.length),
      bound,
      confidence
    )
}

private object PartialActions {

  /** Spark interrupts the tasks of a job that is cancelled only if it is told to. */
  private val Interrupt = "spark.job.interruptOnCancel"

  /** What the thread says of the jobs that it submits, for the shim: see `Bounds`. */
  val Deadline = "holdfast.deadline"
  val Error = "holdfast.error"
  val Partial = "holdfast.partial"

  private def on[T, U](each: PartitionFunction[T, U]): Iterator[T] => U = elements => each(new Elements(elements))

  private val counted: PartitionFunction[Any, Long] = elements => {
    var number = 0L
    while (elements.hasNext) {
      elements.next()
      number += 1
    }
    number
  }

  private val first: PartitionFunction[Any, Long] = elements => elements.next().asInstanceOf[Number].longValue

  private val measured: PartitionFunction[Any, StatCounter] = elements => {
    val counter = new StatCounter
    while (elements.hasNext) counter.merge(elements.next().asInstanceOf[Number].doubleValue)
    counter
  }

  /** A task that was killed stops at the next element. */
  private class Elements[T](elements: Iterator[T]) extends JavaIterator[T] {
    private val context = TaskContext.get()

    override def hasNext: Boolean = {
      if (context != null) context.killTaskIfInterrupted()
      elements.hasNext
    }

    override def next(): T = elements.next()
  }

  /** Submits with the bound among the thread's local properties, which are then as before. */
  private def bounded[J](sc: SparkContext, bound: Bound, called: Long)(submit: => J): J = {
    val deadline = if (bound.deadlineMillis == Long.MaxValue) null else s"${bound.deadlineMillis}ms"
    val said = Seq(
      Deadline -> deadline,
      Error -> (if (deadline == null) bound.error.toString else null),
      Partial -> called.toString,
      Interrupt -> Option(sc.getLocalProperty(Interrupt)).getOrElse("true")
    )
    val before = said.map { case (key, _) => key -> sc.getLocalProperty(key) }
    said.foreach { case (key, value) => sc.setLocalProperty(key, value) }
    try submit
    finally before.foreach { case (key, value) => sc.setLocalProperty(key, value) }
  }

  /** Spark's evaluators. With every partition the answer is exact. */
  private class Sparks[U](evaluator: ApproximateEvaluator[U, BoundedDouble], partitions: Int)
      extends Evaluator[U, Estimate] {
    private var merged = 0

    override def merge(partition: Int, result: U): Unit = {
      evaluator.merge(partition, result)
      merged += 1
    }

    override def result(): Estimate = {
      val bounded = evaluator.currentResult()
      if (merged == partitions) new Estimate(bounded.mean, bounded.mean, bounded.mean)
      else new Estimate(bounded.mean, bounded.low, bounded.high)
    }
  }

  /** Counts elements of which each is seen with probability p: s seen ones speak of s / p, with a variance of s (1 - p) / p^2.
    * Spark's own evaluator leaves the uncertainty of s out, and its intervals of 95 % held the truth in 86 % of 3,000 cases.
    */
  private class Counts(partitions: Int, confidence: Double) extends Evaluator[Long, Estimate] {
    private var merged = 0
    private var seen = 0L

    override def merge(partition: Int, result: Long): Unit = {
      merged += 1
      seen += result
    }

    override def result(): Estimate =
      if (merged == partitions) new Estimate(seen.toDouble, seen.toDouble, seen.toDouble)
      else if (seen == 0) new Estimate(0, 0, Double.PositiveInfinity)
      else {
        val p = merged.toDouble / partitions
        val factor =
          if (confidence == 1) Double.PositiveInfinity
          else new NormalDistribution().inverseCumulativeProbability((1 + confidence) / 2)
        val off = factor * math.sqrt(seen * (1 - p)) / p
        new Estimate(seen / p, math.max(seen.toDouble, seen / p - off), seen / p + off)
      }
  }

  /** What has come of a job so far. Its partitions are merged in Spark's thread, one after the other. */
  private class Collected[U, R](partitions: Int, needed: Int, evaluator: Evaluator[U, R]) {
    private val there = new Array[Boolean](partitions)
    private var done = 0
    private var over = false
    private var failed: Option[Throwable] = None
    private var closed = false

    def take(partition: Int, result: U): Unit = synchronized {
      if (!closed && !there(partition)) {
        there(partition) = true
        done += 1
        evaluator.merge(partition, result)
        if (done >= needed) notifyAll()
      }
    }

    def ended(why: Option[Throwable]): Unit = synchronized {
      over = true
      failed = why
      notifyAll()
    }

    /** Returns at the bound; throws what the job failed of, if that came first. */
    def await(begun: Long, millis: Long): Unit = synchronized {
      def left = if (millis == Long.MaxValue) Long.MaxValue else millis - (System.nanoTime() - begun) / 1000000
      while (!over && done < needed && left > 0) wait(math.min(left, Int.MaxValue))
      if (done < needed) failed.foreach(e => throw e)
    }

    /** Nothing is merged from now on. Whether something of the job is left. */
    def close(): Boolean = synchronized {
      closed = true
      !over
    }

    def answer(confidence: Double): Answer[R] = synchronized {
      val missing = new java.util.ArrayList[Integer]
      there.indices.foreach(i => if (!there(i)) missing.add(i))
      new Answer(evaluator.result(), confidence, partitions, java.util.Collections.unmodifiableList(missing))
    }
  }
}
