package io.holdfast.integration.run

import java.nio.file.{Files, Paths, StandardCopyOption}

import io.holdfast.integration.Json
import io.holdfast.integration.measure.Result
import io.holdfast.integration.report.{Report, Tables}

/** Runs an experiment: each cell in its own JVM, one after the other, then the report. Exit code 0, 1 when a cell failed, 2 for
  * arguments that it does not understand.
  */
object Runner {

  def main(args: Array[String]): Unit = {
    val options =
      try Options.parse(args.toSeq)
      catch { case e: IllegalArgumentException => Console.err.println(e.getMessage); sys.exit(2) }
    sys.exit(if (run(options)) 0 else 1)
  }

  private def run(options: Options): Boolean = {
    val prepared = prepare(options)
    prepared.left.foreach(why => say(s"FAILED to prepare: $why"))
    prepared.isRight && runCells(options)
  }

  private def prepare(options: Options): Either[String, Unit] = {
    val wanted = options.workloads.flatMap(_.input)
    CellProcess.prepare(options.inputs, wanted, ClassArchives(options.archives), options.cells)
  }

  private def runCells(options: Options): Boolean = {
    val cells = Plan.cells(options)
    val progress = new Progress(cells)
    say(s"${cells.size} cells, each a Spark driver with 4 executor processes of 2 slots; ${progress.left}")
    val results = cells.zipWithIndex.foldLeft(Seq.empty[Result]) { case (before, (spec, i)) =>
      val line = f"[${i + 1}%3d/${cells.size}] ${describe(spec)}%-48s"
      say(s"$line running")
      val started = System.nanoTime()
      val outcome = CellProcess.run(spec, options.holdfastJar)
      progress.done(spec, (System.nanoTime() - started) / 1e9)
      say(s"$line ${said(outcome)}; ${progress.left}")
      val results = before ++ outcome.toOption.map(r => keep(options, spec, r))
      // After each cell: whoever stops a long experiment keeps what has run.
      Json.save(options.reports.resolve("results.json"), results)
      Report.write(options, results)
      results
    }
    say("\n" + Tables.text(results))
    say(s"results: ${options.reports.resolve("results.json")}")
    say(s"report:  ${options.reports.resolve("report.html")}")
    results.size == cells.size
  }

  /** Keeps the timeline beside the results. */
  private def keep(options: Options, spec: CellSpec, result: Result): Result = {
    val name = s"timelines/${Paths.get(spec.folder).getFileName}.json"
    val target = options.reports.resolve(name)
    Files.createDirectories(target.getParent)
    Files.move(Paths.get(spec.folder, "timeline.json"), target, StandardCopyOption.REPLACE_EXISTING)
    result.copy(timeline = name)
  }

  private def describe(spec: CellSpec): String =
    (Seq(spec.workload, spec.setting) ++ spec.variant ++ spec.order :+ s"repeat ${spec.repeat}").mkString(" ")

  private def said(outcome: Either[String, Result]): String = outcome match {
    case Right(r) => f"${r.jctS}%6.1f s, stolen ${r.stolen}, late ${r.late}"
    case Left(why) => s"FAILED: $why"
  }

  private def say(line: String): Unit = println(line)
}

/** Guesses how long the rest takes: as long as cells of the same kind took, before any has run what a two-core machine needed. */
final class Progress(cells: Seq[CellSpec]) {
  private var waiting = cells
  private var took = Map.empty[String, Seq[Double]]

  def done(spec: CellSpec, seconds: Double): Unit = {
    waiting = waiting.diff(Seq(spec))
    took = took.updatedWith(spec.setting)(known => Some(known.getOrElse(Nil) :+ seconds))
  }

  def left: String = {
    val seconds =
      waiting.map(s => took.get(s.setting).fold(Progress.Guess(s.setting))(known => known.sum / known.size)).sum
    if (waiting.isEmpty) "done"
    else if (seconds < 90) f"about $seconds%.0f s left"
    else f"about ${seconds / 60}%.0f min left"
  }
}

object Progress {
  private val Guess =
    Map(Result.Alone -> 25.0, Result.Uncontended -> 25.0, Result.Stock -> 55.0, Result.Holdfast -> 35.0)
}
