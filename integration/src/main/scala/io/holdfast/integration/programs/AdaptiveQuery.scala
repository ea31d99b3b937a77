package io.holdfast.integration.programs

import org.apache.spark.sql.functions._

/** A query with two joins, an aggregation and an order. With AQE each of its stages is a Spark job of its own, and how wide the
  * next will be is known only when the one before has ended. A user's function that sleeps makes the stages about a second long
  * without needing the CPU.
  */
object AdaptiveQuery {
  private val Facts = 400000L
  private val Items = 2000L
  private val Categories = 40L
  private val NapMs = 100L

  /** One row in this many naps: 10 naps in each of the 8 partitions of facts. */
  private val FactsPerNap = Facts / (Workload.Partitions * 10)

  def run(context: Context): Unit = {
    val spark = context.spark
    import spark.implicits._
    val ms = if (context.warmUp) NapMs / 20 else NapMs
    val nap = udf { (id: Long, every: Long) => if (id % every == 0) Thread.sleep(ms); id }.asNondeterministic()
    val facts = spark
      .range(0, Facts, 1, Workload.Partitions)
      .select(nap($"id", lit(FactsPerNap)).as("id"), ($"id" % Items).as("item"), ($"id" * 7 % 1000).as("amount"))
    val items = spark
      .range(0, Items, 1, 4)
      .select(nap($"id", lit(Items / 40)).as("item"), ($"id" % Categories).as("category"))
    val categories = spark
      .range(0, Categories, 1, 2)
      .select(nap($"id", lit(Categories / 10)).as("category"), concat(lit("category "), $"id").as("name"))
    facts
      .join(items, "item")
      .select($"category", $"amount", nap($"id", lit(FactsPerNap * 2)).as("id"))
      .join(categories, "category")
      .select($"name", $"amount", nap($"id", lit(FactsPerNap * 3)).as("id"))
      .groupBy($"name")
      .agg(sum($"amount").as("total"), max($"id").as("last"))
      .orderBy($"total".desc, $"name")
      .collect()
  }
}
