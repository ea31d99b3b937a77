package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable

import org.apache.spark.TaskFailedReason
import org.apache.spark.scheduler._

/** Copies of stragglers in one task set: Spark's own checks, made again for copies that Spark did not choose itself.
  */
private[sparkline] class Copies(manager: TaskSetManager, scheduler: TaskSchedulerImpl) {

  /** Copies that the engine wanted, by attempt. */
  private val own = mutable.HashMap.empty[Long, Int]
  private var chosen = -1

  /** Not where a single failure, a copy's too, ends the job. */
  val possible: Boolean = manager.maxTaskFailures > 1 && Failures.readable

  /** What was chosen and not launched is forgotten. */
  def begin(): Unit = chosen = -1

  /** The task, if Spark would not mind a copy of it there. */
  def of(index: Int, execId: String, host: String): Option[Int] = {
    val allowed = index >= 0 && !manager.successful(index) && manager.copiesRunning(index) == 1 &&
      manager.taskAttempts(index).forall(_.executorId != execId) && !excluded(index, execId, host)
    if (allowed) {
      chosen = index
      Some(index)
    } else None
  }

  private def excluded(index: Int, execId: String, host: String): Boolean =
    manager.taskSetExcludelistHelperOpt.exists { list =>
      list.isNodeExcludedForTask(host, index) || list.isExecutorExcludedForTask(execId, index)
    }

  /** Spark is about to launch a copy. Dynamic allocation counts on being told of every one. */
  def submitted(index: Int): Unit = if (index == chosen && scheduler.dagScheduler != null) {
    scheduler.dagScheduler.speculativeTaskSubmitted(manager.tasks(index), index)
  }

  /** The attempt that Spark has just launched as a copy. */
  def launched(tid: Long, index: Int): Unit = if (index == chosen) {
    chosen = -1
    own(tid) = index
  }

  /** A copy that fails must not bring the job closer to `spark.task.maxFailures`. */
  def failing(tid: Long, reason: TaskFailedReason): Unit = own.remove(tid).foreach { index =>
    if (!manager.isZombie && reason.countTowardsTaskFailures) Failures.of(manager)(index) -= 1
  }
}

/** How often each task has failed. Spark keeps it to itself. */
private object Failures {
  val Name = "numFailures"

  private lazy val field =
    try {
      val field = classOf[TaskSetManager].getDeclaredField(Name)
      if (field.trySetAccessible()) Some(field) else None
    } catch {
      case _: NoSuchFieldException => None
    }

  def readable: Boolean = field.isDefined

  def of(manager: TaskSetManager): Array[Int] = field.get.get(manager).asInstanceOf[Array[Int]]
}
