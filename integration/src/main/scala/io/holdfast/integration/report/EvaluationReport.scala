package io.holdfast.integration.report

import java.nio.file.{Files, Path}

import scala.collection.immutable.ListMap

import io.holdfast.integration.measure.{Measured, Result, Spread}
import io.holdfast.integration.plan.{Experiment, LeftRound, Setting}
import io.holdfast.integration.programs.Workload

/** Writes what an experiment has shown: `report.html`, one file with everything in it, and its figures as SVG.
  *
  * @param left rounds that have not been measured
  */
final class EvaluationReport(
    name: String,
    experiment: Experiment,
    settings: ListMap[String, Setting],
    measured: Measured,
    about: Seq[(String, String)],
    left: Seq[LeftRound] = Nil
) {
  import EvaluationReport.table

  private val measures = new Measures(measured.all, measured.timeline)
  private lazy val figures = new Figures(experiment, settings, measures, titleOf).all

  /** What became of the experiment's claims. */
  lazy val verdicts: Seq[Verdict] = experiment.claims.map(Verdict.of(_, measures, left))

  def title: String = experiment.title
  def paper: String = experiment.paper

  /** Writes the page and its figures; answers the page. */
  def write(folder: Path): Path = {
    figures.foreach { f =>
      Files.writeString(
        folder.resolve(s"$name-${f.name}.svg"),
        Svg.standalone(Svg.noted(f.svg, Seq(f.rounds, origin)), Charts.definitions, Report.style)
      )
    }
    Files.writeString(folder.resolve("report.html"), EvaluationReport.page(s"Holdfast: $name", section))
  }

  private def titleOf(foreground: String): String = foreground match {
    case EvaluationReport.Replicated(program, time) =>
      s"${titleOf(program)}, replica${Option(time).fold("")(t => s" of $t")}"
    case EvaluationReport.Computing(program, width, times) =>
      val title = Workload.all.find(_.name == program).fold(program)(_.title)
      title + Option(width).fold("")(w => s", width $w") + Option(times).fold("")(t => s", $t times")
    case other => other
  }

  /** All of it, as a part of a page. */
  def section: String =
    s"""<h1>${Svg.escape(title)}</h1>
       |<p><b>The paper:</b> ${Svg.escape(paper)}</p>
       |$claims
       |${figures
        .map(f =>
          s"<div class=\"together\">${f.svg}<p class=\"small\">${Svg.escape(f.caption)} (${Svg
              .escape(s"${f.rounds}; $origin")})</p></div>"
        )
        .mkString("\n")}
       |<h2>Numbers</h2>\n${table(header, rows)}
       |<h2>How it was run</h2>\n${table(Nil, about.map { case (what, how) => Seq(what, how) })}""".stripMargin

  private def claims: String =
    if (verdicts.isEmpty) "" else s"<h2>Claims</h2>\n$mixed${table(Verdict.header, verdicts.map(_.row))}"

  private def mixed: String = {
    val revisions = measured.all.flatMap(_.holdfast).distinct
    if (revisions.size < 2) ""
    else
      s"<p><b>Rounds of several revisions of Holdfast are mixed</b>: ${Svg.escape(revisions.mkString(", "))}.</p>\n"
  }

  /** What every figure is of, below it. */
  private lazy val origin: String = {
    val known = about.toMap
    val seeds = measured.all.map(_.seed).distinct.sorted
    val own = Seq(
      if (seeds.size < 2) s"seed ${seeds.mkString}" else s"${seeds.size} seeds, ${seeds.head} to ${seeds.last}",
      known.get("Spark").fold("")(v => s"Spark $v"),
      known.get("Holdfast").fold("")(v => s"Holdfast $v"),
      known.getOrElse("command", "")
    )
    own.filter(_.nonEmpty).mkString("; ")
  }

  private val header = Seq(
    "foreground",
    "beside",
    "setting",
    "n",
    "background jobs met",
    "JCT s",
    "/ alone",
    "/ bound",
    "stolen",
    "late %",
    "held idle, slot-s",
    "background waited",
    "driver CPU s",
    "failed tasks"
  )

  private def rows: Seq[Seq[String]] = {
    val groups = measures.results.map(r => (r.workload, r.variant, r.setting)).distinct
    groups.map { case (foreground, background, setting) =>
      val own = measures.results.filter(r => (r.workload, r.variant, r.setting) == (foreground, background, setting))
      def some(digits: Int)(value: Result => Option[Double]) = {
        val values = own.flatMap(value(_))
        if (values.isEmpty) "-" else EvaluationReport.shown(Spread(values), digits)
      }
      def of(digits: Int)(value: Result => Double) = some(digits)(r => Some(value(r)))
      def known(measure: String, digits: Int = 2) =
        measures.spread(measure, foreground, setting, background).fold("-")(EvaluationReport.shown(_, digits))
      Seq(
        titleOf(foreground),
        background.getOrElse("-"),
        settings.get(setting).fold(setting)(_.title),
        own.size.toString,
        known(Measures.Met, 0),
        of(1)(_.jctS),
        known(Measures.Slowdown),
        known(Measures.Bound),
        of(0)(_.stolen.toDouble),
        of(1)(r => 100.0 * r.late / math.max(1, r.tasks)),
        of(1)(_.idleSlotS),
        some(1)(_.idleWaitedSlotS),
        of(1)(_.cpu.driverS),
        known(Measures.Failed, 0)
      )
    }
  }
}

object EvaluationReport {
  private val Computing = "([^@*]+)(?:@([0-9]+))?(?:\\*([0-9]+))?".r
  private val Replicated = "replica:([^:]+)(?::(.+))?".r

  def page(title: String, body: String): String =
    s"""<!doctype html>
       |<html lang="en"><head><meta charset="utf-8"><title>${Svg.escape(title)}</title>
       |<style>${Report.style}</style></head><body>
       |${Charts.definitions}
       |$body
       |</body></html>
       |""".stripMargin

  def table(header: Seq[String], rows: Seq[Seq[String]]): String = {
    def row(cells: Seq[String], tag: String) =
      cells.map(c => s"<$tag>${Svg.escape(c)}</$tag>").mkString("<tr>", "", "</tr>")
    val head = if (header.isEmpty) "" else row(header, "th")
    s"<div class=\"wide\"><table>$head\n${rows.map(row(_, "td")).mkString("\n")}</table></div>"
  }

  /** One page about several experiments: their claims beside the paper's, then each in full. */
  def overview(reports: Seq[EvaluationReport]): String = {
    val claims = for (report <- reports; verdict <- report.verdicts) yield report.title +: verdict.row
    page(
      "Holdfast: the paper's experiments",
      s"<h1>The paper's experiments</h1>\n${table("experiment" +: Verdict.header, claims)}\n" +
        reports.map(_.section).mkString("\n<hr>\n")
    )
  }

  def shown(s: Spread, digits: Int): String = {
    def number(value: Double) = s"%.${digits}f".formatLocal(java.util.Locale.ROOT, value)
    if (s.n == 1 || number(s.min) == number(s.max)) number(s.median)
    else s"${number(s.median)} (${number(s.min)} to ${number(s.max)})"
  }
}
