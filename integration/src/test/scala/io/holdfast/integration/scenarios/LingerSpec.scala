package io.holdfast.integration.scenarios

import org.apache.spark.sql.SparkSession

/** What the crowd gets between two actions of a job group, and when nobody waits for a second one. */
class LingerSpec extends Scenarios {
  private val Slots = 4

  /** Longer than the first linger. */
  private val PauseMs = 1500L

  private def stolen(linger: String): Int =
    stolen(keeps = linger != "0s", "spark.holdfast.linger.first" -> linger, "spark.holdfast.linger.max" -> linger)()

  /** In the first gap of a workflow, when a task of others has taken so long, and the driver pauses for longer than the
    * first linger.
    */
  private def stolenInAnUnknownGap(othersMs: Long, keeps: Boolean): Int =
    stolen(keeps, "spark.holdfast.linger.max" -> "1min") { app =>
      app.stage(1)(_ => Thread.sleep(othersMs)).count()
      app.drain()
    }

  private def stolen(keeps: Boolean, conf: (String, String)*)(before: App => Unit = _ => ()): Int =
    withHoldfast(
      s"local-cluster[2,${Slots / 2},512]",
      ("spark.holdfast.group.etl-*.priority" -> "5") +: conf: _*
    ) { app =>
      app.awaitExecutors(2)
      before(app)
      val (gate, second, bystanderMayEnd) = (app.gate(), app.gate(), app.gate())
      // While somebody's task runs, holds in a gap do not yield as they do when all that is left is waiting.
      val bystander = app.start("bystander")(app.stage(1)(_ => bystanderMayEnd.await()).count())
      app.awaitRunning("bystander", 1)
      val important = app.start("important", "spark.jobGroup.id" -> "etl-nightly") {
        app.stage(Slots - 1)(_ => gate.await()).count()
        second.await()
        app.stage(Slots - 1)(_ => ()).count()
      }
      app.awaitRunning("important", Slots - 1)
      val crowd = new Crowd(app, sleepMs = 1000).start()
      gate.open()
      if (keeps) {
        Wait.until("a hold on every slot")(held == Slots - 1)
        Thread.sleep(PauseMs)
      } else app.awaitRunning(Crowd.Role, Slots - 1)
      second.open()
      important.result
      bystanderMayEnd.open()
      bystander.result
      crowd.stop()
      app.drain()
      val own = app.launches.of("important")
      app.launches.between(Crowd.Role, own(Slots - 2).id, own.last.id).size
    }

  test("a workflow keeps its slots between two actions") {
    assert(stolen("8s") == 0)
  }

  test("in an unknown gap it keeps them for as long as the longest task of others took, at least the first linger") {
    assert(stolenInAnUnknownGap(othersMs = 8000, keeps = true) == 0)
    assert(stolenInAnUnknownGap(othersMs = 200, keeps = false) >= Slots - 1)
  }

  /** What is held when a query in this job group is over. */
  private def heldAfterAQuery(group: String): Long =
    withSpark(
      s"local[$Slots]",
      "spark.plugins" -> Scenarios.Plugin,
      "spark.holdfast.group.*.priority" -> "5",
      "spark.holdfast.linger.first" -> "10min"
    ) { app =>
      val spark = SparkSession.builder().getOrCreate()
      app.sc.setLocalProperty("spark.jobGroup.id", group)
      spark.range(0, 8, 1, Slots).repartition(Slots).collect()
      app.drain()
      assert(made > 0, "inside the query slots were held")
      held
    }

  test("a statement of a SQL server, in a group of its own, leaves nothing held") {
    assert(heldAfterAQuery("2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c11") == 0)
    assert(heldAfterAQuery("etl-nightly") > 0, "a group that a person has named may go on")
  }

  without("a linger: the crowd takes them") {
    assert(stolen("0s") >= Slots - 1)
  }
}
