package io.holdfast.integration.programs

import java.nio.file.{Files, Path, Paths}
import java.util.SplittableRandom

import io.holdfast.integration.measure.Recorder
import org.apache.spark.SparkContext

/** A closed crowd of map-only jobs whose tasks sleep 2 to 5 s, so that they need slots and no CPU. Eight threads each submit a job
  * of 64 tasks and the next when it has ended, until [[stop]]. Nothing is killed: tasks that run then finish, tasks that start
  * later see the flag file and return at once.
  *
  * @param times how many times as long they sleep
  */
final class Background(sc: SparkContext, seed: Long, flag: Path, times: Int) extends Load {
  import Background._

  private val threads = (0 until Jobs).map { job =>
    val thread = new Thread(() => submitUntilStopped(job), s"background-$job")
    thread.setDaemon(true)
    thread
  }
  @volatile private var failure = Option.empty[Throwable]

  def start(): Unit = threads.foreach(_.start())

  /** It has filled all slots but those that the policy sets aside for others. */
  def awaitReady(recorder: Recorder): Unit = {
    val conf = sc.getConf
    val aside =
      if (conf.get("spark.holdfast.policy", "") == "static") conf.getInt("spark.holdfast.static.slots", 0) else 0
    Thread.sleep(HeadStartMs)
    recorder.awaitCrowd(aside)
  }

  /** Its running tasks go on. */
  def stop(): Unit = if (Files.notExists(flag)) Files.createFile(flag)

  def join(): Unit = {
    threads.foreach(_.join())
    failure.foreach(e => throw new IllegalStateException("a background job failed", e))
  }

  private def submitUntilStopped(job: Int): Unit =
    try {
      sc.setLocalProperty("spark.scheduler.pool", Recorder.Background)
      Iterator
        .from(0)
        .takeWhile(_ => Files.notExists(flag))
        .foreach(round => submit(sc, flag, seed + 8191L * round + job, times))
    } catch { case e: Throwable => failure = Some(e) }
}

object Background {
  val Jobs = 8
  val TasksPerJob = 64
  private val ShortestMs = 2000L
  private val LongestMs = 5000L
  private val HeadStartMs = 1500L

  private def submit(sc: SparkContext, flag: Path, seed: Long, times: Int): Unit = {
    val flagName = flag.toString
    sc.parallelize(0 until TasksPerJob, TasksPerJob).foreachPartition { rows =>
      if (Files.notExists(Paths.get(flagName)))
        Thread.sleep(times * new SplittableRandom(seed * 1000003 + rows.sum).nextLong(ShortestMs, LongestMs + 1))
    }
  }

  /** Loads what the first job of a crowd would load, without sleeping: `flag` must exist. */
  def warmUp(sc: SparkContext, flag: Path): Unit = {
    require(Files.exists(flag), s"$flag must exist, or the warm-up would sleep")
    submit(sc, flag, 0L, 1)
  }
}
