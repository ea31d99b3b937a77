package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.SparkContext
import org.apache.spark.internal.config
import org.apache.spark.scheduler._
import org.apache.spark.util.{Clock, SystemClock}

/** What is overridden of a scheduler, with what differs by Spark line. */
private[spark] trait LineOverrides extends PipelinedSets with StreamingSets

/** Spark's scheduler, asking before it uses a slot. Constructors are those of [[TaskSchedulerImpl]]. */
private[spark] class HoldfastScheduler(
    sparkContext: SparkContext,
    taskFailures: Int,
    isLocal: Boolean = false,
    schedulerClock: Clock = new SystemClock
) extends TaskSchedulerImpl(sparkContext, taskFailures, isLocal, schedulerClock)
    with LineOverrides {

  def this(sparkContext: SparkContext) = this(sparkContext, sparkContext.conf.get(config.TASK_MAX_FAILURES))

  override private[holdfast] def managerClock: Clock = schedulerClock
}
