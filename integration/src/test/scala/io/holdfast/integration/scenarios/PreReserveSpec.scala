package io.holdfast.integration.scenarios

/** A stage of two tasks before one of four, beside a crowd: from when on are slots for the wider one taken? */
class PreReserveSpec extends Scenarios {
  private val (narrow, wide, crowded) = (2, 4, 12)

  /** Half of the narrow stage is done when the crowd's tasks end. Then `check`, and the program ends. */
  private def halfDone(fraction: String)(check: App => Unit): Unit =
    withHoldfast("local-cluster[2,2,512]", "spark.holdfast.prereserve.fraction" -> fraction) { app =>
      app.awaitExecutors(2)
      val (early, late, release) = (app.gate(), app.gate(), app.gate())
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        val first = app.stage(narrow)(i => if (i == 0) early.await() else late.await())
        Programs.next(first, wide)(_ => ()).count()
      }
      app.awaitRunning("important", narrow)
      val crowd = new Crowd(app, jobs = 1, tasks = crowded, sleepMs = 60000, until = Some(release)).start()
      app.awaitRunning(Crowd.Role, wide - narrow)
      early.open()
      Wait.until("the hold of the first finisher's slot")(held == 1)
      release.open()
      check(app)
      late.open()
      assert(important.result == narrow)
      crowd.stop()
    }

  test("from the fraction on, what the crowd releases is claimed") {
    halfDone("0.5")(_ => Wait.until("holds on all slots but the one in use")(held == wide - 1))
  }

  without("pre-reservation before the stage is done: the crowd keeps its slots") {
    halfDone("1") { app =>
      app.await("the crowd's end")(app.launches.ends(Crowd.Role).size == crowded)
      assert(held == 1)
    }
  }
}
