package io.holdfast.integration.programs

import java.nio.file.Path

import io.holdfast.integration.programs.dashboards.{Clients, Dashboards, InProcess, Processes, Server}
import org.apache.spark.sql.SparkSession

/** What a program gets to run.
  *
  * @param inputs folder of the generated inputs
  * @param outputs a folder of this run's own
  * @param seed draws the durations of sleeping tasks
  * @param width tasks of the widest stages
  * @param warmUp the run before the measured one: sleeping programs keep their shape and sleep less
  * @param run which of several runs in a row
  * @param kept whether it is measured, and not only to load and to compile what the measured runs need
  * @param scale of TPC-H's tables
  * @param server in this JVM, if users come through one
  */
final case class Context(
    spark: SparkSession,
    inputs: Path,
    outputs: Path,
    seed: Long,
    warmUp: Boolean,
    width: Int = Workload.Partitions,
    run: Int = 1,
    kept: Boolean = true,
    scale: BigDecimal = 1,
    server: Option[Server] = None
) {

  /** How users reach this Spark. */
  def clients: Clients = server.fold[Clients](new InProcess(spark))(new Processes(_, outputs))

  def input(name: String): String = inputs.resolve(Input(name, width).folder).toUri.toString
  def output(name: String): String = outputs.resolve(name).toUri.toString
}

/** A program that knows nothing of Holdfast. Its caller puts it into a pool.
  *
  * @param parallelism tasks of its widest stages
  * @param input what [[Inputs]] must have generated
  * @param limitS when it is given up, in seconds; far above what it takes next to a crowd under stock Spark
  * @param drawn whether its tasks' times are drawn from the seed, so that it takes another time with each
  * @param anyWidth whether it can be wider although it reads no input
  */
final case class Workload(
    name: String,
    title: String,
    parallelism: Int,
    input: Option[Input],
    run: Context => Unit,
    limitS: Long = 600,
    drawn: Boolean = false,
    anyWidth: Boolean = false
) {

  /** The same in so many partitions. */
  def wide(width: Int): Workload = {
    require(
      input.nonEmpty || anyWidth,
      s"workload '$name' has a width of its own, ${parallelism}: give it without @$width"
    )
    copy(
      s"$name@$width",
      parallelism = width,
      input = input.map(_.copy(partitions = width)),
      run = context => run(context.copy(width = width))
    )
  }

  /** The same so many times in a row; once when it warms up. */
  def times(times: Int): Workload = copy(
    s"$name*$times",
    s"$title, $times times",
    run = context =>
      (1 to (if (context.warmUp) 1 else times)).foreach { i =>
        run(context.copy(outputs = context.outputs.resolve(i.toString), run = i))
      }
  )
}

object Workload {
  val Partitions = 8

  val all: Seq[Workload] = Seq(
    Workload("kmeans", "KMeans", Partitions, of(Inputs.KMeans), SparkBench.kmeans),
    Workload("svm", "SVM", Partitions, of(Inputs.Svm), SparkBench.svm),
    Workload("pagerank", "PageRank", Partitions, of(Inputs.Graph), SparkBench.pageRank),
    Workload("als", "ALS", Partitions, of(Inputs.Ratings), Recommendation.run),
    Workload("queries", "Queries, AQE", Partitions, of(Inputs.Orders), Queries.adaptive),
    Workload("queries-planned", "Queries, no AQE", Partitions, of(Inputs.Orders), Queries.planned),
    Workload("chain", "Chain", Partitions, None, Sleeping.chain, drawn = true),
    Workload("phases", "Three phases", Sleeping.PhasesWidth, None, Sleeping.phases),
    Workload("chaincached", "Cached chain", Partitions, None, Sleeping.chainCached, drawn = true),
    Workload(
      "stragglers",
      "Chain with stragglers",
      Partitions,
      None,
      Sleeping.stragglers,
      drawn = true,
      anyWidth = true
    ),
    Workload(
      "barriers",
      "Chain of 12 stages with stragglers",
      Partitions,
      None,
      Sleeping.barriers,
      drawn = true,
      anyWidth = true
    ),
    Workload("marathon", "Chains with stragglers, 330 s", Partitions, None, Sleeping.marathon, drawn = true),
    Workload(
      "occasional",
      "Three chains in half an hour",
      Partitions,
      None,
      Sleeping.occasional,
      limitS = 2400,
      drawn = true
    ),
    Workload("aqe", "AQE query", Partitions, None, AdaptiveQuery.run),
    Workload(Dashboards.Name, "Dashboards", parallelism = 1, None, Dashboards.run, drawn = true, anyWidth = true),
    bounded("deadlines", "Jobs with deadlines", Inputs.Records, Bounded.deadlines),
    bounded("errors", "Jobs with errors", Inputs.Records, Bounded.errors),
    bounded("exact", "Exact jobs of two stages", Inputs.Records, Bounded.exact),
    bounded("deadlines-sized", "Jobs with deadlines, inputs of many sizes", Inputs.Sized, Bounded.deadlines),
    bounded("errors-sized", "Jobs with errors, inputs of many sizes", Inputs.Sized, Bounded.errors),
    bounded("exact-sized", "Exact jobs of two stages, inputs of many sizes", Inputs.Sized, Bounded.exact)
  )

  private def of(name: String) = Some(Input(name, Partitions))

  private def bounded(name: String, title: String, input: String, run: (Context, String) => Unit) =
    Workload(name, title, Partitions, of(input), run(_, input), drawn = true)

  def named(name: String): Workload = all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(s"workload '$name' is unknown; use one of ${all.map(_.name).mkString(", ")}")
    )
}
