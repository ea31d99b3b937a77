package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.scheduler._

/** Task sets of streaming queries are as others are, in these Spark lines. */
private[spark] trait StreamingSets extends HoldfastOverrides {

  override private[holdfast] def newManager(taskSet: TaskSet, maxTaskFailures: Int): HoldfastTaskSetManager =
    new HoldfastTaskSetManager(this, taskSet, maxTaskFailures, healthTrackerOpt, managerClock)
}
