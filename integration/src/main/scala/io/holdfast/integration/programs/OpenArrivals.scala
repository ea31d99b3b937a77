package io.holdfast.integration.programs

import java.util.concurrent.{CountDownLatch, TimeUnit}

import scala.util.control.NonFatal

import io.holdfast.integration.measure.Recorder
import org.apache.spark.SparkContext

/** A background whose jobs arrive when they do, whatever became of those before: map-only jobs of sleeping tasks, each submitted by
  * a thread of its own.
  *
  * @param group of all its jobs
  * @param toEnd whether all jobs run to their end; or else [[stop]] cancels them, tasks and all: what they do then is of no interest
  *   any more
  * @param headStartMs how long it has run when the foreground comes
  * @param afterMs how long it goes on when the foreground has ended, if not to its end: it waits for what is held then, too
  */
final class OpenArrivals(
    sc: SparkContext,
    trace: Trace,
    group: String,
    headStartMs: Long,
    toEnd: Boolean,
    afterMs: Long = 0
) extends Load {
  import OpenArrivals._

  private val stopped = new CountDownLatch(1)
  private val threads = trace.jobs.zipWithIndex.map { case (job, i) =>
    val thread = new Thread(() => submitInTime(job), s"$group-$i")
    thread.setDaemon(true)
    thread
  }
  @volatile private var failure = Option.empty[Throwable]

  def start(): Unit = threads.foreach(_.start())

  def awaitReady(recorder: Recorder): Unit = Thread.sleep(headStartMs)

  def stop(): Unit = if (!toEnd) {
    Thread.sleep(afterMs)
    stopped.countDown()
  }

  def join(): Unit = {
    // A job may be on its way to the scheduler while this is called.
    threads.foreach { thread =>
      while (thread.isAlive) {
        if (!toEnd) sc.cancelJobGroup(group)
        thread.join(CancelEveryMs)
      }
    }
    failure.foreach(e => throw new IllegalStateException(s"a job of $group failed", e))
  }

  private def submitInTime(job: TraceJob): Unit =
    if (!stopped.await(job.arrivalMs, TimeUnit.MILLISECONDS))
      try {
        sc.setJobGroup(group, group, interruptOnCancel = true)
        sc.setLocalProperty("spark.scheduler.pool", Recorder.Background)
        val (ms, left) = (job.taskMs, job.leftMs.toArray)
        sc.parallelize(0 until job.tasks, job.tasks).foreach(i => Thread.sleep(if (left.isEmpty) ms else left(i)))
      } catch {
        case NonFatal(e) => if (stopped.getCount > 0) failure = Some(e)
      }
}

object OpenArrivals {
  private val CancelEveryMs = 200L
}
