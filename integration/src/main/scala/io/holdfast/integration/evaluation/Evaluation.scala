package io.holdfast.integration.evaluation

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration._

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

  /** Its own results, or those of the experiment whose cells it shows. */
  private val shown = experiment.cellsOf.fold(results) { of =>
    new Measured(asked.reports.resolve(idOf(of)).resolve(Measured.File))
  }

  /** Whether it runs nothing and shows the cells of another experiment. */
  def showsOthers: Boolean = experiment.cellsOf.nonEmpty

  private def idOf(experiment: String) =
    if (asked.size == Size.Full) experiment else s"$experiment-${asked.size.name}"

  def run(clusters: Clusters): Boolean = {
    println(s"$id: ${experiment.title}")
    Files.createDirectories(reports)
    val good = !showsOthers && runRounds(clusters)
    if (shown.all.isEmpty) {
      experiment.cellsOf.foreach(of =>
        println(s"it shows the cells of $of, which has none: ./gradlew evaluate -Pexperiment=$of")
      )
      false
    } else {
      Json.save(reports.resolve("results.json"), shown.all)
      val page = report.map(_.write(reports)).mkString
      println(s"results: ${reports.resolve("results.json")}\nreport:  $page")
      good || showsOthers
    }
  }

  /** What has been measured so far, if anything. */
  def report: Option[EvaluationReport] =
    if (shown.all.isEmpty) None else Some(new EvaluationReport(name, experiment, settings, shown, about))

  private def about: Seq[(String, String)] = {
    val cluster = experiment.cluster
    Seq(
      "Spark" -> shown.all.map(_.spark).distinct.mkString(", "),
      "Holdfast" -> versions,
      "Java" -> sys.props("java.runtime.version"),
      "machine" -> Report.machine,
      "cluster" -> s"${cluster.workers} workers, ${cluster.executors} executors of ${cluster.slots} slots, ${asked.master
          .getOrElse("a standalone cluster on this machine, each worker with an address of its own")}",
      "background" -> asked.trace.fold("drawn from published statistics")(t =>
        s"jobs of ${t.files.mkString(", ")}, hour ${t.hour}, times divided by ${t.divide}"
      ),
      "seeds" -> shown.all.map(_.seed).distinct.sorted.mkString(", "),
      "command" -> asked.command
    )
  }

  /** The jar's as each round had it. */
  private def versions: String = {
    val ours = shown.all.filter(r => settings.get(r.setting).exists(_.holdfast))
    val unknown = if (ours.exists(_.holdfast.isEmpty)) Seq("not recorded in some rounds") else Nil
    if (ours.isEmpty) "not run" else (ours.flatMap(_.holdfast).distinct ++ unknown).mkString("; ")
  }

  private def runRounds(clusters: Clusters): Boolean = unchanged() && {
    results.repair()
    val sparks = RoundPlan.of(experiment, results.all)
    val rounds = sparks.map(_.measured).sum
    println(s"${sparks.size} Sparks, $rounds rounds to measure, ${results.all.size} measured before")
    rounds == 0 || prepared() && {
      val cluster = clusters.of(experiment.cluster)
      val progress = new RoundsProgress(results, rounds)
      sparks.foldLeft(true) { (good, next) => measure(spark(next, cluster), progress) && good }
    }
  }

  /** Rounds of an experiment that was another one, or ran elsewhere, must not be mixed with those of this one. */
  private def unchanged(): Boolean = {
    val used =
      experiment.parts.flatMap(_.settings).distinct.sorted.map(s => s -> settings(s).copy(title = "", colour = ""))
    val conditions = Conditions(asked.master, asked.conf.toSeq.sorted, asked.trace, used)
    val now = Seq(ExperimentFile -> Json.write(experiment), ConditionsFile -> Json.write(conditions))
    val changed = now.filter { case (file, text) => results.all.nonEmpty && !isKept(file, text) }.map(_._1)
    if (changed.isEmpty) now.foreach { case (file, text) => Files.writeString(reports.resolve(file), text) }
    else
      println(
        s"FAILED: $reports has rounds of another version of this experiment, or of other -Pmaster, -Pconf or -Ptrace (${changed
            .mkString(", ")} there differs): move or delete that folder, or ask for the same"
      )
    changed.isEmpty
  }

  private def isKept(name: String, text: String): Boolean = {
    val file = reports.resolve(name)
    // Folders of before conditions were kept have none.
    if (Files.exists(file)) Files.readString(file) == text else name == ConditionsFile
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
      SparkKeys.QuietJvm ++ (if (asked.master.isEmpty) archives.executorOptions else Nil),
      cluster ++ eventLog(logs.head) ++ ours ++ chosen.conf ++ asked.conf,
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
    val options = "-Xmx2g" +: (SparkKeys.QuietJvm ++ archives.driverOptions)
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

/** What rounds were measured with besides the experiment's file. */
private final case class Conditions(
    master: Option[String],
    conf: Seq[(String, String)],
    trace: Option[TraceFiles],
    settings: Seq[(String, Setting)]
)

object Evaluation {
  private val ExperimentFile = "experiment.json"
  private val ConditionsFile = "conditions.json"
  private val Logging = "io/holdfast/integration/cell-log4j2.properties"
  private val Main = Rounds.getClass.getName.stripSuffix("$")

  private def eventLog(folder: Path) =
    Map("spark.eventLog.enabled" -> "true", "spark.eventLog.dir" -> folder.toUri.toString)

  /** A hang guard for one Spark. */
  private val LimitS = 7200L
}
