package org.apache.spark.scheduler.holdfast

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{ExternalClusterManager, SchedulerBackend, TaskScheduler}

/** A cluster manager of somebody else's that wants every master. */
private[spark] class Claimant extends ExternalClusterManager {
  private def none = throw new UnsupportedOperationException

  override def canCreate(master: String): Boolean = true
  override def createTaskScheduler(sc: SparkContext, master: String): TaskScheduler = none
  override def createSchedulerBackend(sc: SparkContext, master: String, scheduler: TaskScheduler): SchedulerBackend =
    none
  override def initialize(scheduler: TaskScheduler, backend: SchedulerBackend): Unit = none
}
