package io.holdfast.integration.programs

import java.util.SplittableRandom

import scala.concurrent.ExecutionContext
import scala.util.{Failure, Success}

import io.holdfast.integration.measure.Recorder
import org.apache.spark.{HashPartitioner, TaskContext}
import org.apache.spark.rdd.RDD

/** Jobs that are bounded by a deadline or by an error, as GRASS (NSDI'14, section 6.1) has them, and exact ones. Their tasks sleep
  * between the records that they read, so that executors report how far they are. The program is the same under every scheduler:
  * it says its bound in local properties, ends at the bound, and cancels the rest.
  */
object Bounded {

  /** Of the median partition: progress in steps of 5 %. */
  val Records = 20

  /** What half of all attempts take at most. */
  private val MedianMs = 2000L
  private val WarmUpMs = 200L

  /** Shape of the durations, and the longest in medians: the slowest task of a job averages eight medians in the paper. */
  private val Alpha = 1.259
  private val Cap = 10.0

  /** Deadlines are so much above the ideal duration, and errors so large; uniform. */
  private val LeastSpare = 0.02
  private val MostSpare = 0.20
  private val LeastError = 0.05
  private val MostError = 0.30

  private val Prime = 1000003L
  private val PauseMs = 500L
  private val LimitMs = 300000L

  /** A job with a deadline on an input, one of the two of [[Inputs]]: it takes the partitions that are done by then. Its ideal duration is that of waves of median tasks on
    * half of all slots, which are its fair share.
    */
  def deadlines(context: Context, input: String): Unit = {
    val waves = (2 * context.width + slots(context) - 1) / slots(context)
    val spare = LeastSpare + (MostSpare - LeastSpare) * drawn(context)
    val ms = math.round(waves * median(context) * (1 + spare))
    val sc = context.spark.sparkContext
    sc.setLocalProperty(Recorder.Deadline, s"${ms}ms")
    try run(reading(context, input), context.width, ms)
    finally sc.setLocalProperty(Recorder.Deadline, null)
  }

  /** A job with an error: it ends when no more than that share of its partitions is missing. */
  def errors(context: Context, input: String): Unit = {
    val error = math.rint(1000 * (LeastError + (MostError - LeastError) * drawn(context))) / 1000
    val enough = math.ceil((1 - error) * context.width - 1e-9).toInt
    val sc = context.spark.sparkContext
    sc.setLocalProperty(Recorder.Error, error.toString)
    try run(reading(context, input), enough, LimitMs)
    finally sc.setLocalProperty(Recorder.Error, null)
  }

  /** A job of two stages of the same width that needs all of its tasks. */
  def exact(context: Context, input: String): Unit = {
    val first = reading(context, input).map(row => (row, ())).partitionBy(new HashPartitioner(context.width)).keys
    first.mapPartitions(slowed(context, stage = 2)).count()
    Thread.sleep(PauseMs)
  }

  private def median(context: Context): Long = if (context.warmUp) WarmUpMs else MedianMs

  private def slots(context: Context): Int = Recorder.current.slotsNow

  private def drawn(context: Context): Double =
    new SplittableRandom((context.seed * Prime + context.run) * Prime + context.width).nextDouble()

  private def reading(context: Context, input: String): RDD[String] =
    context.spark.sparkContext.textFile(context.input(input), 1).mapPartitions(slowed(context, stage = 1))

  /** An attempt draws its own duration, so that a copy of a straggler is as good as any other attempt. */
  private def slowed(context: Context, stage: Int): Iterator[String] => Iterator[String] = {
    val (seed, run, middle) = (context.seed, context.run, median(context))
    rows => {
      val task = TaskContext.get()
      val each = middle * 1000000L * times(seed, run, stage, task.partitionId(), task.attemptNumber()) / Records
      val begun = System.nanoTime()
      rows.zipWithIndex.map { case (row, i) =>
        val left = begun + (each * (i + 1)).toLong - System.nanoTime()
        if (left > 0) Thread.sleep(left / 1000000L, (left % 1000000L).toInt)
        row
      }
    }
  }

  /** How many medians an attempt takes. */
  private[programs] def times(seed: Long, run: Int, stage: Int, partition: Int, attempt: Int): Double = {
    val parts = Seq(run, stage, partition, attempt)
    val u = new SplittableRandom(parts.foldLeft(seed)((sum, part) => sum * Prime + part)).split().nextDouble()
    math.min(Cap, math.pow(2 * (1 - u), -1 / Alpha))
  }

  /** Returns when so many partitions are done, or the time is over; what is left of the job is cancelled. */
  private def run(rdd: RDD[String], enough: Int, ms: Long): Unit = {
    val sc = rdd.sparkContext
    val partitions = rdd.partitions.indices
    val done = new Done(enough)
    val before = Option(sc.getLocalProperty(Interrupt))
    sc.setLocalProperty(Interrupt, "true")
    sc.setLocalProperty(Partial, "true")
    try {
      val begun = System.nanoTime()
      val job = sc.submitJob[String, Int, Unit](rdd, _.size, partitions, (_, _) => done.add(), ())
      job.onComplete {
        case Success(_) => done.ended(None)
        case Failure(e) => done.ended(Some(e))
      }(ExecutionContext.parasitic)
      done.await(begun, ms)
      job.cancel()
    } finally {
      sc.setLocalProperty(Interrupt, before.orNull)
      sc.setLocalProperty(Partial, null)
    }
    Thread.sleep(PauseMs)
  }

  private val Interrupt = "spark.job.interruptOnCancel"
  private val Partial = "holdfast.partial"

  private final class Done(enough: Int) {
    private var count = 0
    private var over = false
    private var failed = Option.empty[Throwable]

    def add(): Unit = synchronized {
      count += 1
      if (count >= enough) notifyAll()
    }

    def ended(why: Option[Throwable]): Unit = synchronized {
      over = true
      failed = why
      notifyAll()
    }

    def await(begun: Long, ms: Long): Unit = synchronized {
      def left = ms - (System.nanoTime() - begun) / 1000000
      while (count < enough && !over && left > 0) wait(left)
      if (count < enough) failed.foreach(e => throw e)
    }
  }
}
