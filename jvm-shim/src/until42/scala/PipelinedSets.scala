package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.scheduler._

/** No shuffle is pipelined, in these Spark lines. */
private[spark] trait PipelinedSets extends HoldfastOverrides {

  override private[holdfast] def passesThrough(taskSet: TaskSet): Boolean = false
}
