package io.holdfast.integration.report

import java.nio.file.{Files, Path}

import scala.collection.immutable.ListMap

import io.holdfast.integration.measure.Measured
import io.holdfast.integration.plan.{Experiment, LeftRound, Setting}
import io.holdfast.integration.programs.Workload
import io.holdfast.integration.programs.dashboards.Dashboards

/** Writes what an experiment has shown: `report.html`, one file with everything in it, and its figures as SVG.
  *
  * @param known settings by name
  * @param left rounds that have not been measured
  * @param accounts what the program `holdfast` says of applications
  */
final class Report(
    name: String,
    experiment: Experiment,
    known: ListMap[String, Setting],
    measured: Measured,
    about: Seq[(String, String)],
    left: Seq[LeftRound] = Nil,
    accounts: Accounts = Accounts.none
) {
  import Page.table

  private val paired = experiment.ownSparks
  private val settings = if (paired) Pairs.settings(known, experiment) else known
  private val results = measured.all
  private val measures =
    new Measures(if (paired) Pairs.rounds(results, settings) else results, measured.timeline)
  private lazy val figures = new Figures(experiment, settings, measures, titleOf).all
  private lazy val groups = Group.all(measures, s => settings.getOrElse(s, Setting(s, holdfast = false, "")))

  /** What became of the experiment's claims. */
  lazy val verdicts: Seq[Verdict] = experiment.claims.map(Verdict.of(_, measures, left))

  def title: String = experiment.title
  def paper: String = experiment.paper

  /** Writes the page and its figures; answers the page. */
  def write(folder: Path): Path = {
    figures.foreach { f =>
      Files.writeString(
        folder.resolve(s"$name-${f.name}.svg"),
        Svg.standalone(Svg.noted(f.svg, Seq(f.rounds, origin)), Charts.definitions, Page.style)
      )
    }
    Files.writeString(folder.resolve("report.html"), Page.html(s"Holdfast: $name", section))
  }

  private def titleOf(foreground: String): String = foreground match {
    case Report.Replicated(program, time) =>
      s"${titleOf(program)}, replica${Option(time).fold("")(t => s" of $t")}"
    case Report.Computing(program, width, times) =>
      val title = Workload.all.find(_.name == program).fold(program)(_.title)
      title + Option(width).fold("")(titleOfWidth(program, _)) + Option(times).fold("")(t => s", $t times")
    case other => other
  }

  private def titleOfWidth(program: String, width: String) =
    if (program == Dashboards.Name) s", $width users" else s", width $width"

  /** All of it, as a part of a page. */
  def section: String =
    s"""<h1>${Svg.escape(title)}</h1>
       |${if (paper.isEmpty) "" else s"<p><b>The paper:</b> ${Svg.escape(paper)}</p>"}
       |${if (paired) Pairs.intro(experiment) + Pairs.missing(left.flatMap(_.words), results.size) else claims}
       |${figures
        .map(f =>
          s"<div class=\"together\">${f.svg}<p class=\"small\">${Svg.escape(f.caption)} (${Svg
              .escape(s"${f.rounds}; $origin")})</p></div>"
        )
        .mkString("\n")}
       |${new Slowest(measures, settings, accounts).section}
       |<h2>Numbers</h2>\n${if (paired) pairs else shared}
       |<h2>How it was run</h2>\n${table(Nil, about.map { case (what, how) => Seq(what, how) })}""".stripMargin

  private def claims: String =
    if (verdicts.isEmpty) "" else s"<h2>Claims</h2>\n$mixed${table(Verdict.header, verdicts.map(_.row))}"

  private def mixed: String = {
    val revisions = results.flatMap(_.holdfast).distinct
    if (revisions.size < 2) ""
    else
      s"<p><b>Rounds of several revisions of Holdfast are mixed</b>: ${Svg.escape(revisions.mkString(", "))}.</p>\n"
  }

  /** What every figure is of, below it. */
  private lazy val origin: String = {
    val known = about.toMap
    val seeds = results.map(_.seed).distinct.sorted
    val own = Seq(
      if (seeds.size < 2) s"seed ${seeds.mkString}" else s"${seeds.size} seeds, ${seeds.head} to ${seeds.last}",
      known.get("Spark").fold("")(v => s"Spark $v"),
      known.get("Holdfast").fold("")(v => s"Holdfast $v"),
      known.getOrElse("command", "")
    )
    own.filter(_.nonEmpty).mkString("; ")
  }

  private def shared: String = {
    val columns = experiment.figure match {
      case Figures.Bounds => Columns.ofBounds(titleOf)
      case Figures.Users => Columns.ofUsers(titleOf)
      case _ => Columns.ofShared(titleOf)
    }
    table(columns.map(_.name), groups.map(g => columns.map(_.cell(g))))
  }

  private def pairs: String =
    Seq(Pairs.numbers(groups, titleOf), Pairs.losses(groups, titleOf), Pairs.definitions).mkString("\n")

  /** What a terminal shows of rounds in Sparks of their own.
    *
    * @param all whether all numbers, too
    */
  def text(all: Boolean): String =
    (if (all) Pairs.text(groups, titleOf) + "\n\n" else "") + Summary.text(groups, titleOf)
}

object Report {
  private val Computing = "([^@*]+)(?:@([0-9]+))?(?:\\*([0-9]+))?".r
  private val Replicated = "replica:([^:]+)(?::(.+))?".r

  /** One page about several experiments: their claims beside the paper's, then each in full. */
  def overview(reports: Seq[Report]): String = {
    val claims = for (report <- reports; verdict <- report.verdicts) yield report.title +: verdict.row
    Page.html(
      "Holdfast: the paper's experiments",
      s"<h1>The paper's experiments</h1>\n${Page.table("experiment" +: Verdict.header, claims)}\n" +
        reports.map(_.section).mkString("\n<hr>\n")
    )
  }
}
