package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import io.holdfast.integration.measure.{Counters, Recorder, StageRun}
import io.holdfast.integration.programs.{AdaptiveQuery, Context}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.functions.{col, udf}

/** Queries of several Spark jobs beside a crowd. */
class AdaptiveSpec extends Scenarios {
  private val Slots = 4

  nightly("nothing is stolen between the jobs of an adaptive query that joins by shuffles") {
    val stages = nothingIsStolen(inScope, broadcastUpTo = "-1")
    assert(stages.exists(_.parents.size == 2), "a join by shuffles")
  }

  test(
    "nothing is stolen between the jobs of an adaptive query that broadcasts, each time in a job of another thread"
  ) {
    val stages = nothingIsStolen(inScope, broadcastUpTo = "10m")
    assert(stages.forall(_.parents.size < 2))
  }

  test("nor between a query and what it asks first, without a scope") {
    nothingIsStolen(withSubquery, broadcastUpTo = "-1")
    ()
  }

  private def inScope(context: Context): Unit = Holdfast.workflow("query", 10)(AdaptiveQuery.run(context))

  /** What is above the mean; the mean is found by jobs of another thread, which end with a stage of one task. */
  private def withSubquery(context: Context): Unit = {
    val nap = udf { (id: Long) => if (id % 100 == 0) Thread.sleep(100); id }.asNondeterministic()
    val spark = context.spark
    spark.range(0, 3000, 1, Slots).select(nap(col("id")).as("id")).createOrReplaceTempView("numbers")
    val above =
      "select id % 7 as k, count(*) from numbers where id > (select avg(id) from numbers) group by k order by k"
    assert(spark.sql(above).collect().map(_.getLong(1)).sum == 1500)
    ()
  }

  without("enforcing: slots are stolen") {
    assert(besideACrowd(inScope, broadcastUpTo = "10m", "spark.holdfast.mode" -> "observe")._2 > 0)
  }

  private def nothingIsStolen(query: Context => Unit, broadcastUpTo: String): Seq[StageRun] = {
    val (stages, stolen) = besideACrowd(query, broadcastUpTo)
    assert(stolen == 0)
    stages
  }

  private def keys(broadcastUpTo: String): Seq[(String, String)] = Seq(
    // Planning on a slow machine takes long; how long a gap may last is not what is tested.
    "spark.holdfast.linger.first" -> "20s",
    "spark.extraListeners" -> s"${classOf[Launches].getName},${classOf[Recorder].getName}",
    s"spark.holdfast.pool.${Recorder.Foreground}.priority" -> "10",
    "spark.sql.adaptive.enabled" -> "true",
    "spark.sql.autoBroadcastJoinThreshold" -> broadcastUpTo,
    "spark.sql.shuffle.partitions" -> "8",
    "spark.sql.warehouse.dir" -> "warehouse-is-not-used"
  )

  /** Runs the query beside a crowd: its stages, and how many slots were stolen. */
  private def besideACrowd(
      query: Context => Unit,
      broadcastUpTo: String,
      conf: (String, String)*
  ): (Seq[StageRun], Int) =
    withHoldfast(s"local-cluster[2,${Slots / 2},1024]", keys(broadcastUpTo) ++ conf: _*) { app =>
      app.awaitExecutors(2)
      val recorder = Recorder.current
      recorder.awaitExecutors(2)
      recorder.expect(Slots - 1)
      val spark = SparkSession.builder().getOrCreate()
      // While somebody's task runs, holds across a gap do not yield as they do when all that is left is waiting.
      val bystander = app.gate()
      val waiting = app.start("bystander")(app.stage(1)(_ => bystander.await()).count())
      app.awaitRunning("bystander", 1)
      val important = app.start("important", "spark.scheduler.pool" -> Recorder.Foreground) {
        val arrived = System.currentTimeMillis()
        val context = Context(spark, app.folder, app.folder, seed = 1, warmUp = false)
        query(context)
        (arrived, System.currentTimeMillis())
      }
      recorder.awaitFullWidth()
      val crowd =
        new Crowd(app, jobs = 2, tasks = 40, properties = Seq("spark.scheduler.pool" -> Recorder.Background)).start()
      val (arrived, ended) = important.result
      bystander.open()
      waiting.result
      crowd.stop()
      app.drain()
      recorder.awaitQuiet()
      val timeline = recorder.timeline(Slots - 1, arrived, ended)
      assert(timeline.foregroundStages.map(_.job).distinct.size >= 4)
      if (conf.isEmpty) {
        assert(holds.required("used").asLong > 0)
        // The crowd did want slots all the time.
        assert(app.launches.of(Crowd.Role).last.id > app.launches.of("important").last.id)
      }
      (timeline.foregroundStages, Counters.of(timeline).stolen)
    }
}
