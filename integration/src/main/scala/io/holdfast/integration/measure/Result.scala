package io.holdfast.integration.measure

import com.fasterxml.jackson.databind.annotation.JsonDeserialize

/** What is measured once.
  *
  * @param variant of an experiment's file, the name of the background
  */
final case class Trial(
    workload: String,
    setting: String,
    order: Option[String],
    variant: Option[String],
    repeat: Int,
    seed: Long
)

/** See [[Counters]].
  *
  * @param meanwhile tasks launched while the foreground lived
  */
final case class BackgroundResult(tasks: Int, meanwhile: Int, slotS: Double, killed: Int)

/** Holds as Holdfast counts them; all 0 without it. */
final case class HoldsResult(made: Long, used: Long, expired: Long, overridden: Long, dropped: Long, left: Long)

/** Processor time that the processes used while the foreground lived, in seconds. */
final case class CpuResult(driverS: Double, executorsS: Double)

/** One object of `results.json`. Times in seconds.
  *
  * @param boundS see [[Bound]]
  * @param lateInBound late launches of the bound's own schedule
  * @param overtaken late launches beside background that came after the foreground, see [[Counters]]
  * @param idleWaitedSlotS the part of the held idle slot-time in which background tasks waited; sampled; none where it was not
  * @param hourSlotS what all jobs of a background take that has been run for a part of its hour only, in slot-seconds
  * @param waited late launches whatever the background did, see [[Counters]]
  * @param ownedAfter slots owned once the background's tasks that had run at arrival have ended
  * @param timeline file of the recorded timeline, relative to `results.json`
  * @param holdfast version and revision of the jar, of rounds of an experiment's file that ran with it
  */
final case class Result(
    workload: String,
    setting: String,
    order: Option[String],
    repeat: Int,
    seed: Long,
    spark: String,
    jctS: Double,
    firstWaitS: Double,
    tasks: Int,
    late: Int,
    stolen: Int,
    background: BackgroundResult,
    holds: HoldsResult,
    idleSlotS: Double,
    vetoes: Long,
    variant: Option[String],
    boundS: Double,
    lateInBound: Int,
    overtaken: Int,
    waited: Int,
    @JsonDeserialize(contentAs = classOf[java.lang.Integer]) ownedAfter: Option[Int],
    cpu: CpuResult,
    timeline: String,
    @JsonDeserialize(contentAs = classOf[java.lang.Double]) idleWaitedSlotS: Option[Double] = None,
    @JsonDeserialize(contentAs = classOf[java.lang.Double]) hourSlotS: Option[Double] = None,
    holdfast: Option[String] = None
)

object Result {
  val Alone = "alone"
  val Uncontended = "uncontended"
  val Stock = "stock"
  val Holdfast = "holdfast"
  val ForegroundFirst = "foreground-first"
  val BackgroundFirst = "background-first"

  /** Whether nothing else runs. */
  def aloneIn(setting: String): Boolean = setting == Alone || setting == Uncontended

  /** What the timeline of a trial says. */
  def measured(
      trial: Trial,
      spark: String,
      timeline: Timeline,
      cpu: CpuResult,
      status: HoldfastStatus,
      timelineFile: String
  ): Result = {
    val counters = Counters.of(timeline)
    val bound = Bound.of(timeline)
    Result(
      trial.workload,
      trial.setting,
      trial.order,
      trial.repeat,
      trial.seed,
      spark,
      jctS = timeline.ended / 1e3,
      firstWaitS = counters.firstWait / 1e3,
      tasks = counters.tasks,
      late = counters.late,
      stolen = counters.stolen,
      background = background(counters),
      holds = status.holds,
      idleSlotS = status.idleSlotS,
      vetoes = status.vetoes,
      variant = trial.variant,
      boundS = bound.end / 1e3,
      lateInBound = bound.late,
      overtaken = counters.overtaken,
      waited = counters.waited,
      ownedAfter = ownedAfter(trial.order, timeline, counters),
      cpu = cpu,
      timeline = timelineFile
    )
  }

  private def background(counters: Counters) = BackgroundResult(
    counters.backgroundTasks,
    counters.backgroundMeanwhile,
    counters.backgroundSlotMs / 1e3,
    counters.killed
  )

  /** A background that never got a slot left the foreground all of them. */
  private def ownedAfter(order: Option[String], timeline: Timeline, counters: Counters): Option[Int] =
    if (order.nonEmpty && counters.backgroundTasks == 0) Some(timeline.totalSlots) else counters.ownedAfter
}
