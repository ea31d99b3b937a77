package org.apache.spark.scheduler.holdfast.sparkline

import java.util.Properties

import org.apache.spark.internal.config
import org.apache.spark.scheduler._
import org.apache.spark.util.Clock

/** Task sets of streaming queries. */
private[spark] trait StreamingSets extends HoldfastOverrides {

  override private[holdfast] def newManager(taskSet: TaskSet, maxTaskFailures: Int): HoldfastTaskSetManager =
    if (isStreaming(taskSet))
      new StreamingTaskSetManager(this, taskSet, maxTaskFailures, healthTrackerOpt, managerClock)
    else new HoldfastTaskSetManager(this, taskSet, maxTaskFailures, healthTrackerOpt, managerClock)

  private def isStreaming(taskSet: TaskSet): Boolean =
    Option(taskSet.properties).exists(_.getProperty(StructuredStreamingIdAwareSchedulerLogging.QUERY_ID_KEY) != null)
}

/** What it logs names the streaming query, as with Spark's own. */
private[spark] class StreamingTaskSetManager(
    scheduler: TaskSchedulerImpl,
    set: TaskSet,
    taskFailures: Int,
    tracker: Option[HealthTracker],
    setClock: Clock
) extends HoldfastTaskSetManager(scheduler, set, taskFailures, tracker, setClock)
    with StructuredStreamingIdAwareSchedulerLogging {

  override def properties: Properties = set.properties
  override protected val streamingIdAwareLoggingEnabled: Boolean =
    scheduler.conf.get(config.STREAMING_ID_AWARE_SCHEDULER_LOGGING_ENABLED)
  override protected val streamingQueryIdLength: Int =
    scheduler.conf.get(config.STREAMING_ID_AWARE_SCHEDULER_LOGGING_QUERY_ID_LENGTH)
  override protected def logName: String = classOf[TaskSetManager].getName
}
