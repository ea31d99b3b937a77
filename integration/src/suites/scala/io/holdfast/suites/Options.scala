package io.holdfast.suites

import java.nio.file.{Path, Paths}

/** What is to be run.
  *
  * @param spark Spark's version
  * @param suites those of a set, or some by name
  * @param skipped tests that are left out, by suite
  * @param stock file of what Spark's own scheduler does
  * @param mode see [[Mode]]
  * @param out folder for what is found
  * @param limitS a hang guard, in seconds
  */
private[suites] final case class Options(
    spark: String,
    suites: Seq[String],
    skipped: Map[String, Set[String]],
    stock: Path,
    mode: Mode,
    out: Path,
    limitS: Long
)

/** What a run is for. */
private[suites] sealed trait Mode
private[suites] object Mode {

  /** With our classes: all must be as with Spark's own. */
  case object Compare extends Mode

  /** With our classes, made wrong: each suite must notice. */
  case object Control extends Mode

  /** With Spark's own classes: to compare with. */
  case object Record extends Mode

  val all: Map[String, Mode] = Seq[Mode](Compare, Control, Record).map(mode => mode.toString.toLowerCase -> mode).toMap
}

private[suites] object Options {

  /** Reads `--name=value` arguments. */
  def parse(args: Seq[String]): Options = {
    val values = args.map(_.stripPrefix("--").split("=", 2)).collect { case Array(name, value) => name -> value }.toMap
    val (spark, lists) = (values("spark"), Paths.get(values("lists")))
    val all = SuiteList.read(lists.resolve("suites.txt"), values("set"), spark)
    Options(
      spark = spark,
      suites = named(values.getOrElse("suites", ""), all),
      skipped = SkipList.read(lists.resolve("skipped.txt"), spark),
      stock = Paths.get(values("stock")),
      mode = Mode.all(values("mode")),
      out = Paths.get(values("out")),
      limitS = values("limit").toLong
    )
  }

  /** Suites by simple names; all of them if none is named. */
  private def named(names: String, all: Seq[String]): Seq[String] = {
    val wanted = names.split(',').toList.map(_.trim).filter(_.nonEmpty)
    def simple(suite: String) = suite.drop(suite.lastIndexOf('.') + 1)
    val unknown = wanted.filterNot(name => all.exists(simple(_) == name))
    if (unknown.nonEmpty) {
      throw new Misuse(s"unknown suites: ${unknown.mkString(", ")}; there are ${all.map(simple).sorted.mkString(", ")}")
    }
    if (wanted.isEmpty) all else all.filter(suite => wanted.contains(simple(suite)))
  }
}
