package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.scheduler._

/** What is overridden of a scheduler in this Spark line alone. */
private[spark] trait LineOverrides extends HoldfastOverrides {

  override private[holdfast] def passesThrough(taskSet: TaskSet): Boolean = false

  override private[holdfast] def newManager(taskSet: TaskSet, maxTaskFailures: Int): HoldfastTaskSetManager =
    new HoldfastTaskSetManager(this, taskSet, maxTaskFailures, healthTrackerOpt, managerClock)
}
