package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.{SparkContext, SparkEnv}

/** What else this Spark line derives from the master between plugins and scheduler. */
private[holdfast] object Environment {

  /** The memory manager's page size depends on how many cores of the driver run tasks: only local masters have any. */
  def restore(sc: SparkContext): Unit = {
    val cores = SparkContext.numDriverCores(sc.master, sc.conf)
    if (cores > 0) {
      classOf[SparkEnv].getDeclaredFields.find(_.getName.endsWith("_memoryManager")).foreach { field =>
        field.setAccessible(true)
        field.set(sc.env, null)
        sc.env.initializeMemoryManager(cores)
      }
    }
  }
}
