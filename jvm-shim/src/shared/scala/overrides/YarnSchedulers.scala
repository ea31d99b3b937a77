package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.TaskSchedulerImpl
import org.apache.spark.scheduler.cluster.{YarnClusterScheduler, YarnScheduler}
import org.apache.spark.util.{Clock, SystemClock}

/** With a driver on the machine that submits. Nothing here is loaded unless the master is YARN: spark-yarn may be missing. */
private[spark] class YarnClientHoldfastScheduler(sparkContext: SparkContext)
    extends YarnScheduler(sparkContext)
    with YarnOverrides

/** With a driver in the application master, which hears from this scheduler's `postStartHook` that the context is there. */
private[spark] class YarnClusterHoldfastScheduler(sparkContext: SparkContext)
    extends YarnClusterScheduler(sparkContext)
    with YarnOverrides

/** Racks are Spark's own: these schedulers know them by their base class. */
private[spark] trait YarnOverrides extends LineOverrides {

  override private[holdfast] def managerClock: Clock = new SystemClock
}

private[sparkline] object YarnSchedulers {

  /** As Spark's own manager of this master chooses; it refuses other deploy modes when it is asked for the backend. */
  def of(sc: SparkContext): TaskSchedulerImpl =
    if (sc.deployMode == "cluster") new YarnClusterHoldfastScheduler(sc) else new YarnClientHoldfastScheduler(sc)
}
