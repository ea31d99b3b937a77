package io.holdfast.integration.run

import java.nio.file.Files

import scala.util.Using

import io.holdfast.integration.report.EvaluationReport

/** Runs the experiments of a folder in `integration/experiments`. Exit code 0, 1 when a round failed, 2 for arguments that it does not
  * understand and while another one runs.
  */
object Evaluate {
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
      overview(asked, known)
      0
    } else ReportsLock.holding(asked.reports)(measure(asked, known, names))
  }

  /** For tests those apart, too: no file is to rot. */
  private def all(asked: Asked): Seq[String] =
    if (asked.size == Size.Tiny) Experiments.list(asked.experiments) else Experiments.together(asked.experiments)

  private def measure(asked: Asked, known: Seq[String], names: Seq[String]): Int = {
    // Those that show the cells of others come last.
    val evaluations = names.map(new Evaluation(_, asked)).sortBy(_.showsOthers)
    val good = Using.resource(new Clusters(asked)) { clusters =>
      evaluations.foldLeft(true)((good, evaluation) => evaluation.run(clusters) && good)
    }
    overview(asked, known)
    if (good) 0 else 1
  }

  /** All that has been measured so far, on one page. */
  private def overview(asked: Asked, known: Seq[String]): Unit = {
    val reports = known.flatMap(new Evaluation(_, asked).report)
    if (reports.size > 1) {
      val page = asked.reports.resolve(s"evaluation-${asked.size.name}.html")
      println(s"all experiments so far: ${Files.writeString(page, EvaluationReport.overview(reports))}")
    }
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
