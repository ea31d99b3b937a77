package io.holdfast.integration.run

import java.nio.file.{Path, Paths}

import io.holdfast.integration.measure.Result
import io.holdfast.integration.programs.Workload

/** What the runner is asked to do.
  *
  * @param variants named sets of further keys (see [[CellSpec]]); each adds a Holdfast cell wherever one runs
  * @param also a workload of which one Holdfast cell runs with the background first, whatever the orders (the demo)
  * @param warmUp whether each cell runs its program once before it is measured
  * @param reports the experiment's report folder
  * @param inputs folder of the generated inputs
  * @param archives folder of [[ClassArchives]]
  * @param cells where the cells keep their logs
  * @param holdfastJar on the class path of Holdfast's cells only
  * @param command what to type to run this again, for the report
  */
final case class Options(
    id: String,
    workloads: Seq[Workload],
    orders: Seq[String],
    settings: Seq[String],
    variants: Seq[(String, Map[String, String])],
    also: Option[Workload],
    repeats: Int,
    seed: Long,
    conf: Map[String, String],
    warmUp: Boolean,
    reports: Path,
    inputs: Path,
    archives: Path,
    cells: Path,
    holdfastJar: Option[Path],
    command: String
)

object Options {
  private val Orders = Map(
    "ff" -> Seq(Result.ForegroundFirst),
    "bf" -> Seq(Result.BackgroundFirst),
    "both" -> Seq(Result.ForegroundFirst, Result.BackgroundFirst),
    Result.ForegroundFirst -> Seq(Result.ForegroundFirst),
    Result.BackgroundFirst -> Seq(Result.BackgroundFirst)
  )
  private val Defaults = Map(
    "id" -> "demo",
    "workloads" -> "kmeans,svm,pagerank",
    "orders" -> "ff",
    "also" -> "",
    "variants" -> "",
    "settings" -> Seq(Result.Alone, Result.Stock, Result.Holdfast).mkString(","),
    "repeats" -> "1",
    "seed" -> "42",
    "conf" -> "",
    "warmup" -> "yes",
    "reports" -> "build/reports",
    "inputs" -> "build/data",
    "archives" -> "build/class-archives",
    "cells" -> "build/cells",
    "holdfast-jar" -> "",
    "command" -> ""
  )

  /** Reads `--name=value` arguments; a missing or empty one has its default. */
  def parse(args: Seq[String]): Options = {
    val said = args
      .map { arg =>
        arg.stripPrefix("--").split("=", 2) match {
          case Array(name, value) if arg.startsWith("--") && Defaults.contains(name) => name -> value
          case _ =>
            fail(
              s"argument '$arg' is unknown; use --name=value with one of ${Defaults.keys.toSeq.sorted.mkString(", ")}"
            )
        }
      }
      .filter(_._2.nonEmpty)
    val values = Defaults ++ said
    val id = values("id")
    Options(
      id = id,
      workloads = list(values("workloads")).map(Workload.named),
      orders = Orders.getOrElse(values("orders"), fail(s"orders '${values("orders")}' is unknown; use ff, bf or both")),
      settings = list(values("settings")).map(s =>
        if (Result.Settings.contains(s)) s
        else fail(s"setting '$s' is unknown; use some of ${Result.Settings.mkString(", ")}")
      ),
      variants = values("variants").split('/').toSeq.filter(_.nonEmpty).map(variant),
      also = Some(values("also")).filter(_.nonEmpty).map(Workload.named),
      repeats = number("repeats", values("repeats")).toInt,
      seed = number("seed", values("seed")),
      conf = keys(values("conf")),
      warmUp = yes("warmup", values("warmup")),
      reports = Paths.get(values("reports"), id).toAbsolutePath,
      inputs = Paths.get(values("inputs")).toAbsolutePath,
      archives = Paths.get(values("archives")).toAbsolutePath,
      cells = Paths.get(values("cells"), id).toAbsolutePath,
      holdfastJar = Some(values("holdfast-jar")).filter(_.nonEmpty).map(Paths.get(_).toAbsolutePath),
      command = values("command")
    )
  }

  /** `name:key=value;key=value`, the keys may be missing. */
  private def variant(text: String): (String, Map[String, String]) = {
    val name = text.takeWhile(_ != ':')
    name -> keys(text.drop(name.length + 1))
  }

  private def keys(text: String): Map[String, String] = text
    .split(';')
    .toSeq
    .filter(_.nonEmpty)
    .map { pair =>
      pair.split("=", 2) match {
        case Array(key, value) => key.trim -> value.trim
        case _ => fail(s"'$pair' is no key=value")
      }
    }
    .toMap

  private def list(text: String): Seq[String] = text.split(',').toSeq.map(_.trim).filter(_.nonEmpty)

  private def number(name: String, text: String): Long =
    text.toLongOption.filter(_ > 0).getOrElse(fail(s"$name '$text' is no positive whole number"))

  private def yes(name: String, text: String): Boolean =
    if (Seq("yes", "no").contains(text)) text == "yes" else fail(s"$name '$text' is neither yes nor no")

  private def fail(message: String) = throw new IllegalArgumentException(message)
}
