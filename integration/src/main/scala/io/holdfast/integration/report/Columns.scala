package io.holdfast.integration.report

import java.util.Locale

import io.holdfast.integration.measure.{Result, Spread}
import io.holdfast.integration.plan.Setting

/** All rounds of a foreground beside a background under a setting.
  *
  * @param background its name; none: alone
  * @param setting its name, as `chosen` says what it is
  */
final case class Group(
    foreground: String,
    background: Option[String],
    setting: String,
    chosen: Setting,
    results: Seq[Result],
    measures: Measures
) {
  def isContended: Boolean = !Result.aloneIn(setting)
  def holds: Boolean = chosen.holdfast

  def of(value: Result => Double): Spread = Spread(results.map(value))

  /** A measure over the rounds in which it has a value, see [[Measures]]. */
  def known(measure: String): Option[Spread] = measures.spread(measure, foreground, setting, background)

  /** A number of tasks as a share of all, in percent. */
  def percentOfTasks(tasks: Result => Int): Spread = of(r => 100.0 * tasks(r) / math.max(1, r.tasks))
}

object Group {

  /** In the order in which their first rounds come. */
  def all(measures: Measures, settings: String => Setting): Seq[Group] =
    measures.results.map(r => (r.workload, r.variant, r.setting)).distinct.map { case (foreground, beside, setting) =>
      val own = measures.results.filter(r => (r.workload, r.variant, r.setting) == (foreground, beside, setting))
      Group(foreground, beside, setting, settings(setting), own, measures)
    }
}

/** A column of a report's numbers. */
final case class Column(name: String, cell: Group => String)

object Columns {
  private val n = Column("n", _.results.size.toString)
  private val jct = each("JCT s", 1)(_.jctS)
  private val driverCpu = each("driver CPU s", 1)(_.cpu.driverS)
  private val stolen = each("stolen", 0)(_.stolen.toDouble)
  private val title = Column("setting", _.chosen.title)

  /** Of experiments whose settings have a Spark for all their rounds.
    *
    * @param titles of foregrounds
    */
  def ofShared(titles: String => String): Seq[Column] = Seq(
    Column("foreground", g => titles(g.foreground)),
    Column("beside", _.background.getOrElse("-")),
    title,
    n,
    measured("background jobs met", Measures.Met, 0),
    jct,
    measured("/ alone", Measures.Slowdown, 2),
    measured("/ bound", Measures.Bound, 2),
    stolen,
    Column("late %", _.percentOfTasks(_.late).shown(1)),
    each("held idle, slot-s", 1)(_.idleSlotS),
    some("background waited", 1)(_.idleWaitedSlotS),
    driverCpu,
    measured("failed tasks", Measures.Failed, 0)
  )

  /** The same of jobs with bounds. */
  def ofBounds(titles: String => String): Seq[Column] = ofShared(titles).take(4) ++ Seq(
    measured("done by the deadline %", Measures.ByDeadline, 1),
    measured("/ speculation", Measures.DeadlineGain, 2),
    measured("time to bound s", Measures.ToBound, 1),
    measured("/ speculation", Measures.ToBoundRatio, 2),
    measured("copies", Measures.Copies, 0),
    measured("copies won", Measures.CopiesWon, 0),
    measured("wasted slot-s", Measures.Wasted, 1),
    driverCpu,
    measured("failed tasks", Measures.Failed, 0)
  )

  /** The same of users who share an application. */
  def ofUsers(titles: String => String): Seq[Column] = ofShared(titles).take(4) ++ Seq(
    measured("p50 s", UserMeasures.P50, 2),
    measured("p95 s", UserMeasures.P95, 2),
    measured("p99 s", UserMeasures.P99, 2),
    measured("p50 / alone", UserMeasures.P50Ratio, 2),
    measured("p95 / alone", UserMeasures.P95Ratio, 2),
    measured("users' p95, largest / least", UserMeasures.Users, 2),
    contended(measured("stolen a minute", UserMeasures.Stolen, 1)),
    contended(measured("side by side", UserMeasures.Beside, 1)),
    measured("background of what is left", UserMeasures.Left, 3),
    measured("/ FAIR", UserMeasures.LeftRatio, 2),
    contended(measured("statements", UserMeasures.Done, 0)),
    contended(measured("killed", UserMeasures.Killed, 0)),
    contended(measured("killed slot-s", UserMeasures.KilledSlotS, 1)),
    held(each("held idle, slot-s", 1)(_.idleSlotS)),
    driverCpu
  )

  /** What a row is about, where each round has a Spark of its own. */
  def ofPairs(titles: String => String): Seq[Column] = Seq(
    Column("workload", g => titles(g.foreground)),
    Column("order", _.background.fold("-")(o => if (o == Result.ForegroundFirst) "fg first" else "bg first")),
    title,
    n
  )

  /** How the foreground fared. */
  val foreground: Seq[Column] = Seq(
    jct,
    measured("JCT / alone", Measures.Paired, 2),
    measured("JCT / bound", Measures.Bound, 2),
    driverCpu,
    each("executors CPU s", 1)(_.cpu.executorsS),
    each("first wait s", 1)(_.firstWaitS),
    contended(stolen),
    contended(Column("late", percent(_.late))),
    contended(Column("late in bound", percent(_.lateInBound))),
    contended(Column("overtaken", percent(_.overtaken))),
    some("owned after", 0)(_.ownedAfter.map(_.toDouble))
  )

  /** How the background fared, and what holding cost. */
  val costs: Seq[Column] = Seq(
    contended(each("background tasks", 0)(_.background.tasks.toDouble)),
    contended(each("background slot-s", 0)(_.background.slotS)),
    contended(Column("killed", _.results.map(_.background.killed).sum.toString)),
    held(each("holds made", 0)(_.holds.made.toDouble)),
    held(each("used", 0)(_.holds.used.toDouble)),
    held(each("expired", 0)(_.holds.expired.toDouble)),
    held(each("left", 0)(_.holds.left.toDouble)),
    held(each("idle slot-s", 1)(_.idleSlotS))
  )

  /** Those of them that a terminal has room for. */
  def fitTerminal(column: Column): Boolean =
    !Seq("expired", "used").contains(column.name) && !column.name.startsWith("background") &&
      !column.name.contains("CPU")

  private def each(name: String, digits: Int)(value: Result => Double) = Column(name, _.of(value).shown(digits))

  private def some(name: String, digits: Int)(value: Result => Option[Double]) = Column(
    name,
    g => {
      val values = g.results.flatMap(value(_))
      if (values.isEmpty) "-" else Spread(values).shown(digits)
    }
  )

  private def measured(name: String, measure: String, digits: Int) =
    Column(name, _.known(measure).fold("-")(_.shown(digits)))

  private def percent(tasks: Result => Int)(g: Group) =
    "%.1f %%".formatLocal(Locale.ROOT, g.percentOfTasks(tasks).median)

  private def contended(column: Column) = onlyIf(column)(_.isContended)
  private def held(column: Column) = onlyIf(column)(_.holds)
  private def onlyIf(column: Column)(condition: Group => Boolean) =
    column.copy(cell = g => if (condition(g)) column.cell(g) else "-")
}
