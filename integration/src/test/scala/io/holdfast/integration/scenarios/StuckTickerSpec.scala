package io.holdfast.integration.scenarios

import scala.jdk.CollectionConverters._

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** The ticker's thread stands still, as on a machine that swaps: what is held ends, and Spark gives it to who waits. */
class StuckTickerSpec extends Scenarios {
  private val Slots = 4

  private def ticker: Thread =
    Thread.getAllStackTraces.keySet.asScala.find(t => t.getName == "holdfast-ticker" && t.isAlive).get

  /** By name: it is deprecated, and there is no other way to stop a thread anywhere. */
  private def tell(thread: Thread, what: String): Unit = { classOf[Thread].getMethod(what).invoke(thread); () }

  private def crowdGetsThem(master: String, executors: Int): Unit =
    withSpark(
      master,
      "spark.plugins" -> Scenarios.Plugin,
      "spark.holdfast.hold.max" -> "2s",
      "spark.executor.heartbeatInterval" -> "500ms"
    ) { app =>
      if (executors > 0) app.awaitExecutors(executors)
      val (early, late) = (app.gate(), app.gate())
      // The last two tasks end only when the crowd has got a slot.
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        Programs.next(app.stage(Slots)(i => if (i < 2) early.await() else late.await()), Slots)(_ => ()).sum()
      }
      app.awaitRunning("important", Slots)
      val crowd = app.start(Crowd.Role)(app.stage(2)(_ => late.open()).count())
      app.await("the crowd's task set")(app.taskSets == 2)
      val stuck = ticker
      tell(stuck, "suspend")
      early.open()
      Wait.until("two holds")(made >= 2)
      assert(crowd.result == 2 && important.result == 6.0)
      val holds = Json.tree(Holdfast.status()).required("holds")
      assert(holds.required("expired").asInt >= 2)
      app.sc.stop()
      tell(stuck, "resume")
    }

  test("on a cluster, where Spark offers every second") {
    crowdGetsThem(s"local-cluster[2,${Slots / 2},512]", 2)
  }

  test("on a local master, where a heartbeat has to ask for offers") {
    crowdGetsThem(s"local[$Slots]", 0)
  }
}
