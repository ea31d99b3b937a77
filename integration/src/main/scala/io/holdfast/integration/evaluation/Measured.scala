package io.holdfast.integration.evaluation

import java.nio.file.{Files, Path}

import io.holdfast.integration.{Json, Result, Timeline}

/** What has been measured: a line of JSON for each round, added when it has ended. A last line without its end is none: it is being
  * written, or was cut off.
  *
  * @param file may not exist yet
  */
final class Measured(val file: Path) {

  def all: Seq[Result] =
    if (Files.notExists(file)) Nil
    else whole(Files.readString(file)).linesIterator.map(Json.read[Result](_)).toSeq

  /** Removes a last line that was cut off, so that others can be added. */
  def repair(): Unit = if (Files.exists(file)) {
    Files.writeString(file, whole(Files.readString(file)))
    ()
  }

  /** Grows with each round. */
  def bytes: Long = if (Files.exists(file)) Files.size(file) else 0

  private def whole(text: String) = text.substring(0, text.lastIndexOf('\n') + 1)

  def timeline(result: Result): Timeline = Json.load[Timeline](file.resolveSibling(result.timeline))
}

object Measured {
  val File = "results.jsonl"
}

/** Says each round when it has been measured, with the time that is left.
  *
  * @param rounds that are to be measured
  */
final class RoundsProgress(results: Measured, rounds: Int) {
  private val EveryMs = 500L
  private val began = System.nanoTime()
  private val before = results.all.size
  private var said = before
  private var seen = -1L
  @volatile private var running = false

  /** Watches the results while `body` runs. */
  def during[A](body: => A): A = {
    val thread = new Thread(() => while (running) { say(); Thread.sleep(EveryMs) }, "progress")
    thread.setDaemon(true)
    running = true
    thread.start()
    try body
    finally {
      running = false
      thread.join()
      say()
    }
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
