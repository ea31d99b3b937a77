package io.holdfast.integration.programs

import java.util.SplittableRandom

import io.holdfast.integration.measure.Recorder
import org.apache.spark.SparkContext

/** So many jobs at a time, each followed by the next when it has ended: where nothing else runs, their tasks keep a share of all
  * slots busy. At the end they are cancelled, tasks and all.
  *
  * @param group of all its jobs
  * @param headStartMs how long it has run when the foreground comes; after the longest task some end all the time
  */
final class SteadyLoad(sc: SparkContext, group: String, seed: Long, jobs: Int, headStartMs: Long) extends Load {
  import SteadyLoad._

  private val threads = (0 until math.max(1, jobs)).map { job =>
    val thread = new Thread(() => submitUntilStopped(job), s"$group-$job")
    thread.setDaemon(true)
    thread
  }
  @volatile private var stopped = false
  @volatile private var failure = Option.empty[Throwable]

  def start(): Unit = threads.foreach(_.start())

  def awaitReady(recorder: Recorder): Unit = {
    recorder.awaitBackground()
    Thread.sleep(headStartMs)
  }

  def stop(): Unit = stopped = true

  def join(): Unit = {
    // A job may be on its way to the scheduler while this is called.
    threads.foreach { thread =>
      while (thread.isAlive) {
        sc.cancelJobGroup(group)
        thread.join(CancelEveryMs)
      }
    }
    failure.foreach(e => throw new IllegalStateException(s"a job of $group failed", e))
  }

  private def submitUntilStopped(job: Int): Unit =
    try {
      sc.setJobGroup(group, group, interruptOnCancel = true)
      sc.setLocalProperty("spark.scheduler.pool", Recorder.Background)
      val random = new SplittableRandom(seed * 1000003 + job)
      while (!stopped) {
        val draws = random.nextLong()
        sc.parallelize(0 until Tasks, Tasks).foreach { i =>
          Thread.sleep(new SplittableRandom(draws + i).nextLong(ShortestMs, LongestMs + 1))
        }
      }
    } catch { case e: Throwable => if (!stopped) failure = Some(e) }
}

object SteadyLoad {

  /** Of each job. */
  val Tasks = 5
  private val ShortestMs = 4000L
  private val LongestMs = 8000L
  private val CancelEveryMs = 200L
}
