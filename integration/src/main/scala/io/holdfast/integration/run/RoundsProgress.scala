package io.holdfast.integration.run

import io.holdfast.integration.measure.Measured

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
