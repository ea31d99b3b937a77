package org.apache.spark.scheduler.holdfast.loop

import scala.jdk.CollectionConverters._

import _root_.io.holdfast.config.EngineConfig
import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.network.util.JavaUtils

/** Worlds in the words of the simulator (`rust/sim/src/world/spec.rs`). */
private[loop] object SimWorld {
  private type Json = Map[String, Any]
  private val mapper = new ObjectMapper()

  /** @param holdfast
    *   the configuration of Holdfast; none for Spark alone
    */
  def json(world: World, holdfast: Option[Map[String, String]]): String = {
    val pools = poolsOf(world)
    val isolation = holdfast.getOrElse(Map.empty).getOrElse("spark.holdfast.isolation", "1").toDouble
    val ppm = math.round(isolation * Million)
    val fields: Json = Map(
      "seed" -> world.seed,
      "cluster" -> world.executors.map(executor),
      "pools" -> pools.map(pool),
      "workflows" -> world.workflows.map(w => workflow(w, pools.map(_.name)) + ("isolation_ppm" -> ppm)),
      "losses" -> world.losses.map(loss),
      "changes" -> world.changes.filter(change => world.workflows(change.workflow).naming.key.nonEmpty).map(change),
      "faults" -> Map(
        "failing" -> world.faults.failing,
        "fetch_failing" -> world.faults.fetchFailing,
        "stubborn" -> world.faults.stubborn
      ),
      "spark" -> spark(world)
    )
    val all: Json = fields ++ holdfast.map(conf => "engine" -> EngineConfig.of(conf))
    mapper.writerWithDefaultPrettyPrinter.writeValueAsString(plain(all))
  }

  private val Million = 1e6

  /** Those that are described, and those that only workflows name. */
  private def poolsOf(world: World): Seq[PoolSpec] = {
    val named = world.workflows.sortBy(_.arrival).flatMap(w => poolOf(w)).distinct
    // Spark's own one comes before those that only workflows name. Where none is described it shares fairly.
    val own = PoolSpec("default", fair = world.pools.isEmpty)
    val known = if (named.isEmpty || world.pools.exists(_.name == own.name)) world.pools else world.pools :+ own
    known ++ named.filterNot(name => known.exists(_.name == name)).map(PoolSpec(_))
  }

  private def poolOf(workflow: WorkflowSpec): Option[String] =
    Option(workflow.properties(holdfast = false).getProperty(WorkflowSpec.Pool))

  private def executor(spec: ExecutorSpec): Json = Map(
    "nodes" -> 1,
    "executors_per_node" -> 1,
    "capacity" -> Seq(spec.cores * 1000, 0, 0, 0),
    "speed" -> 1.0 / spec.slowness,
    "first_host" -> spec.host
  )

  private def pool(spec: PoolSpec): Json =
    Map("name" -> spec.name, "fair" -> spec.fair, "weight" -> spec.weight, "min_share" -> spec.minShare)

  private def workflow(spec: WorkflowSpec, pools: Seq[String]): Json = {
    val fields: Json = Map(
      "priority" -> spec.priority,
      "named" -> spec.naming.identity.nonEmpty,
      "arrival_ms" -> spec.arrival,
      "jobs" -> spec.jobs.zip(0L +: spec.gaps).map { case (j, gap) => job(j, gap) }
    )
    fields ++ poolOf(spec).map(name => "pool" -> pools.indexOf(name))
  }

  private def job(spec: JobSpec, gap: Long): Json = {
    val fields: Json =
      Map("gap_ms" -> gap, "stages" -> spec.stages.map(stage), "ends_in_shuffle" -> spec.endsInShuffle)
    fields ++ spec.cancelAfter.map("cancel_after_ms" -> _) ++ spec.bound.map("bound" -> bound(_))
  }

  private def bound(spec: BoundSpec): Json = spec match {
    case ByDeadline(millis) => Map("deadline_ms" -> millis)
    case WithError(ppm) => Map("error_ppm" -> ppm)
  }

  private def stage(spec: StageSpec): Json = Map(
    "tasks" -> spec.tasks,
    "durations" -> durations(spec.durations),
    "preference" -> preference(spec.preference),
    "fills_cache" -> spec.fillsCache,
    "barrier" -> spec.barrier
  )

  private def durations(spec: Durations): Json = spec match {
    case Uniform(least, most) => Map("kind" -> "uniform", "least" -> least, "most" -> most)
    case Pareto(least, alpha, most) => Map("kind" -> "pareto", "least" -> least, "alpha" -> alpha, "most" -> most)
  }

  private def preference(value: Preference.Value): String = value match {
    case Preference.OnHosts => "hosts"
    case Preference.OnExecutors => "executors"
    case Preference.Before => "before"
    case _ => "anywhere"
  }

  private def loss(spec: Loss): Json = {
    val fields: Json =
      Map("at_ms" -> spec.at, "executor" -> spec.executor, "replaced_after_ms" -> spec.replacedAfter)
    fields ++ spec.announced.map("announced_ms" -> _)
  }

  private def change(spec: Change): Json =
    Map("at_ms" -> spec.at, "workflow" -> spec.workflow, "priority" -> spec.priority)

  private def spark(world: World): Json = Map(
    "fair" -> world.isFair,
    "locality_wait_ms" -> world.spark.get("spark.locality.wait").fold(3000L)(JavaUtils.timeStringAsMs),
    "revive_ms" -> (if (world.revives) Cluster.ReviveMillis else 0L),
    "launch_ms" -> world.costs.launch,
    "remote_penalty" -> world.costs.remote,
    "node_penalty" -> world.costs.onHost,
    "shuffled" -> world.shuffled,
    "lag_ms" -> world.lag,
    "result_ms" -> world.costs.result,
    "kill_ms" -> world.costs.kill,
    "tick_lag_ms" -> world.tickLag
  )

  /** What Jackson understands. */
  private def plain(value: Any): Any = value match {
    case fields: Map[_, _] => fields.map { case (name, field) => name -> plain(field) }.asJava
    case values: Seq[_] => values.map(plain).asJava
    case other => other
  }
}
