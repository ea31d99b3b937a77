package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.measure.Measured
import io.holdfast.integration.plan.{LeftRound, RoundPlan, SparkRounds}
import io.holdfast.integration.programs.Foregrounds
import io.holdfast.integration.report.{EvaluationReport, Report}
import io.holdfast.integration.{ChildJvm, Json}

/** One experiment, from its file to its report. What has been measured is not measured again. */
final class Evaluation(name: String, asked: Asked) {
  import Evaluation._

  private val whole = Experiments.load(asked.experiments, name, asked.settings)
  private val experiment = asked.size match {
    case Size.Full => whole
    case Size.Quick => whole.small
    case Size.Tiny => whole.tiny
  }
  private val settings = Experiments.settings(asked.experiments)
  private val id = idOf(name)
  private val reports = asked.reports.resolve(id)
  private val results = new Measured(reports.resolve(Measured.File))
  private val archives = ClassArchives(asked.archives)

  /** Its own folder, or that of the experiment whose cells it shows. */
  private val measuredIn = experiment.cellsOf.fold(reports)(of => asked.reports.resolve(idOf(of)))
  private val shown = new Measured(measuredIn.resolve(Measured.File))
  private val kept = new Kept(measuredIn)

  /** Whether it runs nothing and shows the cells of another experiment. */
  def showsOthers: Boolean = experiment.cellsOf.nonEmpty

  private def idOf(experiment: String) =
    if (asked.size == Size.Full) experiment else s"$experiment-${asked.size.name}"

  /** @throws java.lang.IllegalArgumentException if a setting would not be what its name says */
  def run(clusters: Clusters): Boolean = {
    println(s"$id: ${experiment.title}")
    val fixed = (s"experiment '$name'" -> experiment.conf) +:
      experiment.parts.flatMap(_.settings).distinct.map(s => s"setting '$s'" -> settings(s).conf)
    for {
      (who, conf) <- fixed
      key <- conf.keys if asked.conf.contains(key)
    } throw new IllegalArgumentException(s"-Pconf has $key, which $who sets itself: leave it out")
    Files.createDirectories(reports)
    if (showsOthers) write()
    else
      unchanged() && {
        val good = runRounds(clusters)
        write() && good
      }
  }

  /** Whether there is anything to write about. */
  private def write(): Boolean = {
    if (shown.all.isEmpty)
      experiment.cellsOf.foreach(of =>
        println(s"it shows the cells of $of, which has none: ./gradlew evaluate -Pexperiment=$of")
      )
    else {
      Json.save(reports.resolve("results.json"), shown.all)
      val page = report.map(_.write(reports)).mkString
      println(s"results: ${reports.resolve("results.json")}\nreport:  $page")
    }
    shown.all.nonEmpty
  }

  /** What has been measured so far, if anything. */
  def report: Option[EvaluationReport] =
    if (shown.all.isEmpty) None
    else {
      // Of what was to be measured when it was, whatever the file says now.
      val left = kept.experiment.toSeq.flatMap(RoundPlan.left(_, shown.all))
      Some(new EvaluationReport(name, experiment, settings, shown, about(left), left))
    }

  /** Of the rounds, not of whoever writes the page. */
  private def about(left: Seq[LeftRound]): Seq[(String, String)] = {
    val cluster = experiment.cluster
    def known(what: Conditions => String) = kept.conditions.fold("not recorded")(what)
    val missing = left.map(_.setting).distinct.map(s => s"${left.count(_.setting == s)} of $s")
    Seq(
      "rounds" -> (s"${shown.all.size} measured" +
        (if (missing.isEmpty) "" else s", missing: ${missing.mkString(", ")}")),
      "Spark" -> shown.all.map(_.spark).distinct.mkString(", "),
      "Holdfast" -> versions,
      "Java" -> known(_.java),
      "machine" -> known(_.machine),
      "cluster" -> s"${cluster.workers} workers, ${cluster.executors} executors of ${cluster.slots} slots, ${known(
          _.master.getOrElse("a standalone cluster on this machine, each worker with an address of its own")
        )}"
    ) ++ (for (b <- kept.experiment.toSeq.flatMap(_.parts.flatMap(_.backgrounds)).distinct)
      yield s"background '${b.name}'" -> b.words) ++ Seq(
      "jobs of the trace" -> known(
        _.trace.fold("drawn from published statistics")(t =>
          s"sampled from ${t.files.mkString(", ")}, hour ${t.hour}, task times fitted to the experiment's load"
        )
      ),
      "further keys" -> known(c =>
        (kept.experiment.fold(Map.empty[String, String])(_.conf) ++ c.conf)
          .map { case (k, v) => s"$k=$v" }
          .mkString(", ")
      ),
      "seeds" -> shown.all.map(_.seed).distinct.sorted.mkString(", "),
      "command" -> (if (kept.commands.isEmpty) "not recorded" else kept.commands.mkString("; "))
    ).filter(_._2.nonEmpty)
  }

  /** The jar's as each round had it. */
  private def versions: String = {
    val ours = shown.all.filter(r => settings.get(r.setting).exists(_.holdfast))
    val unknown = if (ours.exists(_.holdfast.isEmpty)) Seq("not recorded in some rounds") else Nil
    if (ours.isEmpty) "not run" else (ours.flatMap(_.holdfast).distinct ++ unknown).mkString("; ")
  }

  private def runRounds(clusters: Clusters): Boolean = {
    results.repair()
    val sparks = RoundPlan.of(experiment, results.all)
    val rounds = sparks.map(_.measured).sum
    println(s"${sparks.size} Sparks, $rounds rounds to measure, ${results.all.size} measured before")
    rounds == 0 || prepared() && {
      kept.add(asked.command)
      val cluster = clusters.of(experiment.cluster)
      val progress = new RoundsProgress(results, rounds)
      sparks.foldLeft(true) { (good, next) => measure(spark(next, cluster), progress) && good }
    }
  }

  /** Rounds of an experiment that was another one, or ran elsewhere, must not be mixed with those of this one. */
  private def unchanged(): Boolean = {
    val conditions = Conditions.now(experiment, settings, asked)
    val begins = results.all.isEmpty
    val changed = if (begins) Nil else kept.differences(experiment, conditions)
    if (begins) kept.begin(experiment, conditions)
    if (changed.nonEmpty)
      println(
        s"FAILED: $reports has rounds of another version of this experiment or of its replicas, of another Spark, Java or machine, or of other -Pmaster, -Pconf, -Ptrace or -Psettings (${changed
            .mkString(", ")} there differs): move or delete that folder, or ask for the same"
      )
    changed.isEmpty
  }

  /** Inputs that are missing, and archives of classes. */
  private def prepared(): Boolean = {
    val replicas = Experiments.replicas(asked.experiments)
    val programs = experiment.parts.flatMap(p => p.foregrounds ++ p.backgrounds.flatMap(_.program))
    val wanted = programs.flatMap(Foregrounds.named(_, replicas).input)
    said(CellProcess.prepare(asked.inputs, wanted, archives, asked.cells))
  }

  private def spark(next: SparkRounds, cluster: Map[String, String]): RoundsSpec = {
    val chosen = settings(next.setting)
    val folder = asked.cells.resolve(id).resolve(s"${next.setting}-b${next.block}")
    val logs = Seq("events", "holdfast").map(kind => Files.createDirectories(reports.resolve(kind)))
    val ours =
      if (!chosen.holdfast) Map.empty
      else
        (if (chosen.equal) SparkKeys.plugin else SparkKeys.holdfast) + ("spark.holdfast.log.dir" -> logs(1).toString)
    RoundsSpec(
      next.setting,
      chosen.holdfast,
      if (chosen.holdfast) Report.version(asked.holdfastJar) else None,
      next.block,
      chosen.equal,
      ChildJvm.QuietJvm ++ (if (asked.master.isEmpty) archives.executorOptions else Nil),
      cluster ++ eventLog(logs.head) ++ ours ++ experiment.conf ++ chosen.conf ++ asked.conf,
      experiment.cluster,
      next.rounds,
      asked.trace,
      asked.inputs.toString,
      Experiments.replicas(asked.experiments).toString,
      results.file.toString,
      folder.toString
    )
  }

  private def measure(spark: RoundsSpec, progress: RoundsProgress): Boolean = {
    val jars = if (spark.holdfast) Seq(asked.holdfastJar) else Nil
    val options = "-Xmx2g" +: (ChildJvm.QuietJvm ++ archives.driverOptions)
    // Executors on other machines reach the driver at an address that these know.
    val host = if (asked.master.isEmpty) ChildJvm.Local else ""
    val jvm = ChildJvm(Paths.get(spark.folder), Logging, options, jars, host)
    println(s"${spark.setting}, block ${spark.block}")
    said(progress.during(jvm.run(Main, Seq(Json.write(spark)), LimitS)))
  }

  private def said(outcome: Either[String, Unit]): Boolean = {
    outcome.left.foreach(why => println(s"FAILED: $why"))
    outcome.isRight
  }
}

object Evaluation {
  private val Logging = "io/holdfast/integration/cell-log4j2.properties"
  private val Main = Rounds.getClass.getName.stripSuffix("$")

  private def eventLog(folder: Path) =
    Map("spark.eventLog.enabled" -> "true", "spark.eventLog.dir" -> folder.toUri.toString)

  /** A hang guard for one Spark. */
  private val LimitS = 7200L
}
