package org.apache.spark.scheduler.holdfast.loop

/** A world with more of what Spark and Holdfast can do, each in some of the worlds: threads of one workflow, tasks of several
  * cores, declared parallelism, Spark's own speculation, exclusion of executors.
  */
private class MoreMechanisms(plain: World) extends Dice(plain.seed ^ MoreMechanisms.Salt) {
  private val smallest = plain.executors.map(_.cores).min
  private val largest = plain.executors.map(_.cores).max

  /** A task that has failed in two places needs a third one. */
  private val excludes =
    chance(0.4) && plain.executors.size > 2 && plain.executors.map(_.host).distinct.size > 1

  // Where tasks may be excluded all executors have room for each, or Spark waits for ever for one that has not.
  private val most = math.min(Profiles.MostCpus, if (excludes) smallest else largest)
  private val taskCpus = if (chance(0.3)) between(1, most) else 1
  private val profiles = chance(0.3)

  def world: World = plain.copy(
    workflows = plain.workflows.map(workflow),
    spark = plain.spark ++ cores ++ (if (chance(0.3)) speculation else Nil) ++ (if (excludes) exclusion else Nil),
    faults = if (excludes) plain.faults.copy(failing = from(0.05, 0.3)) else plain.faults
  )

  private def cores: Option[(String, String)] =
    if (taskCpus > 1) Some(World.TaskCpus -> taskCpus.toString) else None

  private def speculation: Seq[(String, String)] = Seq(
    World.Speculation -> "true",
    "spark.speculation.quantile" -> from("0.25", "0.75"),
    "spark.speculation.multiplier" -> from("1.1", "2")
  )

  private def exclusion: Seq[(String, String)] =
    World.exclusion(timeout = from("300ms", "3s"), tasks = from(1, 2), executors = from(1, 2))

  private def workflow(spec: WorkflowSpec): WorkflowSpec = {
    val jobs = spec.jobs.map(job)
    val beside =
      if (chance(0.7)) Nil
      else Seq.fill(between(1, 2))(Beside(spread(1, 3000).toLong, from(jobs: _*).copy(cancelAfter = None)))
    spec.copy(jobs = jobs, beside = beside, parallelism = if (chance(0.8)) None else Some(from(1, 2, 5, 20)))
  }

  private def job(spec: JobSpec): JobSpec = spec.copy(stages = spec.stages.map(stage))

  private def stage(spec: StageSpec): StageSpec = {
    // Spark's own scheduler never begins a barrier stage whose tasks are smaller than spark.task.cpus (seen with 4.1).
    val own = profiles && chance(0.4) && !(spec.barrier && taskCpus > 1)
    val cpus = if (own) Some(between(1, most)) else None
    spec.copy(
      cpus = cpus,
      barrier = spec.barrier && spec.tasks <= plain.executors.map(_.cores / cpus.getOrElse(taskCpus)).sum
    )
  }
}

private object MoreMechanisms {
  // Other dice than those of the plain world.
  val Salt = 0x5deece66dL
}
