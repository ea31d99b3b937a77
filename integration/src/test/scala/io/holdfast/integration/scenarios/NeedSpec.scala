package io.holdfast.integration.scenarios

/** A program that narrows from 4 tasks to 1 and widens again. */
class NeedSpec extends Scenarios {
  private val Slots = 4

  /** What the crowd got between the first stage's last launch and the last stage's. */
  private def stolen(need: String): Int =
    withHoldfast(
      "local-cluster[2,2,512]",
      "spark.holdfast.need" -> need,
      // What the crowd gives back while the narrow stage runs is claimed at once.
      "spark.holdfast.prereserve.fraction" -> "0",
      "spark.holdfast.group.etl-*.priority" -> "5"
    ) { app =>
      app.awaitExecutors(2)
      val (gate, narrow) = (app.gate(), app.gate())
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        val wide = app.stage(Slots)(_ => gate.await())
        val one = Programs.next(wide, 1) { _ => narrow.open(); Thread.sleep(200) }
        Programs.next(one, Slots)(_ => Thread.sleep(100)).count()
      }
      app.awaitRunning("important", Slots)
      // Whatever the crowd gets it gives back when the narrow stage runs, and not before.
      val crowd = new Crowd(app, sleepMs = 60000, until = Some(narrow)).start()
      gate.open()
      assert(important.result == Slots)
      crowd.stop()
      app.drain()
      val own = app.launches.of("important")
      assert(own.size == 2 * Slots + 1)
      app.launches.between(Crowd.Role, own(Slots - 1).id, own.last.id).size
    }

  test("look-ahead: a narrow stage keeps what the wide one after it needs") {
    assert(stolen("lookahead") == 0)
  }

  without("look-ahead: the first three finishers' slots are given away, as Algorithm 1 says") {
    assert(stolen("literal") == 3)
  }
}
