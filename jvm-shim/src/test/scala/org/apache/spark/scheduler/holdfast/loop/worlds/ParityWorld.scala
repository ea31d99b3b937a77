package org.apache.spark.scheduler.holdfast.loop

/** Where the tasks of a world's stages would like to run: one of these for each stage. */
private[loop] case class Shape(name: String, preferences: Preference.Value*)

/** Worlds of what the simulator claims to do as Spark does it: crowded, and with tasks that take as long as locality is
  * waited for.
  */
private[loop] object ParityWorld {
  import Preference._

  val Shapes: Seq[Shape] = Seq(
    Shape("tasks without a preference", Anywhere),
    Shape("tasks that prefer executors", OnExecutors, OnExecutors, Before),
    Shape("tasks that prefer hosts", OnHosts),
    Shape("stages of all kinds", Anywhere, OnExecutors, OnHosts, Before)
  )

  def apply(seed: Long, shape: Shape): World = new ParityWorld(seed, shape).world
}

private class ParityWorld(seed: Long, shape: Shape) extends Dice(seed) with RandomConfiguration {
  private val near = shape.preferences != Seq(Preference.Anywhere)

  /** Without the backend's timer nobody would look for tasks that wait for locality. */
  private val local = !near && chance(0.2)

  private val executors: Seq[ExecutorSpec] = Seq.fill(between(if (near) 2 else 1, 8)) {
    ExecutorSpec(between(0, 4), between(1, 4), slowness = from(1, 1, 1, 2))
  }
  private val slots = executors.map(_.cores).sum
  private val isFair = chance(0.6)
  private val pools: Seq[PoolSpec] =
    if (!isFair) Nil
    else {
      val described = from(Seq("a", "b", "c"), Seq("a", "b", "default"), Seq("a"), Nil)
      described.map(name => PoolSpec(name, chance(0.5), between(1, 3), from(0, 0, 1, 4)))
    }

  def world: World = World(
    seed,
    executors,
    Seq.tabulate(between(2, 6))(workflow),
    spark = Map(World.Mode -> (if (isFair) "FAIR" else "FIFO"), "spark.locality.wait" -> "3s"),
    holdfast = holdfast,
    pools = pools,
    costs = Costs(from(0L, 0L, 10L), from(1, 1, 2), from(1, 2, 5), from(0, 10), from(0, 20)),
    revives = !local,
    shuffled = chance(0.8),
    lag = from(0L, 1L, 5L),
    tickLag = from(0L, 0L, 3L, 50L)
  )

  private def workflow(index: Int): WorkflowSpec = {
    val naming = from(InGroup(s"group-$index"), InScope(s"scope-$index"), Nameless)
    val jobs = Seq.fill(between(1, 3))(job)
    val gaps = Seq.fill(jobs.size - 1)(spread(1, 4000).toLong)
    val pool = from(None, Some("a"), Some("b"), Some("undescribed"))
    WorkflowSpec(from(0, 0, 1, 5, 5, 10), naming, spread(1, 5000).toLong, jobs, gaps, pool)
  }

  private def job: JobSpec = {
    val stages = Seq.fill(between(1, 3))(stage)
    JobSpec(stages.init :+ stages.last.copy(shuffles = chance(0.15)))
  }

  private def stage: StageSpec = StageSpec(
    spread(1, math.min(3.0 * slots, 40) + 0.99).toInt,
    from(
      Uniform(1, 5),
      Uniform(20, spread(20, 1500).toLong),
      Uniform(500, 8000),
      Pareto(spread(20, 1000).toLong, alpha = 1.5, most = 30000)
    ),
    preference = from(shape.preferences: _*),
    fillsCache = chance(0.2)
  )
}
