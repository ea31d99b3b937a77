package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable.ArrayBuffer

import _root_.io.holdfast.Session
import org.apache.spark.scheduler.{Pool, TaskSetManager}
import org.apache.spark.scheduler.SchedulingMode.SchedulingMode

/** The root pool: task sets of more important workflows come first, equal ones in Spark's own order. */
private[spark] class HoldfastPool(mode: SchedulingMode, session: Session) extends Pool("", mode, 0, 0) {

  override def getSortedTaskSetQueue: ArrayBuffer[TaskSetManager] = {
    val queue = super.getSortedTaskSetQueue
    if (!session.enforcing || queue.forall(priority(_) == 0)) queue
    else queue.sortBy(manager => -priority(manager).toLong)
  }

  private def priority(manager: TaskSetManager): Int = manager match {
    case ours: HoldfastTaskSetManager => ours.workflowPriority
    case _ => 0
  }
}
