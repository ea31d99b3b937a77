package io.holdfast.integration.scenarios

/** The baselines of ICDCS'17, section III-A, on a real Spark: what they cost, which speculative reservation does not. */
class BaselinesSpec extends Scenarios {
  private val Slots = 4
  private val important = "spark.scheduler.pool" -> "important"
  private val priority = "spark.holdfast.pool.important.priority" -> "5"

  private def withPolicy(policy: String, conf: (String, String)*)(body: App => Unit): Unit =
    withHoldfast(s"local-cluster[2,${Slots / 2},512]", conf ++ Seq(priority, "spark.holdfast.policy" -> policy): _*) {
      app =>
        app.awaitExecutors(2)
        body(app)
    }

  test("static: others never use the slots that are set aside, and the important program has them at once") {
    withPolicy("static", "spark.holdfast.static.slots" -> "2") { app =>
      val gate = app.gate()
      val crowd = new Crowd(app, sleepMs = 60000, until = Some(gate)).start()
      app.awaitRunning(Crowd.Role, 2)
      // As many tasks as slots: two run at once, the others when the crowd's first two have ended.
      val program = app.start("important", important)(app.stage(Slots)(_ => gate.await()).count())
      app.awaitRunning("important", 2)
      app.drain()
      assert(app.launches.running(Crowd.Role) == 2)
      assert(app.launches.of(Crowd.Role).map(_.executor).distinct.size == 1)
      gate.open()
      assert(program.result == Slots)
      crowd.stop()
      assert(made == 0)
    }
  }

  test("timeout: all slots are held after the last stage although nothing follows, each until its time is over") {
    withPolicy("timeout", "spark.holdfast.hold.max" -> "3s") { app =>
      val gate = app.gate()
      val program = app.start("important", important)(app.stage(Slots)(_ => gate.await()).count())
      app.awaitRunning("important", Slots)
      val crowd = new Crowd(app).start()
      gate.open()
      assert(program.result == Slots)
      app.awaitRunning(Crowd.Role, Slots)
      crowd.stop()
      assert(made == Slots && holds.required("expired").asLong == Slots)
    }
  }
}
