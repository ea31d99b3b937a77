package io.holdfast.integration.measure

/** What list scheduling makes of a run's own task durations, stage order and driver gaps when each slot is the foreground's from
  * the moment its background task, running when the foreground arrived, ended. Pure; ms.
  *
  * No scheduler that kills nothing can give the foreground more slots than that, so a run is judged by its distance from it.
  *
  * @param end the job completion time
  * @param late launches that are late in the sense of [[Counters]] all the same: their slots still ran what nobody kills
  */
final case class Bound(end: Long, late: Int)

object Bound {

  /** A stage as the schedule needs it: it may start `gap` after the last of `after` has ended. */
  private final case class Step(stage: StageRun, after: Seq[StageRun], gap: Long)

  /** When a stage could start, and when each of its tasks did start and end. */
  private final case class Placed(ready: Long, runs: Seq[(Long, Long)]) {
    def end: Long = runs.map(_._2).max
  }

  def of(timeline: Timeline): Bound = {
    val steps = plan(timeline)
    val freeAt = slotsFreeAt(timeline).toArray
    val placed = steps.foldLeft(Map.empty[(Int, Int), Placed]) { (before, step) =>
      val ready = step.after.map(s => before((s.id, s.attempt)).end).maxOption.getOrElse(0L) + step.gap
      before + (key(step.stage) -> Placed(ready, runStage(timeline.tasksOf(step.stage), ready, freeAt)))
    }
    val lastEnd = steps.map(s => endOf(timeline, s.stage)).maxOption.getOrElse(0L)
    Bound(placed.values.map(_.end).maxOption.getOrElse(0L) + timeline.ended - lastEnd, late(timeline, placed))
  }

  private def late(timeline: Timeline, placed: Map[(Int, Int), Placed]): Int = {
    val taken = Counters.runningOnArrival(timeline).map(_.finish).maxOption.getOrElse(0L)
    Counters
      .laterStages(timeline)
      .flatMap(s => placed.get(key(s)))
      .map { stage =>
        stage.runs.count { case (start, _) => start - stage.ready > Counters.LateMs && taken > stage.ready }
      }
      .sum
  }

  private def key(stage: StageRun): (Int, Int) = (stage.id, stage.attempt)

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

  /** Gives each task, in the order in which the run launched them, the slot that is free first; answers starts and ends. */
  private def runStage(tasks: Seq[TaskRun], ready: Long, freeAt: Array[Long]): Seq[(Long, Long)] =
    tasks.map { task =>
      val slot = freeAt.indices.minBy(freeAt(_))
      val start = math.max(ready, freeAt(slot))
      freeAt(slot) = start + task.finish - task.launch
      (start, freeAt(slot))
    }
}
