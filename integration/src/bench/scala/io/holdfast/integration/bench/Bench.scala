package io.holdfast.integration.bench

import java.nio.file.{Path, Paths}

import scala.util.Random

import org.apache.spark.SPARK_VERSION

import io.holdfast.integration.Json
import io.holdfast.integration.measure.Origin

/** Compares Spark's scheduler with Holdfast's. Each cell is a JVM of its own; a repeat runs each once, in an order drawn from
  * the seed, and its cells are compared with each other only.
  *
  * Arguments: `--only=ID --repeats=N --seed=N --holdfast-jar=FILE --report=FILE --cells=DIR --command=TEXT`; an empty ID means all. Exit code 0, 1 when a cell failed,
  * 2 for arguments that it does not understand. A missed target is reported and fails nothing: machines differ.
  */
object Bench {
  private val Names = Set("only", "repeats", "seed", "holdfast-jar", "report", "cells", "command")

  def main(args: Array[String]): Unit = {
    val options = args.map(_.stripPrefix("--").split("=", 2)).collect { case Array(name, value) => name -> value }.toMap
    if (options.size < args.length || options.keySet != Names) {
      Console.err.println(
        s"arguments '${args.mkString(" ")}' are not --name=value for each of ${Names.toSeq.sorted.mkString(", ")}"
      )
      sys.exit(2)
    }
    val numbers = Seq("repeats", "seed").map { name =>
      options(name).toLongOption.filter(_ > 0).getOrElse {
        Console.err.println(s"$name '${options(name)}' is no positive whole number")
        sys.exit(2)
      }
    }
    val only = options("only")
    if (only.nonEmpty && !Benchmark.all.exists(_.id == only)) {
      Console.err.println(s"benchmark '$only' is unknown; use one of ${Benchmark.all.map(_.id).mkString(", ")}")
      sys.exit(2)
    }
    sys.exit(if (run(options, numbers.head.toInt, numbers(1))) 0 else 1)
  }

  private def run(options: Map[String, String], repeats: Int, seed: Long): Boolean = {
    val jar = Paths.get(options("holdfast-jar")).toAbsolutePath
    val random = new Random(seed)
    val plan =
      (1 to repeats).flatMap(repeat => random.shuffle(Benchmark.cells(repeat, options("only"))).map(repeat -> _))
    println(s"${plan.size} cells in $repeats repeats, each a JVM; Spark $SPARK_VERSION")
    val started = System.nanoTime()
    val runs = plan.zipWithIndex.flatMap { case ((repeat, (benchmark, setting)), i) =>
      val folder = Paths.get(options("cells"), s"${benchmark.id}-${setting.name}-$repeat").toAbsolutePath
      val conf = Map(
        "spark.ui.enabled" -> "false",
        "spark.local.dir" -> folder.resolve("local").toString
      )
      val spec = CellSpec(setting.name, folder.toString, schedulerClass, conf)
      val outcome = BenchCell.run(benchmark.mainClass, spec, jar)
      val said = outcome.fold(
        "FAILED: " + _,
        _.toSeq.sorted.map { case (name, value) => s"$name ${Table.number(value)}" }.mkString(", ")
      )
      val left = (System.nanoTime() - started) / 1e9 / (i + 1) * (plan.size - i - 1)
      println(f"[${i + 1}%2d/${plan.size}, $left%3.0f s left] $repeat ${benchmark.id} ${setting.name}: $said")
      outcome.toOption.map(Run(benchmark.id, setting.name, repeat, _))
    }
    val rows = Comparison.all.flatMap(_.of(runs))
    Json.save(Paths.get(options("report")), report(options, repeats, seed, jar, rows, runs))
    println("\n" + Table.text(rows))
    println(s"results: ${options("report")}")
    runs.size == plan.size
  }

  private def report(
      options: Map[String, String],
      repeats: Int,
      seed: Long,
      jar: Path,
      rows: Seq[Row],
      runs: Seq[Run]
  ): Report = {
    val build = Origin.built(jar)
    def system(key: String) = System.getProperty(key)
    Report(
      options("command"),
      seed,
      repeats,
      SPARK_VERSION,
      build.getProperty("version"),
      build.getProperty("revision"),
      s"${system("java.vm.name")} ${system("java.vm.version")}",
      s"${system("os.name")} ${system("os.version")} ${system("os.arch")}",
      Runtime.getRuntime.availableProcessors(),
      rows,
      runs
    )
  }

  private def schedulerClass: String = {
    val target = SPARK_VERSION.take(3) match {
      case "3.5" => "spark35_213"
      case "4.2" => "spark42"
      case "4.3" => "spark43"
      case _ => "spark40"
    }
    s"org.apache.spark.scheduler.holdfast.$target.HoldfastScheduler"
  }
}

/** A main class and the settings that it runs under.
  *
  * @param controls settings that run in the first repeat only
  */
final case class Benchmark(id: String, mainClass: String, settings: Seq[Setting], controls: Seq[Setting] = Nil)

object Benchmark {
  import Setting._

  val Round: Benchmark = Benchmark(
    "refused-round",
    "org.apache.spark.scheduler.holdfast.bench.RefusedRound",
    Seq(Stock, Holdfast),
    controls = Seq(StockIdle)
  )
  val Tiny: Benchmark =
    Benchmark("tiny-tasks", TinyTasks.getClass.getName.stripSuffix("$"), Seq(Stock, Holdfast, HoldfastPool))

  val Start: Benchmark = Benchmark("startup", StartUp.getClass.getName.stripSuffix("$"), Seq(Stock, Holdfast))

  val all: Seq[Benchmark] = Seq(Round, Tiny, Start)

  /** @param only id of the one that is asked for; empty for all */
  def cells(repeat: Int, only: String): Seq[(Benchmark, Setting)] =
    all
      .filter(b => only.isEmpty || b.id == only)
      .flatMap(b => (if (repeat == 1) b.settings ++ b.controls else b.settings).map(b -> _))
}

/** What one JVM measured. */
final case class Run(benchmark: String, setting: String, repeat: Int, measured: Measured)

/** The contents of `results.json`. */
final case class Report(
    command: String,
    seed: Long,
    repeats: Int,
    spark: String,
    holdfast: String,
    revision: String,
    java: String,
    os: String,
    processors: Int,
    comparisons: Seq[Row],
    runs: Seq[Run]
)
