package io.holdfast.integration.report

import java.util.Locale

import io.holdfast.integration.measure.{Result, Spread, Statement, Timeline}
import io.holdfast.integration.plan.Setting
import io.holdfast.integration.programs.dashboards.{Dashboards, User}

/** Where the time of the slowest dashboard queries went, for each setting with Holdfast.
  *
  * @param settings by name
  */
final class Slowest(measures: Measures, settings: Map[String, Setting], accounts: Accounts) {
  import Slowest._

  private val rounds = measures.results.filter(_.workload.startsWith(Program))

  /** Empty where no user asked for anything. */
  def section: String = {
    val of = settings.toSeq.filter(_._2.holdfast).flatMap { case (name, setting) => part(name, setting.title) }
    if (of.isEmpty) ""
    else (s"<h2>The slowest dashboard queries under Holdfast</h2>" +: of :+ Definitions).mkString("\n")
  }

  private def part(setting: String, title: String): Option[String] = {
    val asked = for {
      round <- rounds if round.setting == setting
      statement <- dashboards(measures.timeline(round))
    } yield round -> statement
    Option.when(asked.nonEmpty) {
      val chosen = asked.sortBy(-_._2.latencyMs).take(Shown)
      val found = chosen.groupMap(_._1)(_._2).toSeq.map { case (round, own) => told(round, own) }
      val unknown = found.flatMap(_.left.toOption).distinct
      val rows = found.flatMap(_.getOrElse(Nil)).sortBy(-_.latencyS)
      val heading = s"<h3>${Svg.escape(title)}: the slowest ${chosen.size} of ${asked.size}</h3>"
      val why = unknown.map(w => s"<p>Where time went is not known: ${Svg.escape(w)}.</p>")
      val table =
        if (rows.isEmpty) Nil else Seq(Page.table(header(rows), cells(rows)), s"<p>${Svg.escape(sums(rows))}</p>")
      (heading +: (why ++ table)).mkString("\n")
    }
  }

  private def told(round: Result, own: Seq[Statement]): Either[String, Seq[Row]] = {
    val timeline = measures.timeline(round)
    for {
      application <- timeline.application.toRight("a timeline does not name its application")
      account <- accounts.of(application)
    } yield own.map(rowOf(_, round.workload, timeline, account, query => alone.get(round.workload -> query)))
  }

  /** Medians in seconds, by foreground and query. */
  private lazy val alone: Map[(String, String), Double] = {
    val all = for {
      round <- rounds if round.setting == Result.Alone
      statement <- dashboards(measures.timeline(round))
    } yield (round.workload, statement.name) -> statement.latencyMs / 1e3
    all.groupMap(_._1)(_._2).map { case (query, times) => query -> Spread(times).median }
  }
}

object Slowest {

  /** How many of a setting are shown. */
  private val Shown = 10

  /** The program whose users count, whatever its width. */
  private val Program = Dashboards.Name
  private val Used = "used"
  private val Expired = "expired"

  private val Definitions =
    """<p class="small">The five terms are those of <code>holdfast whatif --by execution</code>: each query is a workflow of its own,
      |so a slot that went to another dashboard query counts as lost, too. Before: from the time at which the query was due to the
      |begin of its SQL execution, that is waiting in its client, parsing and planning. After: from the end of the execution to the
      |answer. The terms, before and after add up to the latency. Holds made: those that the query's tasks left; used: those that
      |its tasks took, whether its own, another query's or the background's had left them.</p>""".stripMargin

  /** A statement, and where its time went; in seconds.
    *
    * @param aloneS what the same query takes alone: the median
    * @param beforeS until its SQL execution began
    * @param termsS as in [[Account.Terms]]
    * @param afterS the rest
    * @param lostTo tasks that had its slots: of other statements of the foreground, and of others
    */
  final case class Row(
      statement: String,
      user: String,
      foreground: String,
      latencyS: Double,
      aloneS: Option[Double],
      beforeS: Double,
      termsS: Seq[Double],
      afterS: Double,
      lostTo: (Long, Long),
      holds: Holds
  )

  /** Holds of a statement.
    *
    * @param made its tasks left the slots
    * @param used its tasks took the slots
    * @param ends how those ended that its tasks left; `used elsewhere` where another statement used them
    */
  final case class Holds(made: Int, used: Int, ends: Map[String, Int]) {
    def expired: Int = ends.getOrElse(Expired, 0)

    /** How those ended that neither it used nor a deadline ended. */
    def otherwise: Map[String, Int] = ends - Used - Expired
    def +(other: Holds): Holds = {
      val sums =
        (ends.keySet ++ other.ends.keySet).map(end => end -> (ends.getOrElse(end, 0) + other.ends.getOrElse(end, 0)))
      Holds(made + other.made, used + other.used, sums.toMap)
    }
  }

  private[report] def dashboards(timeline: Timeline): Seq[Statement] =
    timeline.statements.filter(s => s.kind == User.Dashboard && s.error.isEmpty)

  /** @param alone what a query takes alone, in seconds */
  private[report] def rowOf(
      statement: Statement,
      foreground: String,
      timeline: Timeline,
      account: Account,
      alone: String => Option[Double]
  ): Row = {
    // A stage of a broadcast may have lost the statement's number, and not that of the execution.
    val executions = timeline.stages.filter(_.statement.contains(statement.id)).flatMap(_.execution).toSet
    val own = executions.toSeq.flatMap(account.executions.get).sortBy(_.arrived)
    val latencyS = statement.latencyMs / 1e3
    val beforeS = own.headOption.fold(latencyS)(first => (first.arrived - timeline.arrived - statement.due) / 1e3)
    val stages = timeline.stages.filter(_.execution.exists(executions)).map(_.id).toSet
    Row(
      statement.name,
      statement.user,
      foreground,
      latencyS,
      alone(statement.name),
      beforeS,
      Account.Terms.indices.map(i => own.map(_.termsS(i)).sum),
      latencyS - beforeS - own.map(_.tookS).sum,
      lostTo(own, timeline),
      holdsOf(account.holds, stages)
    )
  }

  private def lostTo(own: Seq[Accounted], timeline: Timeline): (Long, Long) = {
    val foreground = timeline.stages.filter(_.foreground).flatMap(_.execution).toSet
    val (same, others) = own.flatMap(_.lostTo).partition { case (workflow, _) =>
      Account.executionOf(workflow).exists(foreground)
    }
    (same.map(_._2).sum, others.map(_._2).sum)
  }

  private def holdsOf(holds: Seq[Held], stages: Set[Int]): Holds = {
    val made = holds.filter(_.leftBy.exists(stages))
    val ends = made.map(hold => if (hold.end == Used && !hold.usedBy.exists(stages)) "used elsewhere" else hold.end)
    Holds(made.size, holds.count(_.usedBy.exists(stages)), ends.groupMapReduce(identity)(_ => 1)(_ + _))
  }

  /** A column with its cell; what is 0 everywhere may be left out. */
  private final case class Column(name: String, cell: Row => String, always: Boolean = true)

  private def columns(rows: Seq[Row]): Seq[Column] = {
    def time(name: String, of: Row => Double, always: Boolean = true) = Column(name, row => seconds(of(row)), always)
    val all = Seq(
      Column("statement", _.statement),
      Column("user", _.user),
      Column("foreground", _.foreground, rows.map(_.foreground).distinct.size > 1),
      time("latency, s", _.latencyS),
      Column("/ median alone", row => row.aloneS.fold("-")(alone => number(2, row.latencyS / alone))),
      time("before", _.beforeS, always = false)
    ) ++ Account.Terms.zipWithIndex.map { case (term, i) => time(term, _.termsS(i)) } ++ Seq(
      time("after", _.afterS, always = false),
      Column("holds made", _.holds.made.toString),
      Column("used", _.holds.used.toString),
      Column("expired", _.holds.expired.toString),
      Column("ended otherwise", row => counts(row.holds.otherwise))
    )
    all.filter(column => column.always || column.name != "foreground" && rows.exists(column.cell(_) != seconds(0)))
  }

  private[report] def header(rows: Seq[Row]): Seq[String] = columns(rows).map(_.name)

  private[report] def cells(rows: Seq[Row]): Seq[Seq[String]] = {
    val shown = columns(rows)
    rows.map(row => shown.map(_.cell(row)))
  }

  /** All of them in a sentence or two. */
  private[report] def sums(rows: Seq[Row]): String = {
    val all = rows.map(_.latencyS).sum
    def share(name: String, of: Row => Double) = {
      val sum = rows.map(of).sum
      s"$name ${seconds(sum)} s (${number(0, 100 * sum / all)} %)"
    }
    val terms = Account.Terms.zipWithIndex.map { case (term, i) => share(term, _.termsS(i)) }
    val parts = share("before", _.beforeS) +: terms :+ share("after", _.afterS)
    val holds = rows.map(_.holds).reduce(_ + _)
    val otherwise = if (holds.otherwise.isEmpty) "" else s", ended otherwise: ${counts(holds.otherwise)}"
    s"Together ${seconds(all)} s: ${parts.mkString(", ")}. Slots lost: ${rows.map(_.lostTo._1).sum} to other dashboard queries, " +
      s"${rows.map(_.lostTo._2).sum} to the background. Holds: ${holds.made} made, ${holds.used} used, ${holds.expired} expired$otherwise."
  }

  private def counts(of: Map[String, Int]): String =
    of.toSeq.sortBy { case (end, n) => (-n, end) }.map { case (end, n) => s"$end $n" }.mkString(", ")

  private def seconds(value: Double): String = number(3, if (math.abs(value) < 0.0005) 0 else value)

  private def number(digits: Int, value: Double): String = s"%.${digits}f".formatLocal(Locale.ROOT, value)
}
