package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import io.holdfast.integration.measure.StageRun
import io.holdfast.integration.programs.{AdaptiveQuery, Context}
import org.apache.spark.sql.functions.{col, udf}

/** Queries of several Spark jobs beside a crowd. */
class AdaptiveSpec extends BesideACrowd {
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
    assert(crowded(inScope, broadcast("10m") :+ ("spark.holdfast.mode" -> "observe"): _*).stolen > 0)
  }

  private def broadcast(upTo: String) = Seq("spark.sql.autoBroadcastJoinThreshold" -> upTo)

  private def nothingIsStolen(query: Context => Unit, broadcastUpTo: String): Seq[StageRun] = {
    val seen = crowded(query, broadcast(broadcastUpTo): _*)
    assert(seen.stolen == 0)
    assert(seen.stages.map(_.job).distinct.size >= 4)
    assert(seen.used > 0)
    seen.stages
  }
}
