package io.holdfast.integration.scenarios

import io.holdfast.integration.measure.HoldfastStatus

/** An important program of several stages beside a crowd that wants every slot that is freed. */
class ChainSpec extends Scenarios {
  private val Slots = 4

  /** What the crowd got between the first stage's last launch and the last stage's. */
  private def beside(app: App, properties: (String, String)*): Seq[Launch] = {
    val (own, stolen) = new Chain(app, Slots).beside("important", properties: _*)
    assert(own.size == 4 * Slots)
    assert(app.launches.of(Crowd.Role).size == 24)
    stolen
  }

  test("nothing configured: nothing is held, the crowd gets what is freed") {
    withHoldfast("local-cluster[2,2,512]") { app =>
      app.awaitExecutors(2)
      assert(beside(app).nonEmpty)
      assert(made == 0)
      assert(HoldfastStatus.read().vetoes == 0)
    }
  }

  test("a priority: no slot is lost between its stages") {
    withHoldfast("local-cluster[2,2,512]", "spark.holdfast.pool.important.priority" -> "10") { app =>
      app.awaitExecutors(2)
      assert(beside(app, "spark.scheduler.pool" -> "important").isEmpty)
      val used = holds.required("used").asLong
      assert(used > 0)
      assert(Internals.gauge("holdfast.used").contains(used), "in Spark's metrics, too")
      assert(Internals.gauge("holdfast.failed").contains(0))
      app.await("the workflow's own metrics")(
        Internals.gauge("holdfast.made").isDefined
          && Internals.gauge("holdfast.workflow.pool_important.used").contains(used)
      )
    }
  }
}
