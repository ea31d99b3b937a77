package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.scheduler._
import org.apache.spark.scheduler.TaskLocality.TaskLocality

/** The order of a set's pending tasks by size. Delay scheduling stays as it is: only within each of Spark's lists, by
  * locality, another task comes first. Where all are of one size Spark's order is that of the sizes.
  *
  * @param units
  *   the size of each task
  */
private[holdfast] class BySize(manager: TaskSetManager, scheduler: TaskSchedulerImpl, units: Array[Int]) {

  /** Brings the largest task of at most `most` units, or the smallest, to the end of the list that Spark will take one of:
    * there it begins.
    */
  def arrange(execId: String, host: String, allowed: TaskLocality, largest: Boolean, most: Long): Unit = {
    def may(locality: TaskLocality): Boolean = TaskLocality.isAllowed(allowed, locality)
    def bring(list: Option[ArrayBuffer[Int]]): Boolean = list.exists(bringIn(_, execId, host, largest, most))
    val pending = manager.pendingTasks
    bring(pending.forExecutor.get(execId)) ||
    may(TaskLocality.NODE_LOCAL) && bring(pending.forHost.get(host)) ||
    may(TaskLocality.NO_PREF) && bring(Some(pending.noPrefs)) ||
    may(TaskLocality.RACK_LOCAL) && bring(scheduler.getRackForHost(host).flatMap(pending.forRack.get)) ||
    may(TaskLocality.ANY) && bring(Some(pending.all))
    ()
  }

  private def bringIn(list: ArrayBuffer[Int], execId: String, host: String, largest: Boolean, most: Long): Boolean = {
    // The smallest of those that are too large is the last resort: such come after all others.
    def before(a: Int, b: Int): Boolean = {
      val (one, other) = (units(a).toLong, units(b).toLong)
      val (fits, otherFits) = (!largest || one <= most, !largest || other <= most)
      if (fits != otherFits) fits
      else if (one == other) a < b
      else if (largest && fits) one > other
      else one < other
    }
    var best = -1
    var i = 0
    while (i < list.length) {
      val index = list(i)
      if (BySize.waits(manager, index) && (best < 0 || before(index, list(best))) && !excluded(index, execId, host))
        best = i
      i += 1
    }
    if (best >= 0 && best < list.length - 1) list += list.remove(best)
    best >= 0
  }

  private def excluded(index: Int, execId: String, host: String): Boolean =
    manager.taskSetExcludelistHelperOpt.exists { list =>
      list.isNodeExcludedForTask(host, index) || list.isExecutorExcludedForTask(execId, index)
    }
}

private[holdfast] object BySize {

  /** Spark cleans its lists of others when it comes across them. */
  def waits(manager: TaskSetManager, index: Int): Boolean =
    manager.copiesRunning(index) == 0 && !manager.successful(index)
}
