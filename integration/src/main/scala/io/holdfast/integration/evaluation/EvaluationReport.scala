package io.holdfast.integration.evaluation

import java.nio.file.{Files, Path}

import io.holdfast.integration.{Charts, Report, Result, Spread, Svg, Workload}

/** Writes what an experiment has shown: `report.html`, one file with everything in it, and its figures as SVG. */
final class EvaluationReport(
    name: String,
    experiment: Experiment,
    settings: Map[String, Setting],
    measured: Measured,
    about: Seq[(String, String)]
) {
  private val measures = new Measures(measured.all, measured.timeline)
  private val verdicts = experiment.claims.map(Verdict.of(_, measures))

  /** Answers the page. */
  def write(folder: Path): Path = {
    val figures = new Figures(experiment, settings, measures, titleOf).all
    figures.foreach { f =>
      Files.writeString(
        folder.resolve(s"$name-${f.name}.svg"),
        Svg.standalone(f.svg, Charts.definitions, Report.style)
      )
    }
    Files.writeString(folder.resolve("report.html"), page(figures))
  }

  private def titleOf(foreground: String): String = foreground match {
    case EvaluationReport.Replicated(program, times) =>
      s"${titleOf(program)}, replica${Option(times).fold("")(t => s" x$t")}"
    case _ =>
      val (program, width) = foreground.span(_ != '@')
      val title = Workload.all.find(_.name == program).fold(program)(_.title)
      if (width.isEmpty) title else s"$title, width ${width.drop(1)}"
  }

  private def page(figures: Seq[Figure]): String =
    s"""<!doctype html>
       |<html lang="en"><head><meta charset="utf-8"><title>Holdfast: $name</title>
       |<style>${Report.style}</style></head><body>
       |${Charts.definitions}
       |<h1>${Svg.escape(experiment.title)}</h1>
       |<p><b>The paper:</b> ${Svg.escape(experiment.paper)}</p>
       |${claims}
       |${figures
        .map(f => s"<div class=\"together\">${f.svg}<p class=\"small\">${Svg.escape(f.caption)}</p></div>")
        .mkString("\n")}
       |<h2>Numbers</h2>\n${table(header, rows)}
       |<h2>How it was run</h2>\n${table(Nil, about.map { case (what, how) => Seq(what, how) })}
       |</body></html>
       |""".stripMargin

  private def claims: String =
    if (verdicts.isEmpty) ""
    else
      "<h2>Claims</h2>\n" + table(
        Seq("claim", "wanted", "measured", "verdict"),
        verdicts.map(v => Seq(v.claim.says, v.wanted, v.found, v.says))
      )

  private val header = Seq(
    "foreground",
    "beside",
    "setting",
    "n",
    "JCT s",
    "/ alone",
    "/ bound",
    "stolen",
    "late %",
    "held idle, slot-s",
    "driver CPU s"
  )

  private def rows: Seq[Seq[String]] = {
    val groups = measures.results.map(r => (r.workload, r.variant, r.setting)).distinct
    groups.map { case (foreground, background, setting) =>
      val own = measures.results.filter(r => (r.workload, r.variant, r.setting) == (foreground, background, setting))
      def of(digits: Int)(value: Result => Double) = EvaluationReport.shown(Spread(own.map(value)), digits)
      def known(measure: String) =
        measures.spread(measure, foreground, setting, background).fold("-")(EvaluationReport.shown(_, 2))
      Seq(
        titleOf(foreground),
        background.getOrElse("-"),
        settings.get(setting).fold(setting)(_.title),
        own.size.toString,
        of(1)(_.jctS),
        known(Measures.Slowdown),
        known(Measures.Bound),
        of(0)(_.stolen.toDouble),
        of(1)(r => 100.0 * r.late / math.max(1, r.tasks)),
        of(1)(_.idleSlotS),
        of(1)(_.cpu.driverS)
      )
    }
  }

  private def table(header: Seq[String], rows: Seq[Seq[String]]): String = {
    def row(cells: Seq[String], tag: String) =
      cells.map(c => s"<$tag>${Svg.escape(c)}</$tag>").mkString("<tr>", "", "</tr>")
    val head = if (header.isEmpty) "" else row(header, "th")
    s"<div class=\"wide\"><table>$head\n${rows.map(row(_, "td")).mkString("\n")}</table></div>"
  }
}

object EvaluationReport {
  private val Replicated = "replica:([^*]+)(?:\\*(.+))?".r

  def shown(s: Spread, digits: Int): String = {
    def number(value: Double) = s"%.${digits}f".formatLocal(java.util.Locale.ROOT, value)
    if (s.n == 1 || number(s.min) == number(s.max)) number(s.median)
    else s"${number(s.median)} (${number(s.min)} to ${number(s.max)})"
  }
}

/** What became of a claim.
  *
  * @param value the worst median over the foregrounds; none when nothing was measured
  */
final case class Verdict(claim: Claim, value: Option[(String, Spread)]) {
  def wanted: String = (claim.most.map(m => s"at most $m") ++ claim.least.map(l => s"at least $l")).mkString(", ")

  def found: String = value.fold("-") { case (foreground, s) =>
    s"${EvaluationReport.shown(s, 3)} ($foreground, n = ${s.n}; ${Measures.title(claim.measure)})"
  }

  def says: String = value.fold("not measured") { case (_, s) =>
    val held = claim.most.forall(s.median <= _) && claim.least.forall(s.median >= _)
    if (claim.most.isEmpty && claim.least.isEmpty) "reported" else if (held) "holds" else "does not hold"
  }
}

object Verdict {
  def of(claim: Claim, measures: Measures): Verdict = {
    val about = if (claim.foregrounds.isEmpty) measures.foregrounds else claim.foregrounds
    val found = about.flatMap(f => measures.spread(claim.measure, f, claim.setting, claim.background).map(f -> _))
    val sorted = found.sortBy(_._2.median)
    Verdict(claim, if (claim.least.isEmpty) sorted.lastOption else sorted.headOption)
  }
}
