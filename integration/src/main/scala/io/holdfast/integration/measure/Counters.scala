package io.holdfast.integration.measure

/** What the foreground lost, counted from a recorded timeline. Pure; all times in ms.
  *
  * @param firstWait from submission to the last launch of the first stage
  * @param tasks foreground tasks, copies and retries of one stage attempt counted once
  * @param late foreground tasks, after the first stage, launched more than [[Counters.LateMs]] after their stage could be
  *   launched while the background ran on a slot that they could have used
  * @param overtaken late tasks beside background that was launched after the foreground had arrived; the others waited only for
  *   background that ran on arrival, which nobody who kills nothing can shorten
  * @param waited late without asking what the background did: a program with sibling stages waits for itself, too
  * @param stolen background tasks launched into an owned slot that still ran when a later foreground stage had a task waiting,
  *   for longer than the driver takes to launch it ([[Counters.LateMs]])
  * @param ownedAfter the fewest slots that did not run background between the end of the last background task that had run
  *   when the foreground arrived (foreground first: the first stage's full width) and the foreground's end
  * @param backgroundTasks background tasks launched before the foreground's end
  * @param backgroundMeanwhile those of them launched since it arrived
  * @param backgroundSlotMs the slot-time of all of them, those that ran on counted to their own end
  * @param killed background tasks that did not end by themselves
  */
final case class Counters(
    firstWait: Long,
    tasks: Int,
    late: Int,
    overtaken: Int,
    waited: Int,
    stolen: Int,
    ownedAfter: Option[Int],
    backgroundTasks: Int,
    backgroundMeanwhile: Int,
    backgroundSlotMs: Long,
    killed: Int
)

object Counters {

  /** A launch within this time of its tasks' arrival in the scheduler is not late: delays of the driver stay well below. */
  val LateMs = 250L

  def of(timeline: Timeline): Counters = Counters(
    firstWait = fullWidthAt(timeline),
    tasks = timeline.firstAttempts.values.map(_.size).sum,
    late = waiting(timeline).count(overlaps(timeline.background, _)),
    overtaken = waiting(timeline).count(overlaps(timeline.background.filter(_.launch > 0), _)),
    waited = waiting(timeline).size,
    stolen = stolen(timeline).size,
    ownedAfter = ownedAfter(timeline),
    backgroundTasks = timeline.background.size,
    backgroundMeanwhile = timeline.background.count(_.launch > 0),
    backgroundSlotMs = timeline.background.map(t => t.finish - t.launch).sum,
    killed = timeline.tasks.count(t => !t.foreground && t.outcome != "Success")
  )

  /** When the last task of the first stage was launched. */
  def fullWidthAt(timeline: Timeline): Long =
    timeline.firstStage.toSeq.flatMap(timeline.tasksOf).map(_.launch).maxOption.getOrElse(0L)

  /** Slots per executor that the foreground runs on once its first stage runs at full width. When the slots came one by one, so
    * that early tasks had ended before the last was launched, each counts that the stage ran on.
    */
  def ownedSlots(timeline: Timeline): Map[String, Int] = {
    val first = timeline.firstStage.toSeq.flatMap(timeline.tasksOf)
    first.groupBy(_.executor).map { case (executor, runs) => executor -> runs.map(r => runningAt(runs, r.launch)).max }
  }

  def stolen(timeline: Timeline): Seq[TaskRun] = {
    val owned = ownedSlots(timeline)
    val from = fullWidthAt(timeline)
    val waits = waiting(timeline)
    timeline.background.filter { b =>
      def intoOwned = {
        val others = timeline.slots(b.executor) - owned.getOrElse(b.executor, 0)
        runningAt(timeline.background.filter(_.executor == b.executor), b.launch) > others
      }
      b.launch >= from && intoOwned && waits.exists(_.beside(b))
    }
  }

  def ownedAfter(timeline: Timeline): Option[Int] = {
    val atArrival = runningOnArrival(timeline)
    val from = if (atArrival.isEmpty) fullWidthAt(timeline) else atArrival.map(_.finish).max
    val moments = from +: timeline.background.map(_.launch).filter(_ > from)
    if (from >= timeline.ended || timeline.background.isEmpty) None
    else Some(timeline.totalSlots - moments.map(runningAt(timeline.background, _)).max)
  }

  /** Background tasks that ran when the foreground arrived. */
  def runningOnArrival(timeline: Timeline): Seq[TaskRun] =
    timeline.background.filter(t => t.launch <= 0 && t.finish > 0)

  def laterStages(timeline: Timeline): Seq[StageRun] =
    timeline.foregroundStages.dropWhile(s => !timeline.firstStage.contains(s)).drop(1)

  /** A task of a stage, from when it could be launched to its launch. A stage's submission comes before that: a busy driver may
    * take its time to serialize the tasks, and no slot could have made that shorter.
    */
  private[measure] final case class Wait(stage: StageRun, since: Long, until: Long) {
    def beside(run: TaskRun): Boolean = since < run.finish && until > run.launch
  }

  private[measure] def waiting(timeline: Timeline): Seq[Wait] =
    for {
      stage <- laterStages(timeline)
      task <- timeline.tasksOf(stage)
      since = stage.queued.getOrElse(stage.submitted)
      if task.launch - since > LateMs
    } yield Wait(stage, since, task.launch)

  private def overlaps(runs: Seq[TaskRun], wait: Wait): Boolean = runs.exists(wait.beside)

  private def runningAt(runs: Seq[TaskRun], moment: Long): Int =
    runs.count(r => r.launch <= moment && r.finish > moment)
}
