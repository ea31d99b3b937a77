package io.holdfast.integration.run

import java.nio.file.{Path, Paths}

import io.holdfast.integration.programs.TraceFiles

/** What was asked for.
  *
  * @param names of experiments; none: a list of them
  * @param size how much of it runs
  * @param master of a cluster that runs already
  * @param settings that run besides those of an experiment's file
  * @param conf further keys of every Spark
  * @param trace files of the user's, from which the jobs of a Google background come
  * @param experiments folder of the files
  * @param ownJar with the classes of this program, for the executors of a cluster that runs already
  */
final case class Asked(
    names: Seq[String],
    size: Size,
    master: Option[String],
    settings: Seq[String],
    conf: Map[String, String],
    trace: Option[TraceFiles],
    experiments: Path,
    reports: Path,
    inputs: Path,
    archives: Path,
    cells: Path,
    holdfastJar: Path,
    ownJar: Path,
    command: String
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
  private val Names =
    Seq("experiment", "size", "master", "settings", "trace", "trace-hour", "conf", "command") ++ Folders

  /** Reads `--name=value` arguments. */
  def parse(args: Seq[String]): Asked = {
    val values = args.map(argument).filter(_._2.nonEmpty).toMap
    def path(name: String) =
      Paths.get(values.getOrElse(name, refuse(s"--$name is missing: give a path"))).toAbsolutePath
    def hour = values.get("trace-hour").fold(1) { value =>
      value.toIntOption.filter(_ >= 0).getOrElse(refuse(s"--trace-hour=$value: give a whole number, 0 or more"))
    }
    Asked(
      values.get("experiment").toSeq.flatMap(_.split(',')),
      Size.named(values.getOrElse("size", Size.Full.name)),
      values.get("master"),
      values.get("settings").toSeq.flatMap(_.split(',')),
      values.get("conf").toSeq.flatMap(_.split(';')).map(key).toMap,
      values.get("trace").map { files =>
        TraceFiles(files.split(',').toSeq, hour)
      },
      path("experiments"),
      path("reports"),
      path("inputs"),
      path("archives"),
      path("cells"),
      path("holdfast-jar"),
      path("own-jar"),
      values.getOrElse("command", "")
    )
  }

  private def key(text: String): (String, String) = text.split("=", 2) match {
    case Array(key, value) => key -> value
    case _ => refuse(s"--conf has '$text'; give KEY=VALUE;KEY=VALUE")
  }

  private def argument(text: String): (String, String) = text.stripPrefix("--").split("=", 2) match {
    case Array(name, value) if Names.contains(name) => name -> value
    case _ => refuse(s"argument '$text' is unknown; use --name=value with one of ${Names.mkString(", ")}")
  }

  private def refuse(why: String) = throw new IllegalArgumentException(why)
}
