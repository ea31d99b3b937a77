package io.holdfast.suites

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

/** Something that whoever runs the suites can mend; the message says how. */
private[suites] class Misuse(message: String) extends Exception(message)

/** A line of a text file with how far it is indented: lists here are outlines. */
private[suites] final case class Entry(depth: Int, text: String)

private[suites] object Entry {

  /** The lines of a file, without empty ones and comments. */
  def read(file: Path): Seq[Entry] =
    new String(Files.readAllBytes(file), UTF_8)
      .split('\n')
      .toList
      .filterNot(line => line.trim.isEmpty || line.startsWith("#"))
      .map { line =>
        val text = line.dropWhile(_ == ' ')
        Entry((line.length - text.length) / 2, text)
      }
}

/** Which suites there are: below the name of a set, the suites that it adds to the sets before it; after a suite's name
  * the Spark versions that have it, if not all do.
  */
private[suites] object SuiteList {

  /** The suites of a set for a Spark version. */
  def read(file: Path, set: String, spark: String): Seq[String] = {
    val entries = Entry.read(file)
    val sets = entries.collect { case Entry(0, name) => name }
    if (!sets.contains(set)) throw new Misuse(s"there is no set '$set' in $file; use one of ${sets.mkString(", ")}")
    val after = entries.drop(entries.indexOf(Entry(0, set)) + 1).dropWhile(_.depth > 0)
    entries.dropRight(after.size).collect { case Entry(1, text) => text.split(' ').toList }.collect {
      case suite :: versions if versions.isEmpty || versions.exists(spark.startsWith) => suite
    }
  }
}

/** Tests that are not run: below a suite's name its tests, below a test the reason; before a reason the Spark versions
  * that it is about, if not all.
  */
private[suites] object SkipList {
  private val OfVersions = """\(([\d. ]+)\) .*""".r

  /** Tests by suite for a Spark version. */
  def read(file: Path, spark: String): Map[String, Set[String]] = {
    var suite, test = ""
    var skipped = Map.empty[String, Set[String]].withDefaultValue(Set.empty)
    Entry.read(file).foreach {
      case Entry(0, name) => suite = name
      case Entry(1, name) => test = name
      case Entry(_, reason) =>
        val concerned = reason match {
          case OfVersions(versions) => versions.split(' ').exists(spark.startsWith)
          case _ => true
        }
        if (concerned) skipped += suite -> (skipped(suite) + test)
    }
    skipped
  }
}
