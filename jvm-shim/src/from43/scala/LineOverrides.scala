package org.apache.spark.scheduler.holdfast.sparkline

import java.util.Properties

import org.apache.spark.internal.config
import org.apache.spark.scheduler._
import org.apache.spark.util.Clock

/** What is overridden of a scheduler in this Spark line alone. */
private[spark] trait LineOverrides extends HoldfastOverrides {

  /** A group of stages that stream to each other runs as a whole or not at all: Spark has counted its slots. */
  override private[holdfast] def passesThrough(taskSet: TaskSet): Boolean = taskSet.isPipelined

  /** That count takes what other task sets have outstanding. What is held comes on top, as far as its owners have no
    * pending tasks, which are counted already.
    */
  override def outstandingTasksForOtherWorkInProfile(resourceProfileId: Int, excludeStageIds: Set[Int]): Int =
    synchronized {
      super.outstandingTasksForOtherWorkInProfile(resourceProfileId, excludeStageIds) + heldBeyondPending
    }

  private def heldBeyondPending: Int =
    try {
      val pending = rootPool.getSortedTaskSetQueue.collect {
        case ours: HoldfastTaskSetManager if ours.workflowPriority > 0 => ours.pendingTasks.all.size
      }.sum
      math.max(0, session.counters.get("held").intValue - pending)
    } catch { case Survivable(_) => 0 }

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
