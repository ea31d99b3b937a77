package io.holdfast.integration.report

import scala.collection.mutable

import io.holdfast.integration.measure.{Answers, Latencies, Result, Spread, TaskRun, Timeline}
import io.holdfast.integration.programs.Foregrounds

/** All rounds of an experiment, and what can be computed of one of them. Pure but for reading timelines. */
final class Measures(val results: Seq[Result], timelineOf: Result => Timeline) {
  import Measures._

  private val values = mutable.Map[(String, String), Option[Double]]()
  private var last = Option.empty[(String, Timeline)]

  /** Timelines are large: the last one is kept. */
  def timeline(result: Result): Timeline =
    last.collect { case (file, timeline) if file == result.timeline => timeline }.getOrElse {
      val timeline = timelineOf(result)
      last = Some(result.timeline -> timeline)
      timeline
    }

  private val seen = mutable.Map[String, Latencies]()

  /** What users saw in a round. */
  def latencies(result: Result): Latencies =
    seen.getOrElseUpdate(result.timeline, Latencies.of(timeline(result)))

  def foregrounds: Seq[String] = results.map(_.workload).distinct
  def backgrounds: Seq[String] = results.flatMap(_.variant).distinct
  def backgroundsOf(foreground: String): Seq[String] =
    results.filter(_.workload == foreground).flatMap(_.variant).distinct

  /** Rounds of a foreground under a setting. */
  def of(foreground: String, setting: String, background: Option[String]): Seq[Result] =
    results.filter(r => r.workload == foreground && r.setting == setting && background.forall(r.variant.contains(_)))

  /** The measure over all of those rounds in which it has a value.
    *
    * @param name one of [[Measures.names]]
    */
  def spread(name: String, foreground: String, setting: String, background: Option[String]): Option[Spread] = {
    val values = of(foreground, setting, background).flatMap(value(name, _))
    if (values.isEmpty) None else Some(Spread(values))
  }

  private def value(name: String, r: Result): Option[Double] =
    values.getOrElseUpdate(name -> r.timeline, all(name).of(this, r))

  /** What the foreground takes alone: the median, for rounds alone are no nearer to one round than to another, unless its
    * tasks' times are drawn; then of those that drew the same.
    */
  private def alone(r: Result): Option[Double] = {
    val rounds = of(r.workload, Result.Alone, None)
    val times = (if (Foregrounds.isDrawn(r.workload)) rounds.filter(_.seed == r.seed) else rounds).map(_.jctS)
    if (times.isEmpty) None else Some(Spread(times).median)
  }

  /** The round alone of the same repeat. */
  private[report] def aloneLike(r: Result): Option[Result] =
    of(r.workload, Result.Alone, None).find(_.repeat == r.repeat).filter(_ => r.setting != Result.Alone)

  /** The same round under another setting. */
  private[report] def twin(r: Result, setting: String): Option[Result] =
    of(r.workload, setting, r.variant).find(_.repeat == r.repeat)
}

object Measures {
  val Slowdown = "slowdown"
  val Paired = "paired_slowdown"
  val Bound = "bound"
  val DriverCpu = "driver_cpu"
  val Gain = "utilization_gain"
  val BackgroundSlowdown = "background_slowdown"
  val Idle = "idle_slot_s"
  val IdleWaited = "held_idle_percent"
  val Failed = "failed"
  val Met = "met"
  val ByDeadline = "done_by_deadline"
  val DeadlineGain = "done_by_deadline_ratio"
  val ToBound = "to_bound_s"
  val ToBoundRatio = "to_bound_ratio"
  val Copies = "copies"
  val CopiesWon = "copies_won"
  val Wasted = "wasted_slot_s"

  /** The setting that stands for stock Spark, and the one with an isolation of 1, in the experiments' files. */
  private val Stock = "fair"
  private val Strictest = "p100"
  private val Speculation = "speculation"
  private val Ended = Set("Success", "TaskKilled")

  /** @param everyRound whether a claim has to hold in each round instead of for the median
    * @param against the setting that it is compared with
    */
  private[report] final case class Measure(
      title: String,
      of: (Measures, Result) => Option[Double],
      everyRound: Boolean = false,
      against: Option[String] = None
  )

  private val all: Map[String, Measure] = Map(
    Slowdown -> Measure(
      "job completion time / median alone",
      (m, r) => m.alone(r).map(r.jctS / _),
      against = Some(Result.Alone)
    ),
    Paired -> Measure(
      "job completion time / alone",
      (m, r) => m.aloneLike(r).map(r.jctS / _.jctS),
      against = Some(Result.Alone)
    ),
    Bound -> Measure("job completion time / its bound", (_, r) => Some(r.jctS / r.boundS)),
    "stolen" -> Measure("slots stolen", (_, r) => Some(r.stolen.toDouble), everyRound = true),
    "barrier_ms" -> Measure(
      "longest time from a barrier to full width, ms",
      (m, r) => refills(m.timeline(r)).maxOption.map(_.toDouble)
    ),
    "share" -> Measure("mean share of the slots while the foreground ran", (m, r) => Some(share(m.timeline(r)))),
    Failed -> Measure("attempts of tasks that failed, of both sides", (m, r) => Some(failed(m.timeline(r)).toDouble)),
    Met -> Measure(
      "jobs of the background that came before the foreground's end",
      (m, r) => r.variant.map(_ => met(m.timeline(r)).toDouble)
    ),
    "farthest" -> Measure(
      "the slowest task away from its input / the median of its stage's local tasks",
      (m, r) => new Locality(m).farthest(r)
    ),
    Idle -> Measure("slot-time held idle, slot-seconds", (_, r) => r.holdfast.map(_ => r.idleSlotS)),
    IdleWaited -> Measure(
      "held idle while background waited / background, slot-seconds, %",
      (m, r) => r.idleWaitedSlotS.map(100 * _ / math.max(1e-9, hourSlotS(m, r)))
    ),
    DriverCpu -> Measure(
      "the driver's processor time / stock's",
      (m, r) => m.twin(r, Stock).map(r.cpu.driverS / _.cpu.driverS),
      against = Some(Stock)
    ),
    BackgroundSlowdown -> Measure(
      "mean time of the background's jobs / stock's",
      (m, r) => m.twin(r, Stock).map(o => backgroundS(m.timeline(o))).filter(_ > 0).map(backgroundS(m.timeline(r)) / _),
      against = Some(Stock)
    ),
    Gain -> Measure(
      "less slot-time held idle than with P = 1, as a share",
      (m, r) => m.twin(r, Strictest).filter(_.idleSlotS > 0).map(1 - r.idleSlotS / _.idleSlotS),
      against = Some(Strictest)
    )
  ) ++ bounded ++ UserMeasures.all

  /** Of jobs with bounds, see [[Answers]]. */
  private def bounded: Map[String, Measure] = {
    def answers(m: Measures, r: Result) = Answers.of(m.timeline(r))
    def done(m: Measures, r: Result) = answers(m, r).doneByDeadline
    def toBound(m: Measures, r: Result) = answers(m, r).toBoundMs
    def against(value: (Measures, Result) => Option[Double])(m: Measures, r: Result) = for {
      own <- value(m, r)
      other <- m.twin(r, Speculation).flatMap(value(m, _)) if other > 0
    } yield own / other
    Map(
      ByDeadline -> Measure("tasks done by the deadline, %", (m, r) => done(m, r).map(100 * _)),
      DeadlineGain -> Measure(
        "tasks done by the deadline / stock's with speculation",
        against(done)(_, _),
        against = Some(Speculation)
      ),
      ToBound -> Measure("mean time until the bound is met, s", (m, r) => toBound(m, r).map(_ / 1e3)),
      ToBoundRatio -> Measure(
        "mean time until the bound is met / stock's with speculation",
        against(toBound)(_, _),
        against = Some(Speculation)
      ),
      Copies -> Measure("copies", (m, r) => Some(answers(m, r).copies.toDouble)),
      CopiesWon -> Measure("copies won", (m, r) => Some(answers(m, r).won.toDouble)),
      Wasted -> Measure(
        "slot-time for nothing because of copies, slot-seconds",
        (m, r) => Some(answers(m, r).wastedMs / 1e3)
      )
    )
  }

  def names: Iterable[String] = all.keys

  /** What a measure is, in words. */
  def title(name: String): String = all(name).title

  /** Whether a claim about it has to hold in each round, instead of for the median of the rounds. */
  def everyRound(name: String): Boolean = all(name).everyRound

  /** The setting whose rounds it needs, too. */
  def against(name: String): Option[String] = all(name).against

  /** For each barrier after the first wide stage, that is each stage that comes when nothing else of the foreground runs: from its
    * submission until as many tasks run as it can have at once, in ms. Stages that run side by side want more slots than the
    * foreground has had, and wait for each other.
    */
  def refills(timeline: Timeline): Seq[Long] = {
    val later = timeline.foregroundStages.dropWhile(s => !timeline.firstStage.contains(s)).drop(1)
    later.filter(s => timeline.tasksOf(s).nonEmpty && timeline.isAfterBarrier(s)).map { stage =>
      val width = math.min(stage.tasks, math.min(timeline.parallelism, timeline.totalSlots))
      widthAt(timeline.tasksOf(stage), width) - stage.submitted
    }
  }

  private def widthAt(tasks: Seq[TaskRun], width: Int): Long = tasks.map(_.launch).sorted.take(width).last

  /** The slots that ran the foreground, from its first launch to its end, on average and as a share of all. */
  def share(timeline: Timeline): Double = {
    val own = timeline.repaired.filter(_.foreground)
    val from = own.map(_.launch).minOption.getOrElse(0L)
    own.map(t => t.finish - t.launch).sum.toDouble / math.max(1L, (timeline.ended - from) * timeline.totalSlots)
  }

  /** From submission to end, the mean of the background's stages that ended; its jobs have one each. */
  def backgroundS(timeline: Timeline): Double = {
    val ended = timeline.stages.filter(s => !s.foreground && s.completed < Long.MaxValue / 2)
    ended.map(s => s.completed - s.submitted).sum / 1e3 / math.max(1, ended.size)
  }

  /** Attempts of either side that neither succeeded nor were cancelled with their job. */
  def failed(timeline: Timeline): Int = timeline.tasks.count(t => !Ended.contains(t.outcome))

  /** Stages of the background that were submitted before the foreground's end. */
  def met(timeline: Timeline): Int = timeline.stages.count(s => !s.foreground && s.submitted < timeline.ended)

  /** Slot-seconds of all background tasks, those after the foreground's end too, also where they were not run. */
  private def hourSlotS(m: Measures, r: Result): Double = r.hourSlotS.getOrElse(backgroundSlotS(m.timeline(r)))

  /** Slot-seconds of all background tasks that were run, those after the foreground's end too. */
  def backgroundSlotS(timeline: Timeline): Double =
    timeline.repaired.filter(!_.foreground).map(t => t.finish - t.launch).sum / 1e3
}
