package io.holdfast.integration.run

import java.io.IOException
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using
import scala.util.control.NonFatal

import io.holdfast.integration.Children
import io.holdfast.integration.report.{Account, Accounts}

/** Asks the program `holdfast` about the logs that an experiment's applications have left.
  *
  * @param events folder of Spark's event logs
  * @param decisions folder of Holdfast's decision logs
  */
final class Cli(program: Path, events: Path, decisions: Path) extends Accounts {
  import Cli._

  private val known = mutable.Map[String, Either[String, Account]]()

  override def of(application: String): Either[String, Account] = known.getOrElseUpdate(
    application,
    for {
      log <- logOf(events, application)
      whatif <- said("whatif", log.toString, "--by", "execution", "--simulate", "0", "--json")
      decided <- logOf(decisions, application)
      explain <- said("explain", decided.toString, "--json")
      account <- read(whatif, explain)
    } yield account
  )

  private def read(whatif: String, explain: String) =
    try Right(Account.read(whatif, explain))
    catch { case NonFatal(e) => Left(s"holdfast said what is not understood: $e") }

  /** What a command writes, or why it failed. */
  private def said(arguments: String*): Either[String, String] = {
    val Seq(out, err) = Seq("out", "err").map(Files.createTempFile("holdfast-cli", _)): @unchecked
    val builder = new ProcessBuilder((program.toString +: arguments).asJava)
    try {
      val process = Children.start(builder.redirectOutput(out.toFile).redirectError(err.toFile))
      val ended =
        try process.waitFor(LimitS, TimeUnit.SECONDS)
        finally Children.end(process)
      if (ended && process.exitValue() == 0) Right(Files.readString(out))
      else {
        val why =
          if (ended) Files.readString(err).linesIterator.toSeq.lastOption.getOrElse("") else s"no end after $LimitS s"
        Left(s"holdfast ${arguments.head} failed: $why")
      }
    } catch { case e: IOException => Left(s"holdfast ${arguments.head} failed: ${e.getMessage}") }
    finally
      Seq(out, err).foreach(Files.deleteIfExists(_))
  }
}

private object Cli {

  /** A hang guard. */
  private val LimitS = 300L

  /** What Spark puts before the name of a log that it rolls. */
  private val Rolling = "eventlog_v2_"

  private def logOf(folder: Path, application: String): Either[String, Path] = {
    val found =
      if (Files.notExists(folder)) Nil
      else Using.resource(Files.list(folder))(_.iterator.asScala.filter(isOf(_, application)).toSeq)
    found.sortBy(_.getFileName.toString).headOption.toRight(s"$application has no log in ${folder.getFileName}")
  }

  private def isOf(log: Path, application: String) =
    log.getFileName.toString.stripPrefix(Rolling).startsWith(application)
}
