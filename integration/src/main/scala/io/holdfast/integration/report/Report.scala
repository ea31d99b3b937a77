package io.holdfast.integration.report

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path, Paths}
import java.util.jar.JarFile

import scala.util.Using

import com.sun.management.OperatingSystemMXBean

import io.holdfast.integration.Json
import io.holdfast.integration.measure.{Result, Timeline}
import io.holdfast.integration.programs.Workload
import io.holdfast.integration.run.{Options, Plan}

/** Writes `report.html`: everything in one file, readable in print. */
object Report {
  private val BuildInfo = "io/holdfast/build.properties"
  private val Gib = 1L << 30

  def write(options: Options, results: Seq[Result]): Path = {
    val file = options.reports.resolve("report.html")
    Files.createDirectories(file.getParent)
    Files.writeString(file, page(options, results, t => Json.load[Timeline](options.reports.resolve(t))))
  }

  def page(options: Options, results: Seq[Result], timelines: String => Timeline): String = {
    val groups = Pairs.groups(results)
    val body =
      if (results.isEmpty) "<p>No cell ended well; the console says why.</p>"
      else
        Seq(
          slowdowns(groups),
          running(groups, timelines),
          table(results),
          losses(groups),
          definitions,
          about(options, results)
        ).mkString("\n")
    s"""<!doctype html>
       |<html lang="en"><head><meta charset="utf-8"><title>Holdfast: ${Svg.escape(options.id)}</title>
       |<style>$style</style></head><body>
       |${Charts.definitions}
       |<h1>Holdfast: ${Svg.escape(options.id)}</h1>
       |<p>A foreground program in an important pool runs beside a crowd of background tasks of 2 to 5 s on 8 slots. Stock Spark and Holdfast
       |share one fair-scheduler file (important pool: weight 1000, minimum share all slots); Holdfast adds its plugin and the pool's priority.
       |Each cell is a Spark of its own${if (options.warmUp) ", and its program has run once before"
      else ", started cold"}.</p>
       |${missing(options, results)}
       |$body
       |</body></html>
       |""".stripMargin
  }

  /** Cells that have no result: what is shown is not all that was asked for. */
  private def missing(options: Options, results: Seq[Result]): String = {
    def key(workload: String, setting: String, order: Option[String], variant: Option[String], repeat: Int) =
      (Seq(workload, setting) ++ variant ++ order :+ s"repeat $repeat").mkString(" ")
    val there = results.map(r => key(r.workload, r.setting, r.order, r.variant, r.repeat)).toSet
    val cells = Plan.cells(options).map(c => key(c.workload, c.setting, c.order, c.variant, c.repeat))
    val lacking = cells.filterNot(there)
    if (lacking.isEmpty) ""
    else
      s"<p><b>${lacking.size} of ${cells.size} cells are missing</b> (failed, as the console says, or not run yet): ${Svg
          .escape(lacking.mkString(", "))}.</p>"
  }

  private def slowdowns(groups: Seq[Group]): String =
    byOrder(groups.filter(_.slowdown.nonEmpty))
      .map { case (order, own) =>
        s"<h2>Slowdown, $order</h2>\n${Charts.slowdowns(
            own
          )}\n<p class=\"small\">Medians of the pairs' ratios (n = ${own.flatMap(_.slowdown.map(_.n)).distinct.sorted.mkString(" or ")}); each contended run is divided by the run alone of the same repeat${if (own.exists(_.results.size > 1)) "; whiskers: least and largest ratio" else ""}.</p>"
      }
      .mkString("\n")

  private def running(groups: Seq[Group], timelines: String => Timeline): String = {
    val contended = groups.filter(g => !Result.aloneIn(g.setting))
    val sections = for ((order, own) <- byOrder(contended); (workload, same) <- inOrder(own)(_.workload)) yield {
      val runs = same.map(g => g -> timelines(g.results.head.timeline))
      val until = runs.map(_._2.ended).max / 1e3 * 1.05 + 0.5
      val from = if (same.head.order.contains(Result.BackgroundFirst)) -2.0 else -0.5
      val plots = runs.map { case (g, t) =>
        Charts.running(
          t,
          s"${Workload.named(workload).title}, $order, ${g.label}",
          Charts.colour(g.setting),
          from,
          until
        )
      }
      s"<div class=\"together\">${plots.mkString("\n")}</div>"
    }
    val settings = contended.map(_.setting).distinct
    if (sections.isEmpty) ""
    else
      s"<h2>Running tasks over time</h2>\n${settings.map(Charts.runningLegend).mkString("<br>")}\n${sections.mkString("\n")}"
  }

  private def table(results: Seq[Result]): String = {
    val rows = Tables.rows(results)
    val (ours, costs) = Tables.header.indices.drop(Tables.Keys).partition(_ < Tables.firstCost)
    def shown(columns: Seq[Int]) = {
      val all = (0 until Tables.Keys) ++ columns
      def row(cells: Seq[String], tag: String) =
        all.map(i => s"<$tag>${Svg.escape(cells(i))}</$tag>").mkString("<tr>", "", "</tr>")
      s"<table>${row(Tables.header, "th")}\n${rows.map(row(_, "td")).mkString("\n")}</table>"
    }
    s"""<h2>Numbers</h2>
       |<p class="small">Medians, in brackets least and largest; late: median share of the foreground's tasks.</p>
       |<h3>The foreground</h3>\n${shown(ours)}
       |<h3>The background, and what holding cost</h3>\n${shown(costs)}""".stripMargin
  }

  private def losses(groups: Seq[Group]): String = {
    val items = Losses.of(groups)
    if (items.isEmpty) ""
    else items.map(i => s"<li>${Svg.escape(i)}</li>").mkString("<h2>Where Holdfast loses</h2>\n<ul>", "\n", "</ul>")
  }

  private val definitions: String =
    """<h2>What is counted</h2>
      |<dl><dt>First wait</dt><dd>from the foreground's submission to the last launch of its first stage that is as wide as its parallelism.</dd>
      |<dt>Stolen</dt><dd>background tasks launched into a slot that the foreground owned (ran on once its first stage ran at full width) and that
      |still ran when a later stage had a task waiting for more than 250 ms.</dd>
      |<dt>Late</dt><dd>foreground tasks after the first stage launched more than 250 ms after their stage was submitted while background ran.</dd>
      |<dt>Overtaken</dt><dd>those of them beside background that was launched after the foreground had arrived; the others waited only for background that
      |ran on arrival, which nobody who kills nothing can shorten.</dd>
      |<dt>Bound</dt><dd>the time that list scheduling reaches with the run's own task durations, stage order and driver gaps when each slot is the
      |foreground's from the end of the background task that ran on it at the foreground's arrival. <i>Late in bound</i>: the late ones of that
      |schedule; who kills nothing and starts at once has these.</dd>
      |<dt>Owned after</dt><dd>the fewest slots that did not run background from the end of the last such task to the foreground's end.</dd>
      |<dt>Background slot-s</dt><dd>slot-seconds of the background tasks launched before the foreground's end; they finish, none is killed.</dd></dl>""".stripMargin

  private def about(options: Options, results: Seq[Result]): String = {
    val lines = Seq(
      "Spark" -> results.map(_.spark).distinct.mkString(", "),
      "Holdfast" -> options.holdfastJar.flatMap(version).getOrElse("not run"),
      "Java" -> sys.props("java.runtime.version"),
      "machine" -> machine,
      "cluster" -> "local-cluster[4,2,1024]: 4 executor processes of 2 slots (C1 compiler, serial collector)",
      "seeds" -> results.map(_.seed).distinct.sorted.mkString(", "),
      "repeats" -> options.repeats.toString,
      "further keys" -> (options.conf ++ options.variants.flatMap { case (name, conf) =>
        conf.map { case (k, v) => s"$name: $k" -> v }
      })
        .map { case (k, v) => s"$k=$v" }
        .mkString(", "),
      "command" -> options.command
    ).filter(_._2.nonEmpty)
    lines
      .map { case (name, value) => s"<tr><th>$name</th><td>${Svg.escape(value)}</td></tr>" }
      .mkString("<h2>How it was run</h2>\n<table>", "\n", "</table>")
  }

  /** Cores, processor, memory and system of this machine. */
  private[integration] def machine: String = {
    val system = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])
    val about = Paths.get("/proc/cpuinfo")
    val model =
      if (Files.notExists(about)) None else Files.readString(about).linesIterator.find(_.startsWith("model name"))
    Seq(
      s"${system.getAvailableProcessors} cores",
      model.fold("")(_.split(":\\s*").last),
      s"${math.round(system.getTotalMemorySize.toDouble / Gib)} GiB",
      s"${system.getName} ${system.getArch}"
    ).filter(_.nonEmpty).mkString(", ")
  }

  /** Version and git revision of Holdfast's jar. */
  private[integration] def version(jar: Path): Option[String] = if (Files.notExists(jar)) None
  else
    Using.resource(new JarFile(jar.toFile)) { file =>
      val built = new java.util.Properties
      Option(file.getEntry(BuildInfo)).foreach(entry => Using.resource(file.getInputStream(entry))(built.load(_)))
      Some(s"${built.getProperty("version", "unknown")}, revision ${built.getProperty("revision", "unknown")}")
    }

  private def byOrder(groups: Seq[Group]): Seq[(String, Seq[Group])] =
    inOrder(groups)(_.order.getOrElse(""))
      .map { case (order, own) => (order.replace('-', ' '), own) }
      .sortBy(_._1)
      .reverse

  private def inOrder(groups: Seq[Group])(by: Group => String): Seq[(String, Seq[Group])] =
    groups.map(by).distinct.map(k => k -> groups.filter(by(_) == k))

  private[integration] val style: String =
    """body{font:15px/1.45 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#111;background:#fff}
      |svg text{font:12px system-ui,sans-serif;fill:#111} svg text.small{font-size:11px} svg text.title{font-weight:600;font-size:13px}
      |svg .axis{stroke:#111} svg .grid{stroke:#ddd} svg .alone{stroke:#777;stroke-dasharray:5 4} svg .whisker{stroke:#111;stroke-width:1.3}
      |svg .mark{stroke:#111;stroke-dasharray:2 3}
      |svg{max-width:100%;height:auto} table{border-collapse:collapse;font-size:12.5px} td,th{border:1px solid #ccc;padding:.25em .5em;text-align:left}
      |th{background:#f3f3f3} td{font-variant-numeric:tabular-nums} .wide{overflow-x:auto} .small{font-size:13px;color:#444}
      |dt{font-weight:600} dd{margin:0 0 .4em 1.5em} .together{break-inside:avoid;margin-bottom:1em}
      |@media print{body{max-width:none;margin:0;-webkit-print-color-adjust:exact;print-color-adjust:exact} table{font-size:8px} td,th{padding:1px 3px}}""".stripMargin
}
