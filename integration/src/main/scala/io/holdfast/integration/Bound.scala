package io.holdfast.integration

/** The job completion time that list scheduling reaches with a run's own task durations, stage order and driver gaps when each
  * slot is the foreground's from the moment its background task, running when the foreground arrived, ended. Pure; ms.
  *
  * No scheduler that kills nothing can give the foreground more slots than that, so a run is judged by its distance from it.
  */
object Bound {

  /** A stage as the schedule needs it: it may start `gap` after the last of `after` has ended. */
  private final case class Step(stage: StageRun, after: Seq[StageRun], gap: Long)

  def of(timeline: Timeline): Long = {
    val steps = plan(timeline)
    val freeAt = slotsFreeAt(timeline).toArray
    val ends = steps.foldLeft(Map.empty[(Int, Int), Long]) { (ended, step) =>
      val ready = step.after.map(s => ended((s.id, s.attempt))).maxOption.getOrElse(0L) + step.gap
      ended + ((step.stage.id, step.stage.attempt) -> runStage(timeline.tasksOf(step.stage), ready, freeAt))
    }
    val lastEnd = steps.map(s => endOf(timeline, s.stage)).maxOption.getOrElse(0L)
    ends.values.maxOption.getOrElse(0L) + timeline.ended - lastEnd
  }

  /** When each slot becomes the foreground's. */
  private def slotsFreeAt(timeline: Timeline): Seq[Long] = {
    val taken = Counters.runningOnArrival(timeline).groupBy(_.executor)
    timeline.slots.toSeq.flatMap { case (executor, slots) =>
      taken.getOrElse(executor, Nil).map(_.finish).padTo(slots, 0L).take(slots)
    }
  }

  /** The driver submits a stage some time after everything that had ended by then; what still ran did not hold it up. */
  private def plan(timeline: Timeline): Seq[Step] = {
    val run = timeline.foregroundStages.filter(s => timeline.tasksOf(s).nonEmpty)
    run.zipWithIndex.map { case (stage, i) =>
      val after = run.take(i).filter(s => s.completed <= stage.submitted)
      val last = after.map(endOf(timeline, _)).maxOption.getOrElse(0L)
      Step(stage, after, math.max(0L, stage.submitted - last))
    }
  }

  private def endOf(timeline: Timeline, stage: StageRun): Long = timeline.tasksOf(stage).map(_.finish).max

  /** Gives each task, in the order in which the run launched them, the slot that is free first; answers the last end. */
  private def runStage(tasks: Seq[TaskRun], ready: Long, freeAt: Array[Long]): Long =
    tasks.map { task =>
      val slot = freeAt.indices.minBy(freeAt(_))
      freeAt(slot) = math.max(ready, freeAt(slot)) + task.finish - task.launch
      freeAt(slot)
    }.max
}
