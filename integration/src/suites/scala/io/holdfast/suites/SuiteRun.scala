package io.holdfast.suites

import java.io.{PrintWriter, StringWriter}

import scala.collection.mutable
import scala.util.control.NonFatal
import scala.util.matching.Regex

import org.scalatest.{Args, DynaTags, Filter, Reporter, Suite}
import org.scalatest.events._

/** One run of one suite.
  *
  * @param skipped tests that are left out
  * @param at is told which test is running
  * @param only names as in the outcomes; without them all tests run
  */
private[suites] final class SuiteRun(
    name: String,
    skipped: Set[String],
    at: String => Unit,
    only: Set[String] = Set.empty
) {
  private val outcomes = mutable.LinkedHashMap.empty[String, Outcome]

  def run(): Outcomes = {
    try {
      val suite = Class.forName(name).getDeclaredConstructor().newInstance().asInstanceOf[Suite]
      val unknown = skipped -- suite.testNames
      if (unknown.nonEmpty) abort(s"the skip list names tests that are not in it: ${unknown.mkString(", ")}")
      val status = suite.run(None, Args(reporter, filter = filter(suite)))
      status.waitUntilCompleted()
      status.unreportedException.foreach(abort(_))
    } catch {
      case _: ClassNotFoundException => abort("this Spark has no such suite; the list of suites can name the versions")
      case e @ (NonFatal(_) | _: LinkageError) => abort(e)
    }
    synchronized(Outcomes(name, outcomes.toList))
  }

  private def filter(suite: Suite): Filter = {
    val others = if (only.isEmpty) Set.empty[String] else suite.testNames.filterNot(test => only(SuiteRun.plain(test)))
    val tags = (skipped ++ others).map(_ -> Set(SuiteRun.Skipped)).toMap
    Filter(tagsToExclude = Set(SuiteRun.Skipped), dynaTags = DynaTags(Map.empty, Map(suite.suiteId -> tags)))
  }

  private def reporter: Reporter = {
    case e: TestStarting => at(e.testName)
    case e: TestSucceeded => ended(e.testName, Outcome.Passed)
    case e: TestFailed => ended(e.testName, "failed", e.message + e.throwable.map(trace).getOrElse(""))
    case e: TestCanceled => ended(e.testName, "canceled", e.message)
    case e: TestPending => ended(e.testName, "pending")
    case e: TestIgnored => ended(e.testName, "ignored")
    case e: SuiteAborted => abort(e.message)
    case _ =>
  }

  private def ended(test: String, word: String, why: String = ""): Unit = synchronized {
    outcomes(unique(SuiteRun.plain(test))) = Outcome(word, why)
  }

  private def unique(name: String): String = {
    val others = outcomes.keys.count(other => other == name || other.startsWith(s"$name ("))
    if (others == 0) name else s"$name (${others + 1})"
  }

  private def abort(cause: Throwable): Unit = abort(s"$cause${trace(cause)}")

  private def abort(why: String): Unit = ended(Outcome.Whole, "aborted", why)

  private def trace(cause: Throwable): String = {
    val text = new StringWriter
    cause.printStackTrace(new PrintWriter(text, true))
    s"\n$text"
  }
}

private object SuiteRun {
  val Skipped = "io.holdfast.Skipped"

  /** Numbers in names of tests that Spark draws at random. */
  val Drawn: Regex = """amount=[\d.]+ can restrict \d+""".r
  val Undrawn = "amount=* can restrict *"

  /** A test's name on one line, the same in each run. */
  def plain(test: String): String = Drawn.replaceAllIn(test.replace('\n', ' '), Undrawn)
}
