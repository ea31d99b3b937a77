package org.apache.spark.scheduler.holdfast.loop

/** A world with rules for stragglers, in which many jobs of one stage are bounded. Other dice than those of the plain world. */
private[loop] object BoundedWorld {
  private val Salt = 0x2545f4914f6cdd1dL

  def apply(plain: World): World = new BoundedWorld(plain).world
}

private class BoundedWorld(plain: World) extends Dice(plain.seed ^ BoundedWorld.Salt) {
  def world: World = plain.copy(
    workflows = plain.workflows.map(workflow),
    holdfast = plain.holdfast ++ Map(
      "stragglers" -> from("grass", "gs", "ras", "late", "mantri"),
      "grass.switch" -> from("learned", "waves"),
      "grass.explore" -> from("0.15", "0", "1"),
      "copies" -> from("all", "all", "shuffle", "off")
    ).map { case (key, value) => s"spark.holdfast.$key" -> value }
  )

  private def workflow(spec: WorkflowSpec): WorkflowSpec =
    spec.copy(jobs = spec.jobs.map(job), beside = spec.beside.map(beside => beside.copy(job = job(beside.job))))

  private def job(spec: JobSpec): JobSpec =
    if (chance(0.3) || spec.stages.head.barrier) spec
    else {
      val answers = spec.copy(stages = Seq(spec.stages.head.copy(shuffles = false)))
      val bound = if (chance(0.5)) ByDeadline(spread(20, 5000).toLong) else WithError(from(0, 100000, 500000))
      answers.copy(bound = Some(bound))
    }
}
