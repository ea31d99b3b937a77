package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.scheduler._

/** Groups of stages whose shuffles are pipelined. */
private[spark] trait PipelinedSets extends HoldfastOverrides {

  /** A group of stages that stream to each other runs as a whole or not at all: Spark has counted its slots. */
  override private[holdfast] def passesThrough(taskSet: TaskSet): Boolean = taskSet.isPipelined

  /** That count takes what other task sets have outstanding. What is held comes on top, as far as its owners have no
    * pending tasks, which are counted already.
    */
  override def outstandingTasksForOtherWorkInProfile(resourceProfileId: Int, excludeStageIds: Set[Int]): Int =
    synchronized {
      super.outstandingTasksForOtherWorkInProfile(resourceProfileId, excludeStageIds) + heldBeyondPending
    }

  private def heldBeyondPending: Int =
    try {
      val pending = rootPool.getSortedTaskSetQueue.collect {
        case ours: HoldfastTaskSetManager if ours.workflowPriority > 0 => ours.pendingTasks.all.size
      }.sum
      math.max(0, session.counters.get("held").intValue - pending)
    } catch { case Survivable(_) => 0 }
}
