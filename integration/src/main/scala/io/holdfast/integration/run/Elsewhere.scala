package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.TimeUnit

import io.holdfast.integration.{ChildJvm, Children, Json}
import io.holdfast.integration.measure.{Listeners, Recorder, Timeline}
import io.holdfast.integration.plan.RoundSpec
import io.holdfast.integration.programs.Load

/** A background in an application of its own.
  *
  * @param folder its own
  */
final class Elsewhere(spec: RoundsSpec, round: RoundSpec, folder: Path) extends Load {
  import Elsewhere._

  private val told = new Told(folder)
  private val child = ChildJvm(folder.resolve("jvm"), ChildJvm.Logging, "-Xmx1g" +: ChildJvm.QuietJvm)
  private var process = Option.empty[Process]

  override def start(): Unit = {
    val own = spec.copy(folder = folder.toString, spark = spec.spark.copy(rounds = Seq(round)))
    process = Some(child.start(Elsewhere.getClass.getName.stripSuffix("$"), Seq(Json.write(own))))
  }

  override def awaitReady(recorder: Recorder): Unit = until(Files.exists(told.ready))

  override def stop(): Unit = { Files.createFile(told.over); () }

  override def join(): Unit = process.foreach { p =>
    val ended =
      try p.waitFor(LimitS, TimeUnit.SECONDS)
      finally Children.end(p)
    if (!ended || p.exitValue() != 0)
      throw new IllegalStateException(s"the background's application failed: ${child.lastWords}")
    Recorder.current.add(Json.load[Timeline](told.timeline), Prefix)
  }

  private def until(condition: => Boolean): Unit = {
    val deadline = System.nanoTime() + LimitS * 1000000000L
    while (!condition) {
      if (process.forall(!_.isAlive) || System.nanoTime() > deadline)
        throw new IllegalStateException(s"the background's application does not start: ${child.lastWords}")
      Thread.sleep(50)
    }
  }
}

/** Runs a background in this JVM until it is told that the foreground has ended; the argument is a [[RoundsSpec]] of one round. */
object Elsewhere {
  private val LimitS = 180L

  /** In front of its executors' names. */
  private val Prefix = "other-"

  /** What the two processes tell each other. */
  private final class Told(folder: Path) {
    val ready: Path = folder.resolve("ready")
    val over: Path = folder.resolve("over")
    val timeline: Path = folder.resolve("timeline.json")
  }

  def main(args: Array[String]): Unit = ChildJvm.main {
    val spec = Json.read[RoundsSpec](args(0))
    val folder = Paths.get(spec.folder)
    val told = new Told(folder)
    val spark = Rounds.session(spec, "background")
    try {
      val recorder = Recorder.current
      val round = spec.spark.rounds.head
      for (beside <- round.background) {
        val load = Rounds.loads(spec, round, spark, server = None, folder).of(beside)
        load.start()
        load.awaitReady(recorder)
        Files.createFile(told.ready)
        while (Files.notExists(told.over)) Thread.sleep(20)
        load.stop()
        load.join()
      }
      Listeners.drain(spark.sparkContext)
      recorder.awaitQuiet()
      // Times since the epoch: when the foreground came is not known here.
      Json.save(told.timeline, recorder.timeline(parallelism = 1, arrived = 0, ended = System.currentTimeMillis()))
    } finally spark.stop()
  }
}
