package io.holdfast.integration.evaluation

import java.nio.file.{Files, Path, Paths}
import java.util.SplittableRandom

import scala.jdk.CollectionConverters._

import io.holdfast.integration._
import io.holdfast.integration.cluster.StandaloneCluster

/** Runs the experiments of `integration/experiments`. Exit code 0, 1 when a round failed, 2 for arguments that it does not
  * understand.
  */
object Evaluate {

  def main(args: Array[String]): Unit = {
    val asked =
      try Right(Asked.parse(args.toSeq))
      catch { case e: IllegalArgumentException => Left(e.getMessage) }
    sys.exit(asked.fold(why => { Console.err.println(why); 2 }, run))
  }

  private def run(asked: Asked): Int = asked.experiment match {
    case None => list(asked)
    case Some(name) =>
      try { if (new Evaluation(name, asked).run()) 0 else 1 }
      catch { case e: IllegalArgumentException => Console.err.println(e.getMessage); 2 }
  }

  private def list(asked: Asked): Int = {
    println("./gradlew evaluate -Pexperiment=NAME (-Pquick for a small version, -Pmaster=URL for a cluster of yours):\n")
    Experiments.list(asked.experiments).foreach { name =>
      println(f"  $name%-10s ${Experiments.load(asked.experiments, name).title}")
    }
    0
  }
}

/** What was asked for.
  *
  * @param experiment none: a list of them
  * @param master of a cluster that runs already
  * @param experiments folder of the files
  */
final case class Asked(
    experiment: Option[String],
    quick: Boolean,
    master: Option[String],
    experiments: Path,
    reports: Path,
    inputs: Path,
    cells: Path,
    holdfastJar: Path,
    command: String
)

object Asked {
  private val Names =
    Seq("experiment", "quick", "master", "experiments", "reports", "inputs", "cells", "holdfast-jar", "command")

  /** Reads `--name=value` arguments. */
  def parse(args: Seq[String]): Asked = {
    val values = args
      .map(_.stripPrefix("--").split("=", 2))
      .map {
        case Array(name, value) if Names.contains(name) => name -> value
        case other =>
          throw new IllegalArgumentException(
            s"argument '${other.mkString("=")}' is unknown; use --name=value with one of ${Names.mkString(", ")}"
          )
      }
      .filter(_._2.nonEmpty)
      .toMap
    def path(name: String) = Paths
      .get(values.getOrElse(name, throw new IllegalArgumentException(s"--$name is missing: give a path")))
      .toAbsolutePath
    Asked(
      values.get("experiment"),
      values.get("quick").contains("true"),
      values.get("master"),
      path("experiments"),
      path("reports"),
      path("inputs"),
      path("cells"),
      path("holdfast-jar"),
      values.getOrElse("command", "")
    )
  }
}

/** One experiment, from its file to its results. What has been measured is not measured again. */
final class Evaluation(name: String, asked: Asked) {
  private val whole = Experiments.load(asked.experiments, name)
  private val experiment = if (asked.quick) whole.small else whole
  private val settings = Experiments.settings(asked.experiments)
  private val id = if (asked.quick) s"$name-quick" else name
  private val reports = Files.createDirectories(asked.reports.resolve(id))
  private val results = reports.resolve("results.jsonl")

  def run(): Boolean = {
    val sparks = plan()
    val rounds = sparks.map(_.rounds.count(_.round > 0)).sum
    println(s"$id: ${experiment.title}")
    println(s"${sparks.size} Sparks, $rounds rounds to measure, ${measured.size} done before")
    withCluster { cluster =>
      sparks.foldLeft(true) { (good, spark) => measure(spark.copy(conf = spark.conf ++ cluster), rounds) && good }
    }
  }

  private def measured: Seq[Result] =
    if (Files.notExists(results)) Nil else Files.readAllLines(results).asScala.toSeq.map(Json.read[Result](_))

  /** Every block runs all settings, in an order of its own, each in a Spark of its own. */
  private def plan(): Seq[RoundsSpec] = {
    val done = measured.map(r => (r.workload, r.variant, r.setting, r.repeat)).toSet
    for {
      block <- 1 to experiment.blocks
      setting <- shuffled(experiment.settings, experiment.seed + block)
      rounds = roundsOf(setting, block).filterNot { r =>
        done((r.foreground, r.background.map(_.name), setting, 1000 * block + r.round))
      }
      if rounds.exists(_.round > 0)
    } yield {
      val folder = asked.cells.resolve(id).resolve(s"$setting-b$block")
      val chosen = settings(setting)
      RoundsSpec(
        setting,
        chosen.holdfast,
        block,
        (if (chosen.holdfast) SparkKeys.holdfast else Map.empty) ++ chosen.conf,
        experiment.cluster,
        rounds,
        asked.inputs.toString,
        asked.experiments.resolve("replicas").toString,
        results.toString,
        folder.toString
      )
    }
  }

  /** A round to warm up first; whoever is measured alone has nothing beside it. */
  private def roundsOf(setting: String, block: Int): Seq[RoundSpec] = {
    val beside: Seq[Option[BackgroundSpec]] =
      if (setting == Result.Alone) Seq(None) else experiment.backgrounds.map(Some(_))
    val warmUp = experiment.foregrounds.map(f => RoundSpec(f, None, 0, experiment.seed))
    val rounds = for {
      round <- 1 to experiment.rounds
      background <- beside
      foreground <- experiment.foregrounds
    } yield RoundSpec(foreground, background, round, experiment.seed + 100 * block + round)
    warmUp ++ rounds
  }

  private def measure(spark: RoundsSpec, all: Int): Boolean = {
    val jars = if (spark.holdfast) Seq(asked.holdfastJar) else Nil
    val jvm = ChildJvm(Paths.get(spark.folder), Evaluation.Logging, "-Xmx2g" +: SparkKeys.QuietJvm, jars)
    val progress = new RoundsProgress(results, all)
    println(s"${spark.setting}, block ${spark.block}: ${spark.rounds.count(_.round > 0)} rounds")
    progress.start()
    val ended =
      try jvm.run(Evaluation.Main, Seq(Json.write(spark)), Evaluation.LimitS)
      finally progress.stop()
    ended.left.foreach(why => println(s"FAILED: $why"))
    ended.isRight
  }

  private def withCluster(body: Map[String, String] => Boolean): Boolean = asked.master match {
    case Some(url) =>
      // Its executors have a Spark of their own; what else they need comes from the driver.
      val jars = Seq(Paths.get(classOf[Evaluation].getProtectionDomain.getCodeSource.getLocation.toURI), asked.holdfastJar)
      body(Map("spark.master" -> url, "spark.jars" -> jars.mkString(","), "spark.executor.extraClassPath" -> ""))
    case None =>
      val cluster = StandaloneCluster.start(experiment.cluster, asked.cells.resolve(id).resolve("cluster"))
      try body(cluster.conf)
      finally cluster.close()
  }

  private def shuffled[A](items: Seq[A], seed: Long): Seq[A] = {
    val random = new SplittableRandom(seed)
    items.map(_ -> random.nextLong()).sortBy(_._2).map(_._1)
  }
}

object Evaluation {
  private val Logging = "io/holdfast/integration/cell-log4j2.properties"
  private val Main = "io.holdfast.integration.evaluation.Rounds"

  /** A hang guard for one Spark. */
  private val LimitS = 7200L
}

/** Says each round when it has been measured, with the time that is left. */
private final class RoundsProgress(results: Path, all: Int) {
  private val EveryMs = 500L
  private val began = System.nanoTime()
  private val before = lines.size
  private var said = before
  @volatile private var running = false
  private val thread = new Thread(() => while (running) { say(); Thread.sleep(EveryMs) }, "progress")

  def start(): Unit = {
    running = true
    thread.setDaemon(true)
    thread.start()
  }

  def stop(): Unit = {
    running = false
    thread.join()
    say()
  }

  private def lines: Seq[String] =
    if (Files.notExists(results)) Nil else Files.readAllLines(results).asScala.toSeq

  private def say(): Unit = synchronized {
    val now = lines
    now.drop(said).foreach { line =>
      said += 1
      val r = Json.read[Result](line)
      val each = (System.nanoTime() - began) / 1e9 / (said - before)
      val left = (all - said) * each / 60
      println(
        f"  [$said%3d/$all] ${r.workload}%-22s ${r.variant.getOrElse("alone")}%-12s ${r.jctS}%6.1f s, stolen ${r.stolen}; about $left%.0f min left"
      )
    }
  }
}
