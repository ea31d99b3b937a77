package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.SparkContext

/** What else this Spark line derives from the master between plugins and scheduler. */
private[holdfast] object Environment {

  /** Nothing here: the environment is complete before plugins are asked. */
  def restore(sc: SparkContext): Unit = require(!sc.isStopped)
}
