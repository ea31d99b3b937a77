package io.holdfast.integration.scenarios

import io.holdfast.integration.measure.Recorder
import io.holdfast.integration.programs.Context
import org.apache.spark.sql.{Row, SparkSession}

/** Queries as dashboards have them, of every shape that makes Spark run jobs of its own; no scope names them. */
class QueryShapesSpec extends BesideACrowd {

  /** @param width tasks of the stage after whose begin the crowd comes
    * @param before is run without a crowd
    * @param check of the tasks of the query's stages
    */
  private case class Shape(
      name: String,
      query: Context => Unit,
      width: Int = Slots - 1,
      conf: Seq[(String, String)] = Nil,
      before: Context => Unit = _ => (),
      check: Seq[Int] => Boolean
  )

  private val shapes = Seq(
    Shape(
      "a limit that looks at 1, 4 and then all other partitions, each time in a job of its own",
      limited(_),
      width = 1,
      check = _ == Seq(1, 4, 11)
    ),
    Shape(
      "a table that a query caches, which is filled by a job, and read by others",
      { context =>
        sql(context, "cache table cached as select id, nap(id, 30) as slow from range(0, 40, 1, 4)")
        val sums = sql(context, "select id % 3, sum(nap(slow, 20)) from cached group by 1")
        assert(sums.map(_.getLong(1)).sum == 780)
        ()
      },
      check = _.count(_ == 4) >= 2
    ),
    Shape(
      "partitions that are pruned by what a broadcast finds",
      { context =>
        assert(sql(context, Pruned).length == 4)
        val plan = context.spark.sql(Pruned).queryExecution.executedPlan.toString
        assert(plan.contains("dynamicpruning"), plan)
        ()
      },
      conf = Seq("spark.sql.files.openCostInBytes" -> "128m"), // each file is a task
      before = tables(_),
      check = _.max > 4
    ),
    Shape(
      "stages whose width is known only when they come, which are narrower than was planned",
      { context =>
        val rows = sql(context, "select id % 7 as k, max(nap(id, 30)) from range(0, 40, 1, 4) group by 1 order by 1")
        assert(rows.length == 7)
        ()
      },
      conf = Seq("spark.sql.shuffle.partitions" -> "64"),
      check = _.tail.forall(_ == 1)
    )
  )

  shapes.foreach { shape =>
    test(s"nothing but what was not known to be needed is stolen from ${shape.name}") {
      val seen = besideACrowd(shape)
      assert(shape.check(seen.stages.map(_.tasks)) && seen.stolen <= seen.unforeseen, seen)
      assert(seen.used > 0, seen)
    }
  }

  test("a limit that comes again is known to look at more") {
    var lacked = Seq.empty[Long]
    def noted(context: Context): Unit = { limited(context); lacked :+= unforeseen }
    val seen = besideACrowd(shapes.head.copy(query = context => { noted(context); noted(context) }))
    assert(seen.stages.map(_.tasks) == Seq(1, 4, 11, 1, 4, 11) && seen.stolen == 0, seen)
    assert(lacked.distinct.size == 1 && lacked.head > 0, "what it lacked at first it did not lack again")
  }

  test("queries that begin alike are told apart by what they compute") {
    val naps = "(select id % 30 as k, nap(id, 60) as slow from range(0, 30, 1, 3))"
    val narrow = s"select max(slow) from $naps"
    val wide = s"select k, nap(max(slow), 40) from $naps group by k"
    def run(context: Context, text: String): Unit = { assert(sql(context, text).nonEmpty); () }
    val conf = Seq(
      "spark.holdfast.linger.query" -> "0s",
      "spark.sql.adaptive.coalescePartitions.enabled" -> "false",
      "spark.sql.shuffle.partitions" -> "3"
    )
    val seen = crowded(run(_, wide), Slots - 1, conf, sleepMs = 1000) { context =>
      context.spark.sparkContext.setLocalProperty("spark.scheduler.pool", Recorder.Foreground)
      Seq(narrow, wide, narrow).foreach { text =>
        run(context, text)
        Wait.until("the end of the query has been heard")(held == 0)
      }
    }
    assert(seen.stages.map(_.tasks) == Seq(3, 3) && seen.stolen == 0, seen)
  }

  without("enforcing: slots are stolen") {
    val seen = shapes.map(shape => besideACrowd(shape.copy(conf = shape.conf :+ ("spark.holdfast.mode" -> "observe"))))
    assert(seen.map(_.stolen).sum > 0, seen)
  }

  private def besideACrowd(shape: Shape) = crowded(shape.query, shape.width, shape.conf)(shape.before)

  private def sql(context: Context, text: String): Array[Row] = {
    naps(context.spark)
    context.spark.sql(text).collect()
  }

  /** `nap(x, ms)` is x after so long. */
  private def naps(spark: SparkSession): Unit = {
    val nap = (x: Long, ms: Int) => { Thread.sleep(ms.toLong); x }
    spark.udf.register("nap", nap)
    ()
  }

  private def limited(context: Context): Unit = {
    val rows = sql(context, "select id from range(0, 160, 1, 16) where nap(id, 20) >= 150 limit 5")
    assert(rows.map(_.getLong(0)).toSet == (150L to 154L).toSet)
  }

  private def Pruned =
    """select k, sum(nap(id, 30)) from facts join (select k, nap(flag, 100) as flag from dims where flag = 1) using (k)
      |group by k order by k""".stripMargin

  private def tables(context: Context): Unit = {
    val spark = context.spark
    def write(text: String, name: String, by: String*): Unit = {
      val folder = context.outputs.resolve(name).toUri.toString
      spark.sql(text).write.partitionBy(by: _*).parquet(folder)
      spark.read.parquet(folder).createOrReplaceTempView(name)
    }
    write("select id, id % 8 as k from range(0, 80, 1, 4)", "facts", "k")
    write("select id as k, id % 2 as flag from range(0, 8, 1, 4)", "dims")
  }
}
