package io.holdfast.integration.scenarios

import io.holdfast.integration.measure.HoldfastStatus

/** `observe` decides and records, and Spark does what it would have done. One slot makes the order of launches certain. */
class ObserveSpec extends Scenarios {
  private type Place = (String, Int, Int, Int, String)

  /** Two actions of an important job group beside a crowd that was submitted between them. */
  private def launches(app: App, crowdFirst: Boolean): Seq[Place] = {
    val (first, second) = (app.gate(), app.gate())
    val important = app.start("important", "spark.jobGroup.id" -> "etl-1") {
      app.stage(2)(i => if (i == 1) first.await()).count()
      second.await()
      app.stage(2)(_ => Thread.sleep(20)).count()
    }
    app.await("the second task of the first action")(app.launches.of("important").size == 2)
    val crowd = new Crowd(app, jobs = 1, tasks = 4, sleepMs = 200).start()
    first.open()
    if (crowdFirst) app.awaitRunning(Crowd.Role, 1) else Wait.until("a hold")(held == 1)
    second.open()
    important.result
    crowd.stop()
    app.drain()
    app.launches.all.map(l => (l.role, l.stage, l.index, l.attempt, l.executor))
  }

  private val group = "spark.holdfast.group.etl-*.priority" -> "5"

  test("observe launches what stock launches, vetoes nothing, and records holds") {
    val stock = withSpark("local[1]")(launches(_, crowdFirst = true))
    val observed = withHoldfast("local[1]", group, "spark.holdfast.mode" -> "observe") { app =>
      val sequence = launches(app, crowdFirst = true)
      val status = HoldfastStatus.read()
      assert(status.mode == "observe")
      assert(status.vetoes == 0)
      assert(status.holds.made > 0)
      sequence
    }
    assert(observed == stock)
    val enforced =
      withHoldfast("local[1]", group, "spark.holdfast.linger.first" -> "5s")(launches(_, crowdFirst = false))
    assert(enforced.size == stock.size)
    assert(enforced != stock)
  }
}
