package io.holdfast.suites

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

/** How a test ended.
  *
  * @param word passed, failed, canceled, pending, ignored; aborted for a suite as a whole
  * @param why of a failure: message and stack trace
  */
private[suites] final case class Outcome(word: String, why: String = "")

private[suites] object Outcome {
  val Passed = "passed"

  /** Stands for the test's name when a suite fails outside its tests. */
  val Whole = "(the suite as a whole)"
}

/** How the tests of a suite ended, in the order in which they ran. */
private[suites] final case class Outcomes(suite: String, tests: Seq[(String, Outcome)])

/** What the tests did with Spark's own scheduler. */
private[suites] object Record {

  /** Outcomes by suite and test; empty if there is no such file. */
  def read(file: Path): Map[String, Seq[(String, String)]] = {
    var suite = ""
    var found = Map.empty[String, Seq[(String, String)]]
    val entries = if (Files.exists(file)) Entry.read(file) else Nil
    entries.foreach {
      case Entry(0, name) =>
        suite = name
        found += suite -> Vector.empty
      case Entry(_, text) =>
        val outcome = text.takeWhile(_ != ' ')
        found += suite -> (found(suite) :+ (text.drop(outcome.length + 1) -> outcome))
    }
    found
  }

  /** Replaces the outcomes of these suites and leaves those of others. */
  def update(file: Path, spark: String, results: Seq[Outcomes]): Unit = {
    val fresh = results.map(r => r.suite -> r.tests.map { case (test, outcome) => test -> outcome.word })
    val text = (read(file) ++ fresh).toSeq.sortBy(_._1).map { case (suite, tests) =>
      (suite +: tests.map { case (test, outcome) => s"  $outcome $test" }).mkString("", "\n", "\n")
    }
    val head =
      s"# What the tests of Spark $spark do with Spark's own scheduler; ./gradlew sparkSuites -Precord writes it.\n"
    Files.createDirectories(file.getParent)
    Files.write(file, (head + text.mkString).getBytes(UTF_8))
  }
}

/** A test that does not do with our classes what it does with Spark's. */
private[suites] final case class Difference(suite: String, test: String, stock: String, ours: Outcome) {
  override def toString: String = {
    val why = ours.why.split('\n').find(_.trim.nonEmpty).fold("")(": " + _)
    s"""$suite, "$test": stock $stock, ours ${ours.word}$why"""
  }
}

private[suites] object Difference {
  private val NotRun = Outcome("not run")

  def between(stock: Seq[(String, String)], ours: Outcomes): Seq[Difference] = {
    val (before, now) = (stock.toMap, ours.tests.toMap)
    (stock.map(_._1) ++ ours.tests.map(_._1)).distinct.flatMap { test =>
      val (expected, found) = (before.getOrElse(test, "not recorded"), now.getOrElse(test, NotRun))
      if (expected == found.word) None else Some(Difference(ours.suite, test, expected, found))
    }
  }
}
