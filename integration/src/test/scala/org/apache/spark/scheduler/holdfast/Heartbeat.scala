package org.apache.spark.scheduler.holdfast

import scala.collection.mutable

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.executor.ExecutorMetrics
import org.apache.spark.scheduler.TaskSchedulerImpl
import org.apache.spark.util.AccumulatorV2

/** What the driver's scheduler is told when a heartbeat comes, said by a test instead of an executor. */
object Heartbeat {

  /** @param read for each attempt's id, the records that it says it has read so far */
  def send(sc: SparkContext, executor: String, read: (Long, Long)*): Unit = {
    val updates = read.map { case (attempt, records) =>
      val counter = sc.longAccumulator("internal.metrics.input.recordsRead")
      counter.add(records)
      attempt -> Seq[AccumulatorV2[_, _]](counter)
    }
    val scheduler = sc.taskScheduler.asInstanceOf[TaskSchedulerImpl]
    val none = mutable.Map.empty[(Int, Int), ExecutorMetrics]
    scheduler.executorHeartbeatReceived(executor, updates.toArray, SparkEnv.get.blockManager.blockManagerId, none)
    ()
  }
}
