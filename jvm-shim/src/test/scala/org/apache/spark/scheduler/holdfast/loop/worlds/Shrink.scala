package org.apache.spark.scheduler.holdfast.loop

import scala.annotation.tailrec

/** Makes a world smaller while it still fails, in whatever way. */
private[loop] object Shrink {

  @tailrec def apply(world: World, fails: World => Boolean, runs: Int = 300): World = {
    val smaller =
      candidates(world).filter(_.fits).take(runs).zipWithIndex.find { case (candidate, _) => fails(candidate) }
    smaller match {
      case Some((candidate, tried)) if runs > tried => apply(candidate, fails, runs - tried - 1)
      case _ => world
    }
  }

  /** The boldest first. */
  private def candidates(world: World): Iterator[World] =
    without(world.workflows).map(some => world.copy(workflows = some)).filter(_.changes.isEmpty) ++
      without(world.losses, least = 0).map(some => world.copy(losses = some)) ++
      without(world.changes, least = 0).map(some => world.copy(changes = some)) ++
      plainer(world).filter(_ != world) ++
      each(world.workflows)(lonelier).map(some => world.copy(workflows = some)) ++
      without(world.pools, least = 0).map(some => world.copy(pools = some)) ++
      without(world.executors).map(some => world.copy(executors = some)).filter(_.losses.isEmpty) ++
      without(world.holdfast.toSeq, least = 0).map(some => world.copy(holdfast = some.toMap)) ++
      without(world.spark.toSeq, least = 0).map(some => world.copy(spark = some.toMap)).filter(_ => !world.excludes) ++
      each(world.workflows)(shorter).map(some => world.copy(workflows = some))

  private def plainer(world: World): Iterator[World] = Iterator(
    world.withoutExclusion,
    world.copy(faults = Faults()),
    world.copy(lag = 0, tickLag = 0, shuffled = false),
    world.copy(costs = Costs(result = 0, kill = 0)),
    world.copy(executors = world.executors.map(_.copy(slowness = 1)))
  )

  private def lonelier(workflow: WorkflowSpec): Iterator[WorkflowSpec] =
    without(workflow.beside, least = 0).map(some => workflow.copy(beside = some)) ++
      Iterator(workflow.copy(parallelism = None)).filter(_ != workflow)

  private def shorter(workflow: WorkflowSpec): Iterator[WorkflowSpec] =
    without(workflow.jobs).map(some => workflow.copy(jobs = some, gaps = workflow.gaps.drop(1))) ++
      each(workflow.jobs)(fewer).map(some => workflow.copy(jobs = some))

  private def fewer(job: JobSpec): Iterator[JobSpec] =
    without(job.stages).map(some => job.copy(stages = some)) ++
      each(job.stages)(narrower).map(some => job.copy(stages = some))

  private def narrower(stage: StageSpec): Iterator[StageSpec] =
    Iterator(stage.tasks / 2, stage.tasks - 1).filter(n => n > 0 && n < stage.tasks).map(n => stage.copy(tasks = n)) ++
      Iterator(
        stage.copy(preference = Preference.Anywhere, fillsCache = false, barrier = false),
        stage.copy(cpus = None)
      ).filter(_ != stage)

  /** All that lack one element, as long as so many are left. */
  private def without[T](all: Seq[T], least: Int = 1): Iterator[Seq[T]] =
    if (all.size <= least) Iterator.empty else all.indices.iterator.map(i => all.patch(i, Nil, 1))

  /** All that have something smaller in one place. */
  private def each[T](all: Seq[T])(smaller: T => Iterator[T]): Iterator[Seq[T]] =
    all.indices.iterator.flatMap(i => smaller(all(i)).map(all.updated(i, _)))
}
