package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** A program that sleeps between two actions, on a master where nothing but us revives offers. */
class SleepingSpec extends Scenarios {
  private val Slots = 4
  private val LingerS = 1.0

  private def idle: Double = Json.tree(Holdfast.status()).required("idle_slot_s").asDouble

  test("local[4]: the background runs again after the linger, and just that is charged") {
    withHoldfast(
      s"local[$Slots]",
      "spark.holdfast.pool.important.priority" -> "5",
      "spark.holdfast.linger.first" -> s"${(LingerS * 1000).toInt}ms",
      "spark.holdfast.linger.max" -> s"${(LingerS * 1000).toInt}ms"
    ) { app =>
      val (first, second, crowdMayEnd) = (app.gate(), app.gate(), app.gate())
      // One task of somebody else's runs on: without any, holds in a gap would yield to whoever waits.
      val bystander = app.start("bystander")(app.stage(1)(_ => second.await()).count())
      app.awaitRunning("bystander", 1)
      val own = Slots - 1
      val important = app.start("important", "spark.scheduler.pool" -> "important") {
        app.stage(own)(_ => first.await()).count()
        second.await()
        app.stage(own)(_ => ()).count()
      }
      app.awaitRunning("important", own)
      val crowd = new Crowd(app, jobs = 1, sleepMs = 60000, until = Some(crowdMayEnd)).start()
      val before = idle
      first.open()
      Wait.until("a hold on every slot")(held == own)
      assert(app.launches.running(Crowd.Role) == 0)
      app.awaitRunning(Crowd.Role, own)
      assert(held == 0)
      val charged = idle - before
      // The rest is what the machine took to launch what was offered again.
      assert(charged >= own * LingerS * 0.999 && charged < own * (LingerS + 2), charged)
      Thread.sleep(500)
      assert(idle - before == charged, "nothing is charged while nothing is held")
      second.open()
      crowdMayEnd.open()
      assert(important.result == own && bystander.result == 1)
      crowd.stop()
    }
  }
}
