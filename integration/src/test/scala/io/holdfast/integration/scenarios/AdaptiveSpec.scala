package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import io.holdfast.integration.{AdaptiveQuery, Context, Counters, Recorder}
import org.apache.spark.sql.SparkSession

/** An adaptive query, each of whose stages is a Spark job of its own, beside a crowd. */
class AdaptiveSpec extends Scenarios {
  private val Slots = 4

  test("nothing is stolen between the jobs of an adaptive query") {
    nothingIsStolen(broadcasts = false)
  }

  test("nor where it broadcasts, each time in a job of another thread") {
    nothingIsStolen(broadcasts = true)
  }

  private def nothingIsStolen(broadcasts: Boolean): Unit =
    withHoldfast(
      s"local-cluster[2,${Slots / 2},1024]",
      // Planning on a slow machine takes long; how long a gap may last is not what is tested.
      "spark.holdfast.linger.first" -> "20s",
      "spark.extraListeners" -> s"${classOf[Launches].getName},${classOf[Recorder].getName}",
      "spark.sql.adaptive.enabled" -> "true",
      "spark.sql.autoBroadcastJoinThreshold" -> (if (broadcasts) "10m" else "-1"),
      "spark.sql.shuffle.partitions" -> "8",
      "spark.sql.warehouse.dir" -> "warehouse-is-not-used"
    ) { app =>
      app.awaitExecutors(2)
      val recorder = Recorder.current
      recorder.awaitExecutors(2)
      recorder.expect(Slots - 1)
      val spark = SparkSession.builder().getOrCreate()
      // While somebody's task runs, holds across a gap do not yield as they do when all that is left is waiting.
      val bystander = app.gate()
      val waiting = app.start("bystander")(app.stage(1)(_ => bystander.await()).count())
      app.awaitRunning("bystander", 1)
      val query = app.start("important", "spark.scheduler.pool" -> Recorder.Foreground) {
        val arrived = System.currentTimeMillis()
        val context = Context(spark, app.folder, app.folder, seed = 1, warmUp = false)
        Holdfast.workflow("query", 10)(AdaptiveQuery.run(context))
        (arrived, System.currentTimeMillis())
      }
      recorder.awaitFullWidth()
      val crowd =
        new Crowd(app, jobs = 2, tasks = 40, properties = Seq("spark.scheduler.pool" -> Recorder.Background)).start()
      val (arrived, ended) = query.result
      bystander.open()
      waiting.result
      crowd.stop()
      app.drain()
      recorder.awaitQuiet()
      val timeline = recorder.timeline(Slots - 1, arrived, ended)
      // Of a join by shuffles a stage reads two, of one by broadcast none does.
      assert(timeline.foregroundStages.exists(_.parents.size == 2) == !broadcasts)
      assert(timeline.foregroundStages.map(_.job).distinct.size >= 4)
      assert(holds.required("used").asLong > 0)
      assert(Counters.of(timeline).stolen == 0)
      // The crowd did want slots all the time.
      assert(app.launches.of(Crowd.Role).last.id > app.launches.of("important").last.id)
    }
}
