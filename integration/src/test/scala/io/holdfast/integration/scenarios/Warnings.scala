package io.holdfast.integration.scenarios

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.{LogEvent, LoggerContext}
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property

/** Warnings of Holdfast's loggers in this JVM, or of others, as a user's log would have them. */
object Warnings {
  private val heard = mutable.ArrayBuffer[(String, String)]()

  private object Ear extends AbstractAppender("warnings", null, null, false, Property.EMPTY_ARRAY) {
    override def append(event: LogEvent): Unit =
      if (event.getLevel.isMoreSpecificThan(Level.WARN)) {
        heard.synchronized(heard += event.getLoggerName -> event.getMessage.getFormattedMessage)
      }
  }

  private lazy val installed: Unit = {
    val context = LogManager.getContext(false).asInstanceOf[LoggerContext]
    Ear.start()
    context.getConfiguration.getLoggers.values.asScala.foreach(_.addAppender(Ear, Level.WARN, null))
    context.updateLoggers()
  }

  /** What `body` returned, and the warnings of loggers below `of` meanwhile. */
  def during[T](body: => T, of: String = "io.holdfast"): (T, Seq[String]) = {
    installed
    heard.synchronized(heard.clear())
    val result = body
    (result, heard.synchronized(heard.toSeq).collect { case (logger, said) if logger.startsWith(of) => said })
  }
}
