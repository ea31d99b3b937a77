package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.{ChildJvm, Json}
import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.measure.{Measured, Origin}
import io.holdfast.integration.plan.{RoundPlan, Setting, SparkRounds}
import io.holdfast.integration.programs.Foregrounds
import io.holdfast.integration.report.{Accounts, Report}
import org.apache.commons.io.FileUtils

/** One experiment, from its file to its report. What has been measured is not measured again, unless it starts anew each time. */
final class ExperimentRun(val name: String, asked: Asked) {
  import ExperimentRun._

  private val whole = Experiments.load(asked.experiments, name, asked.choice)
  private val experiment = asked.size match {
    case Size.Full => whole
    case Size.Quick => whole.small
    case Size.Tiny => whole.tiny
  }
  private val settings = Experiments.settings(asked.experiments)
  private val id = asked.id.filter(_ => experiment.ownSparks).getOrElse(idOf(name))
  private val archives = ClassArchives(asked.archives, used = experiment.server.isEmpty)
  private lazy val served = Served.of(experiment, asked)

  /** The folder of what it leaves. */
  val reports: Path = asked.reports.resolve(id)
  private val results = new Measured(reports.resolve(Measured.File))

  /** Its own folder, or that of the experiment whose cells it shows. */
  private val measuredIn = experiment.cellsOf.fold(reports)(of => asked.reports.resolve(idOf(of)))
  private val shown = new Measured(measuredIn.resolve(Measured.File))
  private val kept = new Kept(measuredIn)
  private val page = new About(experiment, settings, shown, kept)
  private val accounts =
    asked.cli.fold(Accounts.none)(new Cli(_, measuredIn.resolve(Events), measuredIn.resolve(Decisions)))

  /** Whether it runs nothing and shows the cells of another experiment. */
  def showsOthers: Boolean = experiment.cellsOf.nonEmpty

  def startsAnew: Boolean = experiment.ownSparks

  private def idOf(experiment: String) =
    if (asked.size == Size.Full) experiment else s"$experiment-${asked.size.name}"

  /** @throws java.lang.IllegalArgumentException if a setting would not be what its name says */
  def run(clusters: Clusters): Boolean = {
    if (!startsAnew) println(s"$id: ${experiment.title}")
    val fixed = (s"experiment '$name'" -> experiment.conf) +:
      experiment.parts.flatMap(_.settings).distinct.map(s => s"setting '$s'" -> settings(s).conf)
    for {
      (who, conf) <- fixed
      key <- conf.keys if asked.conf.contains(key)
    } throw new IllegalArgumentException(s"-Pconf has $key, which $who sets itself: leave it out")
    Files.createDirectories(reports)
    if (startsAnew) Files.deleteIfExists(results.file)
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
      if (startsAnew) report.foreach(r => println(s"\n${r.text(asked.verbose)}\n"))
      println(s"results: ${reports.resolve("results.json")}\nreport:  ${writePage()}")
      if (startsAnew && !asked.verbose) println("-Pverbose prints all numbers; they are in the report, too.")
    }
    shown.all.nonEmpty
  }

  private def writePage(): String = {
    Json.save(reports.resolve("results.json"), shown.all)
    report.map(_.write(reports)).mkString
  }

  /** What has been measured so far, if anything. */
  def report: Option[Report] =
    if (shown.all.isEmpty) None
    else {
      // Of what was to be measured when it was, whatever the file says now.
      val left = kept.experiment.toSeq.flatMap(RoundPlan.left(_, shown.all))
      Some(new Report(if (startsAnew) id else name, experiment, settings, shown, page.lines(left), left, accounts))
    }

  private def runRounds(clusters: Clusters): Boolean = {
    results.repair()
    val only = asked.choice.only
    val sparks = RoundPlan.of(experiment, results.all).filter(s => only.isEmpty || only.contains(s.setting))
    val rounds = sparks.map(_.measured).sum
    if (!startsAnew)
      println(s"${sparks.size} Sparks, $rounds rounds to measure, ${results.all.size} measured before")
    rounds == 0 || prepared() && {
      kept.add(asked.command)
      val cluster = clusters.of(experiment.cluster)
      val progress = if (startsAnew) announced(sparks) else new RoundsProgress(results, rounds)
      sparks.foldLeft(true) { (good, next) =>
        val outcome = progress.during(next)(measure(next, cluster))
        // Whoever stops a long experiment keeps what has run, with its page.
        if (startsAnew) writePage()
        outcome.isRight && good
      }
    }
  }

  private def announced(sparks: Seq[SparkRounds]) = {
    val progress = new SparksProgress(results, sparks)
    val shape = experiment.cluster
    println(
      s"${sparks.size} cells, each a Spark driver with ${shape.executors} executor processes of ${shape.slots} slots; ${progress.left}"
    )
    progress
  }

  /** Rounds of an experiment that was another one, or ran elsewhere, must not be mixed with those of this one. */
  private def unchanged(): Boolean = {
    val conditions = Conditions.now(experiment, settings, asked)
    val begins = results.all.isEmpty
    val changed = if (begins) Nil else kept.differences(experiment, conditions)
    if (begins) kept.begin(experiment, conditions)
    if (changed.nonEmpty)
      println(
        s"FAILED: $reports has rounds of another version of this experiment or of its replicas, of another Spark, Java or machine, or of other -Pmaster, -Pconf, -Ptrace, -Pscale or -Psettings (${changed
            .mkString(", ")} there differs): move or delete that folder, or ask for the same"
      )
    changed.isEmpty
  }

  /** Inputs that are missing, and archives of classes. */
  private def prepared(): Boolean = {
    val replicas = Experiments.replicas(asked.experiments)
    val programs = experiment.parts.flatMap(_.programs)
    val wanted = programs.flatMap(Foregrounds.named(_, replicas).input)
    val outcome = Prepared.all(asked.inputs, wanted, archives, asked.cells)
    outcome.left.foreach(why => println(s"FAILED to prepare: $why"))
    outcome.isRight
  }

  /** What a Spark of it has of the cluster. */
  private def shape(setting: Setting) = if (setting.apart) experiment.cluster.half else experiment.cluster

  /** What each Spark of it does when nothing has been measured. */
  private[run] def specs: Seq[RoundsSpec] = RoundPlan.of(experiment, Nil).map(spark(_, _ => Map.empty))

  /** @param cluster keys with which a Spark gets so much of it */
  private def spark(next: SparkRounds, cluster: Shape => Map[String, String]): RoundsSpec = {
    val chosen = settings(next.setting)
    val ours =
      if (!chosen.holdfast) Map.empty
      else if (chosen.equal) SparkKeys.plugin
      else served.fold(SparkKeys.holdfast)(_.holdfast)
    val further = asked.conf.filter { case (key, _) => chosen.holdfast || !key.startsWith("spark.holdfast.") }
    val conf =
      cluster(shape(chosen)) ++ logs(chosen.holdfast) ++ ours ++ experiment.conf ++ chosen.conf ++ further ++ next.conf
    RoundsSpec(
      next.copy(rounds = next.rounds.map(_.lengthened(conf))),
      chosen.holdfast,
      // A variant may be Holdfast switched off.
      chosen.holdfast && !(next.own && conf.get("spark.holdfast.mode").contains("off")),
      if (chosen.holdfast) Origin.version(asked.holdfastJar) else None,
      chosen.equal,
      chosen.preemption,
      chosen.apart,
      ChildJvm.QuietJvm ++ (if (asked.master.isEmpty) archives.executorOptions else Nil),
      served.fold(conf)(_.spec.conf(conf)),
      shape(chosen),
      asked.scale.orElse(experiment.scale).getOrElse(1),
      served.map(_.spec),
      asked.trace,
      asked.inputs.toString,
      Experiments.replicas(asked.experiments).toString,
      results.file.toString,
      asked.cells.resolve(id).resolve(next.name).toString
    )
  }

  /** Spark's event log, and Holdfast's decision log; of Sparks with one round whoever wants them says so. */
  private def logs(holdfast: Boolean): Map[String, String] =
    if (experiment.ownSparks) Map.empty
    else {
      val Seq(events, decisions) =
        Seq(Events, Decisions).map(kind => Files.createDirectories(reports.resolve(kind))): @unchecked
      Map("spark.eventLog.enabled" -> "true", "spark.eventLog.dir" -> events.toUri.toString) ++
        (if (holdfast) Map("spark.holdfast.log.dir" -> decisions.toString) else Map.empty)
    }

  private def measure(next: SparkRounds, cluster: Shape => Map[String, String]): Either[String, Unit] = {
    val spec = spark(next, cluster)
    val jars = if (spec.holdfast) Seq(asked.holdfastJar) else Nil
    val heap = s"-Xmx${experiment.driverMb.getOrElse(DriverMb)}m"
    // Executors on other machines reach the driver at an address that these know.
    val host = if (asked.master.isEmpty) ChildJvm.Local else ""
    val folder = Paths.get(spec.folder)
    val options = heap +: (ChildJvm.QuietJvm ++ archives.driverOptions)
    val jvm = ChildJvm(
      folder,
      ChildJvm.Logging,
      options,
      jars,
      host,
      classPath = served.map(_.classPath),
      environment = served.fold(Map.empty[String, String])(_.environment)
    )
    val outcome = jvm.run(Main, Json.write(spec) +: served.toSeq.flatMap(_.arguments), limitS(next))
    if (next.own && outcome.isRight)
      Seq("local", "warm-up", next.name, ChildJvm.SparkHome).foreach { left =>
        FileUtils.deleteDirectory(folder.resolve(left).toFile)
      }
    outcome
  }

  private def limitS(next: SparkRounds): Long =
    if (next.own) Foregrounds.named(next.rounds.last.foreground, Experiments.replicas(asked.experiments)).limitS
    else LimitS
}

object ExperimentRun {
  private val Events = "events"
  private val Decisions = "holdfast"
  private val Main = Rounds.getClass.getName.stripSuffix("$")

  /** A hang guard for a Spark of many rounds. */
  private val LimitS = 7200L
  private val DriverMb = 2048
}
