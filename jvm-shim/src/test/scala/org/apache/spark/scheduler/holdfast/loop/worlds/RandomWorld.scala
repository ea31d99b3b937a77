package org.apache.spark.scheduler.holdfast.loop

/** Worlds small enough for thousands a minute, and crowded enough that workflows get in each other's way. */
private[loop] object RandomWorld {

  def apply(seed: Long): World = new MoreMechanisms(plain(seed)).world

  /** What the simulator knows, too. */
  def plain(seed: Long): World = new RandomWorld(seed).world
}

private class RandomWorld(seed: Long) extends Dice(seed) with RandomConfiguration {

  /** Like the local backend: one executor, and offers only when something asks for them. */
  private val local = chance(0.25)

  private val executors: Seq[ExecutorSpec] =
    if (local) Seq(ExecutorSpec(host = 0, between(1, 6)))
    else Seq.fill(between(1, 6))(ExecutorSpec(between(0, 3), between(1, 4)))

  private val slots = executors.map(_.cores).sum

  def world: World = World(
    seed,
    executors,
    Seq.tabulate(between(2, 5))(workflow),
    spark = Map(World.Mode -> from("FIFO", "FAIR"), "spark.locality.wait" -> from("3s", "200ms", "0s")),
    holdfast = holdfast,
    losses = if (local || chance(0.6)) Nil else Seq.fill(between(1, 2))(loss),
    changes = if (chance(0.7)) Nil else Seq.fill(between(1, 3))(change),
    faults = if (chance(0.5)) Faults() else Faults(from(0.0, 0.05), from(0.0, 0.03), from(0.0, 0.3)),
    revives = !local,
    shuffled = chance(0.7),
    lag = from(0L, 1L, 5L),
    tickLag = from(0L, 0L, 3L, 50L)
  )

  private def loss: Loss = {
    val announced = if (chance(0.3)) Some(spread(50, 2000).toLong) else None
    Loss(spread(50, 6000).toLong, between(0, executors.size - 1), spread(10, 3000).toLong, announced)
  }

  private def change: Change = Change(spread(50, 6000).toLong, between(0, 1), from(0, 1, 5, 20))

  private def workflow(index: Int): WorkflowSpec = {
    val naming = from(InPool(s"pool-$index"), InGroup(s"group-$index"), InScope(s"scope-$index"), Nameless)
    val jobs = Seq.fill(between(1, 4))(job)
    val gaps = Seq.fill(jobs.size - 1)(if (chance(0.8)) spread(1, 200).toLong else spread(200, 6000).toLong)
    WorkflowSpec(from(0, 0, 1, 5, 5, 10), naming, spread(1, 3000).toLong, jobs, gaps)
  }

  private def job: JobSpec = {
    val stages = Seq.fill(between(1, 4))(stage)
    val last = stages.last.copy(shuffles = chance(0.15))
    JobSpec(stages.init :+ last, if (chance(0.05)) Some(spread(1, 2000).toLong) else None)
  }

  private def stage: StageSpec = {
    val any = anyStage
    // Of a barrier stage that is too wide, or that waits for locality, Spark itself never gets rid.
    if (any.tasks <= slots && chance(0.05)) any.copy(barrier = true, preference = Preference.Anywhere) else any
  }

  private def anyStage: StageSpec = StageSpec(
    spread(1, math.min(2.0 * slots, 24) + 0.99).toInt,
    from(
      Uniform(1, 5),
      Uniform(20, spread(20, 1500).toLong),
      Pareto(spread(20, 200).toLong, spread(1.3, 2.3), most = 15000)
    ),
    preference = if (local) Preference.Anywhere else Preference(between(0, Preference.maxId - 1)),
    fillsCache = chance(0.2)
  )
}

private[loop] trait RandomConfiguration { this: Dice =>

  /** Holdfast's. */
  protected def holdfast: Map[String, String] = Map(
    "hold.for" -> from("prioritised", "prioritised", "all"),
    "need" -> from("lookahead", "lookahead", "literal"),
    "isolation" -> from("1", "1", "0.9", "0.4", "0"),
    "copies" -> from("shuffle", "all", "off"),
    "grow" -> from("true", "true", "false"),
    "prereserve.fraction" -> from("0.5", "0", "1"),
    "spread" -> from("true", "false"),
    "hold.floor" -> from("250ms", "10ms"),
    "hold.max" -> from("60s", "60s", "800ms"),
    "linger.first" -> from("1s", "50ms"),
    "idle.budget" -> from("0.02", "0.5", "1")
  ).map { case (key, value) => s"spark.holdfast.$key" -> value }.filterNot { case (key, value) =>
    key.endsWith("idle.budget") && value == "1"
  }
}
