package io.holdfast.integration.run

import io.holdfast.integration.measure.{Measured, Result}
import io.holdfast.integration.plan.SparkRounds

/** Says what runs, what came of it, and how long the rest takes. */
trait Progress {

  /** Of one Spark. */
  def during(spark: SparkRounds)(body: => Either[String, Unit]): Either[String, Unit]
}

/** Says each round when it has been measured, with the time that is left.
  *
  * @param rounds that are to be measured
  */
final class RoundsProgress(results: Measured, rounds: Int) extends Progress {
  private val EveryMs = 500L
  private val began = System.nanoTime()
  private val before = results.all.size
  private var said = before
  private var seen = -1L
  @volatile private var running = false

  /** Watches the results while `body` runs. */
  override def during(spark: SparkRounds)(body: => Either[String, Unit]): Either[String, Unit] = {
    println(s"${spark.setting}, block ${spark.block}")
    val thread = new Thread(() => while (running) { say(); Thread.sleep(EveryMs) }, "progress")
    thread.setDaemon(true)
    running = true
    thread.start()
    val outcome =
      try body
      finally {
        running = false
        thread.join()
        say()
      }
    outcome.left.foreach(why => println(s"FAILED: $why"))
    outcome
  }

  private def say(): Unit = synchronized {
    val bytes = results.bytes
    // Whoever measures shares the processor with this.
    val news = if (bytes == seen) Nil else results.all.drop(said)
    seen = bytes
    news.foreach { r =>
      said += 1
      val done = said - before
      val left = (rounds - done) * (System.nanoTime() - began) / 6e10 / done
      val beside = r.variant.getOrElse("nothing")
      println(
        f"  [$done%3d/$rounds] ${r.workload}%-24s beside $beside%-10s ${r.jctS}%6.1f s, stolen ${r.stolen}; about $left%.0f min left"
      )
    }
  }
}

/** Says each Spark that has one round when it starts and when it has ended. How long the rest takes is guessed: as long as Sparks of
  * the same setting took, before any has run what a two-core machine needed.
  */
final class SparksProgress(results: Measured, sparks: Seq[SparkRounds]) extends Progress {
  private var waiting = sparks
  private var took = Map.empty[String, Seq[Double]]

  override def during(spark: SparkRounds)(body: => Either[String, Unit]): Either[String, Unit] = {
    val number = sparks.size - waiting.size + 1
    val line = f"[$number%3d/${sparks.size}] ${spark.describe}%-48s"
    println(s"$line running")
    val started = System.nanoTime()
    val outcome = body
    val seconds = (System.nanoTime() - started) / 1e9
    waiting = waiting.diff(Seq(spark))
    took = took.updatedWith(spark.setting)(known => Some(known.getOrElse(Nil) :+ seconds))
    println(s"$line ${said(outcome)}; $left")
    outcome
  }

  private def said(outcome: Either[String, Unit]): String = outcome match {
    case Right(()) => results.all.lastOption.fold("")(r => f"${r.jctS}%6.1f s, stolen ${r.stolen}, late ${r.late}")
    case Left(why) => s"FAILED: $why"
  }

  def left: String = {
    val seconds = waiting.map { s =>
      took.get(s.setting).fold(SparksProgress.guess(s.setting))(known => known.sum / known.size)
    }.sum
    if (waiting.isEmpty) "done"
    else if (seconds < 90) f"about $seconds%.0f s left"
    else f"about ${seconds / 60}%.0f min left"
  }
}

object SparksProgress {
  private def guess(setting: String): Double =
    if (Result.aloneIn(setting)) 25.0 else if (setting == Result.Stock) 55.0 else 35.0
}
