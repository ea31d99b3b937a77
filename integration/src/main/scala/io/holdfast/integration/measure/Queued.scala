package io.holdfast.integration.measure

import java.util.concurrent.ConcurrentHashMap

import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.{LogEvent, LoggerContext}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property

/** Notes when the tasks of each stage reached Spark's scheduler. Spark says so in its log only: a listener hears of a stage before
  * the driver serializes its tasks. Stock schedulers and ours say it alike.
  */
private[measure] final class Queued private ()
    extends AbstractAppender(Queued.Name, null, null, true, Property.EMPTY_ARRAY) {
  private val times = new ConcurrentHashMap[(Int, Int), java.lang.Long]()

  override def append(event: LogEvent): Unit = {
    // Every line of Spark's comes by: most are told apart by their first letters.
    val text = event.getMessage.getFormattedMessage
    if (text.startsWith(Queued.Begin)) text match {
      case Queued.Added(stage, attempt) =>
        times.putIfAbsent((stage.toInt, attempt.toInt), event.getTimeMillis)
        ()
      case _ => ()
    }
  }

  /** In epoch ms; none where Spark's log is quieter than INFO. */
  def at(stage: Int, attempt: Int): Option[Long] = Option(times.get((stage, attempt))).map(_.longValue)

  def forget(): Unit = times.clear()
}

private[measure] object Queued {
  private val Name = "queued"
  private val Begin = "Adding task set "
  private val Added = s"$Begin(\\d+)\\.(\\d+) .*".r

  /** Beside the appenders that the log has. Only the latest one notes anything: each Spark counts its stages from 0. */
  def attach(): Queued = {
    val appender = new Queued
    appender.start()
    LogManager.getContext(false) match {
      case context: LoggerContext =>
        val root = context.getConfiguration.getRootLogger
        root.removeAppender(Name)
        root.addAppender(appender, Level.INFO, null)
      case _ => () // another logging library: nothing is noted
    }
    appender
  }
}
