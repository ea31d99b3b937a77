package io.holdfast.integration.run

import java.nio.file.{Path, Paths}

import scala.collection.immutable.ListMap

import io.holdfast.integration.measure.Result
import io.holdfast.integration.plan.Choice
import io.holdfast.integration.programs.{Foregrounds, TraceFiles}

/** What was asked for.
  *
  * @param names of experiments; none: a list of them
  * @param id of the report's folder, of an experiment with Sparks of their own; none: its name
  * @param size how much of it runs
  * @param master of a cluster that runs already
  * @param choice what differs from the experiment's file
  * @param conf further keys of every Spark
  * @param trace files of the user's, from which the jobs of a Google background come
  * @param scale of TPC-H's tables, instead of the experiment's
  * @param verbose whether all numbers are printed
  * @param experiments folder of the files
  * @param cli the program `holdfast`, which says where the time of statements went; none: nothing says it
  * @param ownJar with the classes of this program, for the executors of a cluster that runs already
  * @param python an environment with PySpark, for experiments with a server
  * @param users the program that a server's users are
  * @param command what to type to run this again, for the report
  */
final case class Asked(
    names: Seq[String],
    id: Option[String],
    size: Size,
    master: Option[String],
    choice: Choice,
    conf: Map[String, String],
    trace: Option[TraceFiles],
    scale: Option[BigDecimal],
    verbose: Boolean,
    experiments: Path,
    reports: Path,
    inputs: Path,
    archives: Path,
    cells: Path,
    holdfastJar: Path,
    ownJar: Path,
    command: String,
    cli: Option[Path],
    python: Option[Path],
    users: Option[Path]
)

/** How much of an experiment runs. */
sealed abstract class Size(val name: String)
object Size {
  case object Full extends Size("full")
  case object Quick extends Size("quick")

  /** Everything once, for tests. */
  case object Tiny extends Size("tiny")
  private val all = Seq(Full, Quick, Tiny)

  def named(name: String): Size = all
    .find(_.name == name)
    .getOrElse(
      throw new IllegalArgumentException(s"size '$name' is unknown; use one of ${all.map(_.name).mkString(", ")}")
    )
}

object Asked {
  private val Folders = Seq("experiments", "reports", "inputs", "archives", "cells", "holdfast-jar", "own-jar")
  private val Choices = Seq("settings", "only", "workloads", "orders", "variants", "repeats", "seed", "warmup", "also")
  private val Names =
    Seq(
      "experiment",
      "id",
      "size",
      "master",
      "trace",
      "trace-hour",
      "scale",
      "conf",
      "verbose",
      "command",
      "cli",
      "python",
      "users"
    ) ++ Choices ++ Folders

  private val Both = Seq(Result.ForegroundFirst, Result.BackgroundFirst)
  private val Orders = Map("ff" -> Both.take(1), "bf" -> Both.drop(1), "both" -> Both) ++ Both.map(o => o -> Seq(o))

  /** Reads `--name=value` arguments; an empty one is as good as none. */
  def parse(args: Seq[String]): Asked = {
    val values = args.map(argument).filter(_._2.nonEmpty).toMap
    def path(name: String) =
      Paths.get(values.getOrElse(name, refuse(s"--$name is missing: give a path"))).toAbsolutePath
    def hour = values.get("trace-hour").fold(1) { value =>
      value.toIntOption.filter(_ >= 0).getOrElse(refuse(s"--trace-hour=$value: give a whole number, 0 or more"))
    }
    Asked(
      list(values, "experiment"),
      values.get("id"),
      Size.named(values.getOrElse("size", Size.Full.name)),
      values.get("master"),
      choice(values),
      keys("conf", values.getOrElse("conf", "")),
      values.get("trace").map { files =>
        TraceFiles(files.split(',').toSeq, hour)
      },
      values.get("scale").map(BigDecimal(_)),
      values.get("verbose").exists(yes("verbose", _)),
      path("experiments"),
      path("reports"),
      path("inputs"),
      path("archives"),
      path("cells"),
      path("holdfast-jar"),
      path("own-jar"),
      values.getOrElse("command", ""),
      values.get("cli").map(Paths.get(_).toAbsolutePath),
      values.get("python").map(Paths.get(_)),
      values.get("users").map(Paths.get(_))
    )
  }

  private def choice(values: Map[String, String]): Choice = {
    val programs = list(values, "workloads")
    val also = values.get("also")
    (programs ++ also).foreach(Foregrounds.computing)
    Choice(
      list(values, "settings"),
      list(values, "only"),
      programs,
      values.get("orders").toSeq.flatMap { o =>
        Orders.getOrElse(o, refuse(s"orders '$o' is unknown; use ff, bf or both"))
      },
      ListMap.from(values.getOrElse("variants", "").split('/').toSeq.filter(_.nonEmpty).map(variant)),
      values.get("repeats").map(number("repeats", _).toInt),
      values.get("seed").map(number("seed", _)),
      values.get("warmup").map(yes("warmup", _)),
      also
    )
  }

  private def list(values: Map[String, String], name: String): Seq[String] =
    values.get(name).toSeq.flatMap(_.split(',')).map(_.trim).filter(_.nonEmpty)

  /** `name:key=value;key=value`, the keys may be missing. */
  private def variant(text: String): (String, Map[String, String]) = {
    val name = text.takeWhile(_ != ':')
    name -> keys("variants", text.drop(name.length + 1))
  }

  private def keys(name: String, text: String): Map[String, String] =
    text.split(';').toSeq.filter(_.nonEmpty).map(key(name, _)).toMap

  private def key(name: String, text: String): (String, String) = text.split("=", 2) match {
    case Array(key, value) => key.trim -> value.trim
    case _ => refuse(s"--$name has '$text'; give KEY=VALUE;KEY=VALUE")
  }

  private def number(name: String, text: String): Long =
    text.toLongOption.filter(_ > 0).getOrElse(refuse(s"$name '$text' is no positive whole number"))

  private def yes(name: String, text: String): Boolean =
    if (Seq("yes", "no").contains(text)) text == "yes" else refuse(s"$name '$text' is neither yes nor no")

  private def argument(text: String): (String, String) = text.stripPrefix("--").split("=", 2) match {
    case Array(name, value) if Names.contains(name) => name -> value
    case _ => refuse(s"argument '$text' is unknown; use --name=value with one of ${Names.mkString(", ")}")
  }

  private def refuse(why: String) = throw new IllegalArgumentException(why)
}
