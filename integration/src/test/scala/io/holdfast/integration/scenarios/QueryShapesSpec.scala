package io.holdfast.integration.scenarios

import io.holdfast.integration.programs.Context
import org.apache.spark.sql.SparkSession

/** Queries as dashboards have them, of every shape that makes Spark run jobs of its own; no scope names them. */
class QueryShapesSpec extends BesideACrowd {
  private def sql(context: Context, text: String) = {
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

  test("a limit looks at 1, 4 and then all other partitions, each time in a job of its own") {
    val seen = crowded(limited, width = 1, Nil)()
    assert(seen.stages.map(_.tasks) == Seq(1, 4, 11))
    assert(seen.stolen == 0, seen)
  }

  test("and knows that when it comes again") {
    val seen = crowded(context => { limited(context); limited(context) }, width = 1, Nil)()
    assert(seen.stages.map(_.tasks) == Seq(1, 4, 11, 1, 4, 11))
    assert(seen.stolen == 0, seen)
  }

  test("a table that a query caches is filled by a job, and read by others") {
    val seen = crowded { context =>
      sql(context, "cache table cached as select id, nap(id, 30) as slow from range(0, 40, 1, 4)")
      val sums = sql(context, "select id % 3, sum(nap(slow, 20)) from cached group by 1")
      assert(sums.map(_.getLong(1)).sum == 780)
      ()
    }
    assert(seen.stages.map(_.job).distinct.size >= 3)
    assert(seen.stolen == 0, seen)
  }

  private def tables(context: Context): Unit = {
    val spark = context.spark
    def write(text: String, name: String, by: String*) =
      spark.sql(text).write.partitionBy(by: _*).parquet(context.outputs.resolve(name).toUri.toString)
    write("select id, id % 8 as k from range(0, 80, 1, 4)", "facts", "k")
    write("select id as k, id % 2 as flag from range(0, 8, 1, 4)", "dims")
    Seq("facts", "dims").foreach { name =>
      spark.read.parquet(context.outputs.resolve(name).toUri.toString).createOrReplaceTempView(name)
    }
  }

  test("partitions are pruned by what a broadcast finds") {
    val pruned =
      """select k, sum(nap(id, 30)) from facts join (select k, nap(flag, 100) as flag from dims where flag = 1) using (k)
        |group by k order by k""".stripMargin
    val aFileEach = "spark.sql.files.openCostInBytes" -> "128m"
    val seen = crowded(
      context => {
        assert(sql(context, pruned).length == 4)
        val plan = context.spark.sql(pruned).queryExecution.executedPlan.toString
        assert(plan.contains("dynamicpruning"), plan)
        ()
      },
      Slots - 1,
      Seq(aFileEach)
    )(tables)
    assert(seen.stages.exists(_.tasks > 4))
    assert(seen.stolen == 0, seen)
  }

  test("a stage whose width is known only when it comes: what was held for more is given back") {
    val seen = crowded(
      context => {
        val rows = sql(context, "select id % 7 as k, max(nap(id, 30)) from range(0, 40, 1, 4) group by 1 order by 1")
        assert(rows.length == 7)
        ()
      },
      "spark.sql.shuffle.partitions" -> "64"
    )
    assert(seen.stages.map(_.tasks).tail.forall(_ == 1))
    assert(seen.stolen == 0, seen)
  }

  without("enforcing: each of the wide shapes loses slots") {
    val observed = Seq("spark.holdfast.mode" -> "observe")
    assert(crowded(limited, width = 1, observed)().stolen > 0)
  }
}
