package io.holdfast.integration.scenarios

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.SparkPlan

/** A query that is cancelled while adaptive execution plans what comes next, between two of its jobs. */
class ReplanSpec extends Scenarios {
  private val Slots = 4

  test("a query cancelled while it is planned anew leaves its slots to the crowd at once") {
    withHoldfast(
      // Where nobody but us asks for offers again: cluster backends do so every second.
      s"local[$Slots]",
      "spark.sql.extensions" -> classOf[Replanning].getName,
      "spark.sql.warehouse.dir" -> "warehouse-is-not-used",
      "spark.holdfast.linger.first" -> "60s",
      "spark.holdfast.linger.max" -> "60s"
    ) { app =>
      val spark = SparkSession.builder().getOrCreate()
      val bystander = app.gate()
      val waiting = app.start("bystander")(app.stage(1)(_ => bystander.await()).count())
      app.awaitRunning("bystander", 1)
      @volatile var queries = Option.empty[Thread]
      val query = app.start("important", "spark.holdfast.priority" -> "5") {
        queries = Some(Thread.currentThread())
        spark.range(0, 1000, 1, Slots - 1).groupBy("id").count().orderBy("count").collect()
      }
      Wait.until("planning after the first stage")(Replanning.waits)
      val crowd = new Crowd(app).start()
      app.drain()
      assert(held == Slots - 1, "the gap between two jobs of the query")
      val expired = holds.required("expired").asLong
      queries.foreach(_.interrupt())
      query.over()
      app.awaitRunning(Crowd.Role, Slots - 1)
      assert(held == 0 && holds.required("expired").asLong == expired, "it did not wait for the linger")
      bystander.open()
      waiting.result
      crowd.stop()
      spark.stop()
    }
  }
}

/** Stops the query's own thread when it plans for the second time, until somebody interrupts it. */
class Replanning extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit =
    extensions.injectQueryStagePrepRule(_ => Replanning.Pause)
}

object Replanning {
  @volatile var waits = false

  private object Pause extends Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = {
      val again = plan.exists(_.nodeName.contains("QueryStage"))
      if (again && Thread.currentThread().getName == "program") {
        waits = true
        Thread.sleep(120000)
      }
      plan
    }
  }
}
