package io.holdfast.integration.evaluation

import java.nio.file.Path

import io.holdfast.integration.{Json, Workload}

/** Programs that an experiment's file may name: workloads as they are, and replicas of them as `replica:NAME*TIMES`, their tasks so
  * many times as long as recorded.
  */
object Foregrounds {
  private val Replicated = "replica:([a-z0-9]+)(?:\\*([0-9.]+))?".r

  /** @throws java.lang.IllegalArgumentException if there is none of that name
    */
  def named(name: String, replicas: Path): Workload = name match {
    case Replicated(program, times) =>
      val replica = Json.load[Replica](replicas.resolve(s"$program.json"))
      val scaled = Option(times).fold(replica)(t => replica.scaled(t.toDouble))
      val widest = scaled.jobs.flatMap(_.stages).map(_.tasksMs.size).max
      Workload(
        name,
        s"${replica.name}, replica",
        widest,
        None,
        context => (if (context.warmUp) scaled.scaled(WarmUp) else scaled).run(context.spark.sparkContext)
      )
    case _ => Workload.named(name)
  }

  /** In a round that warms up tasks sleep a tenth of their time. */
  private val WarmUp = 0.1
}
