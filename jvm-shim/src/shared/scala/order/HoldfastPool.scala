package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable.ArrayBuffer

import _root_.io.holdfast.session.Session
import org.apache.spark.scheduler.{Pool, TaskSetManager}
import org.apache.spark.scheduler.SchedulingMode.SchedulingMode

/** The root pool: task sets of more important workflows come first, equal ones in Spark's own order. */
private[spark] class HoldfastPool(mode: SchedulingMode, session: Session) extends Pool("", mode, 0, 0) {

  override def getSortedTaskSetQueue: ArrayBuffer[TaskSetManager] = {
    val queue = super.getSortedTaskSetQueue
    try if (session.enforcing) ordered(queue) else queue
    catch {
      case Survivable(e) =>
        session.fail("order", e)
        queue
    }
  }

  private def ordered(queue: ArrayBuffer[TaskSetManager]): ArrayBuffer[TaskSetManager] =
    if (queue.forall(priority(_) == 0)) queue
    // Each is read once to sort: a user's thread may change it meanwhile, and sorting fails when the order does.
    else queue.map(manager => (manager, -priority(manager).toLong)).sortBy(_._2).map(_._1)

  private def priority(manager: TaskSetManager): Int = manager match {
    case ours: HoldfastTaskSetManager => ours.workflowPriority
    case _ => 0
  }
}
