package io.holdfast.integration.run

import java.nio.file.Files

import scala.util.Using

import io.holdfast.integration.plan.Choice
import io.holdfast.integration.report.Report

/** Runs the experiments of a folder in `integration/experiments`. Exit code 0, 1 when a round failed, 2 for arguments that it does not
  * understand and while another one runs.
  */
object Runner {
  private val All = "all"

  def main(args: Array[String]): Unit = sys.exit(
    try run(Asked.parse(args.toSeq))
    catch { case e: IllegalArgumentException => Console.err.println(e.getMessage); 2 }
  )

  private def run(asked: Asked): Int = {
    val known = Experiments.list(asked.experiments)
    val names = if (asked.names == Seq(All)) all(asked) else asked.names
    if (names.isEmpty) {
      list(asked)
      overview(asked, known, Nil)
      0
    } else {
      val runs = names.map(new ExperimentRun(_, asked))
      // Whoever starts anew each time has only its own folder to itself.
      val folder = if (runs.forall(_.startsAnew)) runs.head.reports else asked.reports
      ReportsLock.holding(folder)(measure(asked, known, runs))
    }
  }

  /** For tests those apart, too: no file is to rot. */
  private def all(asked: Asked): Seq[String] =
    if (asked.size == Size.Tiny) Experiments.list(asked.experiments) else Experiments.together(asked.experiments)

  private def measure(asked: Asked, known: Seq[String], runs: Seq[ExperimentRun]): Int = {
    // Those that show the cells of others come last.
    val good = Using.resource(new Clusters(asked)) { clusters =>
      runs.sortBy(_.showsOthers).foldLeft(true)((good, next) => next.run(clusters) && good)
    }
    overview(asked, known, runs)
    if (good) 0 else 1
  }

  /** All that has been measured so far, on one page. */
  private def overview(asked: Asked, known: Seq[String], runs: Seq[ExperimentRun]): Unit = {
    val reports = each(asked, known, runs).filterNot(_.startsAnew).flatMap(_.report)
    if (reports.size > 1) {
      val page = asked.reports.resolve(s"evaluation-${asked.size.name}.html")
      println(s"all experiments so far: ${Files.writeString(page, Report.overview(reports))}")
    }
  }

  /** Those that have just run, and the others as their files have them: what was asked for need not suit them. */
  private[run] def each(asked: Asked, names: Seq[String], runs: Seq[ExperimentRun]): Seq[ExperimentRun] = {
    val others = asked.copy(id = None, choice = Choice())
    names.map(name => runs.find(_.name == name).getOrElse(new ExperimentRun(name, others)))
  }

  private def list(asked: Asked): Unit = {
    println(
      "./gradlew evaluate -Pexperiment=NAME[,NAME] or all (-Pquick: small versions, -Pmaster=URL: on a cluster of yours)\n" +
        s"-Psettings=NAME[,NAME]: these beside those of its file, of ${Experiments.settings(asked.experiments).keys.mkString(", ")}\n"
    )
    Experiments.list(asked.experiments).foreach { name =>
      val experiment = Experiments.load(asked.experiments, name)
      val cells = experiment.cellsOf.fold("")(of => s" (shows the cells of $of)")
      val apart = if (experiment.apart) " (not with all)" else ""
      println(f"  $name%-15s ${experiment.title}$cells$apart")
    }
  }
}
