package org.apache.spark.scheduler.holdfast.loop

import java.nio.ByteBuffer
import java.util.concurrent.ExecutorService

import _root_.io.holdfast.session.{Session, SetRef, SparkSide}
import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.TaskState.TaskState
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.TaskLocality.TaskLocality
import org.apache.spark.scheduler.holdfast.spark40._
import org.apache.spark.serializer.SerializerInstance
import org.apache.spark.util.Clock

/** A scheduler without randomness and threads of its own. */
private[loop] trait Looped extends TaskSchedulerImpl {
  def run: Run

  /** Two rounds of one moment are shuffled alike: a round in which nothing happens must not change what comes later. */
  override protected def shuffleOffers(offers: IndexedSeq[WorkerOffer]): IndexedSeq[WorkerOffer] =
    if (!run.world.shuffled) offers
    else {
      val shuffle = Shuffle(run.draw, run.timeline.elapsed, run.cluster.joined)
      offers.sortBy(offer => shuffle.place(Cluster.number(offer.executorId)))
    }

  // Spark's own looks at a real clock.
  override private[scheduler] lazy val healthTrackerOpt: Option[HealthTracker] =
    if (!HealthTracker.isExcludeOnFailureEnabled(sc.conf)) None
    else Some(new HealthTracker(sc.listenerBus, sc.conf, None, run.timeline.clock))

  // Else Spark waits, in real time, for what it would do when a task may not run anywhere.
  override def stop(exitCode: Int): Unit = {
    Looped.abortTimer.get(this).asInstanceOf[ExecutorService].shutdownNow()
    super.stop(exitCode)
  }

  // Spark's order is that of a hash set.
  override def killAllTaskAttempts(stageId: Int, interruptThread: Boolean, reason: String): Unit =
    run.cluster.killInOrder(super.killAllTaskAttempts(stageId, interruptThread, reason))
}

private[loop] object Looped {

  /** As for a cluster; `isLocal` only keeps Spark's own timers from starting. */
  val TaskFailures = 4
  val IsLocal = true

  private val abortTimer = {
    val field = classOf[TaskSchedulerImpl].getDeclaredField("abortTimer")
    field.setAccessible(true)
    field
  }
}

/** Spark's own. */
private[loop] class LoopedStock(sparkContext: SparkContext, val run: Run)
    extends TaskSchedulerImpl(sparkContext, Looped.TaskFailures, Looped.IsLocal, run.timeline.clock)
    with Looped

/** Ours. */
private[loop] class LoopedHoldfast(sparkContext: SparkContext, val run: Run)
    extends HoldfastScheduler(sparkContext, Looped.TaskFailures, Looped.IsLocal, run.timeline.clock)
    with Looped {
  override private[holdfast] def newSession(spark: SparkSide): Session =
    run.newSession(() => spark.revive()) // its jobs are none of Spark's DAG scheduler's
  override private[holdfast] def planOf(taskSet: TaskSet): Plan =
    if (run.variant.flaw.contains(Flaw.Unlinked)) throw new NoSuchMethodError("as on a patched Spark")
    else run.jobs.planOf(taskSet)
  override private[holdfast] def fillsCache(taskSet: TaskSet): Boolean = run.jobs.fillsCache(taskSet)
  override private[holdfast] def newManager(taskSet: TaskSet, failures: Int): HoldfastTaskSetManager =
    if (run.variant.flaw.contains(Flaw.Lawless)) new LawlessManager(this, taskSet, failures, run.timeline.clock)
    else new LoopedManager(this, taskSet, failures, run.timeline.clock)
}

/** Looks at what a set is refused, and whose holds its launches end. */
private[loop] class LoopedManager(looped: LoopedHoldfast, submitted: TaskSet, mostFailures: Int, time: Clock)
    extends HoldfastTaskSetManager(looped, submitted, mostFailures, looped.healthTrackerOpt, time) {
  private def watch: Watch = looped.run.watch

  /** What happens around an ask for a slot. */
  protected def asking[T](body: => T): T = watch.asking(taskSet)(body)

  /** What happens around a launch. */
  protected def launching[T](body: => T): T = watch.launching(taskSet)(body)

  override def isSchedulable: Boolean = asking(super.isSchedulable)

  override def resourceOffer(
      execId: String,
      host: String,
      maxLocality: TaskLocality,
      taskCpus: Int,
      assignments: Customs.Assignments
  ): (Option[TaskDescription], Boolean, Int) =
    asking(super.resourceOffer(execId, host, maxLocality, taskCpus, assignments))

  override def prepareLaunchingTask(
      execId: String,
      host: String,
      index: Int,
      taskLocality: TaskLocality.Value,
      speculative: Boolean,
      taskCpus: Int,
      assignments: Customs.Assignments,
      launchTime: Long
  ): TaskDescription = launching {
    super.prepareLaunchingTask(execId, host, index, taskLocality, speculative, taskCpus, assignments, launchTime)
  }
}

/** Takes slots as Spark's own does, and only says what it has launched. */
private[loop] class LawlessManager(lawless: LoopedHoldfast, theirs: TaskSet, attempts: Int, now: Clock)
    extends LoopedManager(lawless, theirs, attempts, now) {
  private var known: SetRef = _

  override protected def asking[T](body: => T): T = {
    known = ref
    ref = null
    try super.asking(body)
    finally ref = known
  }

  override protected def launching[T](body: => T): T = {
    ref = known
    super.launching(body)
  }
}

/** Results are taken in some time after their status, in any order, as Spark's pool of threads does it. */
private[loop] class Results(env: SparkEnv, receiver: TaskSchedulerImpl, run: Run)
    extends TaskResultGetter(env, receiver) {

  override def enqueueSuccessfulTask(manager: TaskSetManager, tid: Long, data: ByteBuffer): Unit =
    later(tid)(receiver.handleSuccessfulTask(manager, tid, Results.Done))

  override def enqueueFailedTask(manager: TaskSetManager, tid: Long, state: TaskState, data: ByteBuffer): Unit = {
    val reason = run.cluster.reason(tid)
    later(tid)(receiver.handleFailedTask(manager, tid, state, reason))
  }

  override def enqueuePartitionCompletionNotification(stageId: Int, partitionId: Int): Unit =
    run.timeline.after(0)(receiver.handlePartitionCompleted(stageId, partitionId))

  private def later(tid: Long)(body: => Unit): Unit =
    run.timeline.after(run.draw.upTo(run.world.costs.result)(Draw.Result, tid).toLong)(body)
}

private object Results {
  object Done extends DirectTaskResult[Int](ByteBuffer.allocate(0), Nil, Array.empty[Long]) {
    override def value(serializer: SerializerInstance): Int = 0
  }
}
