package io.holdfast.notice

import scala.collection.mutable

import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.{LogEvent, LoggerContext}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property

/** What a user's log would have of Holdfast's loggers, from warnings on. */
object Heard {
  private val said = mutable.Buffer[String]()

  private object Ear extends AbstractAppender("heard", null, null, false, Property.EMPTY_ARRAY) {
    override def append(event: LogEvent): Unit =
      if (event.getLevel.isMoreSpecificThan(Level.WARN) && event.getLoggerName.startsWith("io.holdfast"))
        said.synchronized { said += event.getMessage.getFormattedMessage; () }
  }

  private lazy val installed: Unit = {
    val context = LogManager.getContext(false).asInstanceOf[LoggerContext]
    Ear.start()
    context.getConfiguration.getRootLogger.addAppender(Ear, Level.WARN, null)
    context.updateLoggers()
  }

  def during(body: => Any): Seq[String] = {
    installed
    said.synchronized(said.clear())
    body
    said.synchronized(said.toSeq)
  }
}
