package org.apache.spark.scheduler.holdfast.sparkline

import java.nio.ByteBuffer
import java.util.Properties

import scala.collection.mutable

import _root_.io.holdfast.bridge.NativeEngine
import _root_.io.holdfast.session.{Pools, Session, SparkSide}
import org.apache.spark.TaskState
import org.apache.spark.executor.ExecutorMetrics
import org.apache.spark.resource.ResourceProfile
import org.apache.spark.scheduler._
import org.apache.spark.storage.BlockManagerId
import org.apache.spark.util.{AccumulatorV2, Clock}

/** What is overridden of a scheduler, whichever it is. Every override tells the session what happens, or asks it; all
  * that Spark does stays in `super`. The session has its own lock and never waits for Spark's.
  */
private[spark] trait HoldfastOverrides extends TaskSchedulerImpl {

  /** The conversation with the engine. A spied copy of this scheduler shares it. */
  private[holdfast] val session: Session = newSession(new SparkSide {
    override def revive(): Unit = if (backend != null) backend.reviveOffers()
    override def runsJob(job: Int): Boolean = Plan.runs(dagScheduler, job)
    override def runsExecution(execution: Long): Boolean = Executions.runs(execution)
  })

  /** How many executors have joined; task sets that sat out a round compare it with what they have seen. */
  private[holdfast] var executorsJoined = 0

  private var plan: Plan = Plan.Empty
  private var cacheFilled = false
  private var sizes = Sizes.Unknown

  override val rootPool: Pool = new HoldfastPool(schedulingMode, session)

  // An end that is dropped would keep a job for ever: not into a crowded queue. This one is short, since Spark's own
  // liveness depends on it, and a further queue would wake a further thread for each task's events.
  if (sc.listenerBus != null) sc.listenerBus.addToManagementQueue(new HoldfastListener(this))

  private[holdfast] def newSession(spark: SparkSide): Session = Line.newSession(sc, spark)

  /** What is known of the job of a task set that is being submitted. */
  private[holdfast] def planOf(taskSet: TaskSet): Plan = Plan.of(dagScheduler, taskSet)

  /** Whether the task set computes partitions that will be cached. */
  private[holdfast] def fillsCache(taskSet: TaskSet): Boolean = Plan.fillsCache(dagScheduler, taskSet.stageId)

  /** An error in here must not become one of Spark's. */
  private def tell(what: String)(body: => Unit): Unit =
    try if (session.live) body
    catch { case Survivable(e) => session.fail(what, e) }

  override def start(): Unit = {
    super.start()
    try open()
    catch { case Survivable(e) => session.unavailable(e) }
  }

  private def open(): Unit = {
    // A test's backend may have no application.
    val application =
      try if (backend == null) null else backend.applicationId()
      catch { case Survivable(_) => null }
    session.open(if (application == null) "unknown" else application)
  }

  /** By now Spark knows the application's id, which the names of metrics begin with. */
  override def postStartHook(): Unit = {
    super.postStartHook()
    tell("metrics")(sc.env.metricsSystem.registerSource(new HoldfastSource(session)))
  }

  override def stop(exitCode: Int): Unit =
    try super.stop(exitCode)
    finally {
      try session.close()
      catch { case Survivable(_) => } // what it cannot end is said there
    }

  // What the DAG says is read before Spark's lock is taken: it may ask where partitions are cached.
  override def submitTasks(taskSet: TaskSet): Unit = {
    tell("plan") {
      session.reconcile()
      if (session.wantsPlan(taskSet.priority, taskSet.stageId)) plan = planOf(taskSet)
      // A barrier stage starts as a whole: spreading it would refuse some of its tasks.
      if (session.stragglers.told) sizes = Sizes.of(dagScheduler, taskSet)
      cacheFilled = !taskSet.tasks.headOption.exists(_.isBarrier) && fillsCache(taskSet)
    }
    try super.submitTasks(taskSet)
    finally {
      plan = Plan.Empty
      cacheFilled = false
      sizes = Sizes.Unknown
    }
  }

  override private[scheduler] def createTaskSetManager(taskSet: TaskSet, maxTaskFailures: Int): TaskSetManager = {
    try if (unopened) open() // start was not called
    catch { case Survivable(e) => session.unavailable(e) }
    val ours =
      try if (passesThrough(taskSet)) None else Some(begin(taskSet, newManager(taskSet, maxTaskFailures)))
      catch {
        case Survivable(e) =>
          session.fail("task set manager", e)
          None
      }
    ours.getOrElse(super.createTaskSetManager(taskSet, maxTaskFailures))
  }

  /** Whether Spark schedules it as if Holdfast were not there. */
  private[holdfast] def passesThrough(taskSet: TaskSet): Boolean

  private def unopened: Boolean =
    try session.unopened
    catch { case Survivable(_) => false }

  private def begin(taskSet: TaskSet, manager: HoldfastTaskSetManager): TaskSetManager = {
    tell("task set") {
      (plan.profiles + taskSet.resourceProfileId).filterNot(known).foreach(defineProfile)
      if (schedulingMode == SchedulingMode.FAIR) definePool(taskSet.properties)
      manager.ref = session.submitted(
        taskSet.priority,
        taskSet.stageId,
        taskSet.tasks.length,
        taskSet.resourceProfileId,
        kindOf(taskSet, manager),
        cacheFilled,
        taskSet.properties,
        plan.endsInShuffle,
        plan.entries,
        () => manager.isZombie
      )
      plan.result.foreach { result =>
        val local = taskSet.properties
        session.stragglers.bounded(taskSet.priority, result.stage, result.barrier, result.leftMillis, local)
      }
      if (manager.ref != null && !manager.isBarrier) manager.sized(sizes)
    }
    manager
  }

  private def kindOf(taskSet: TaskSet, manager: TaskSetManager): Int =
    if (manager.isBarrier) NativeEngine.BARRIER
    else if (taskSet.tasks.headOption.exists(_.isInstanceOf[ShuffleMapTask])) NativeEngine.SHUFFLE_MAP
    else NativeEngine.RESULT

  /** Of task set managers; a constructor's argument of the class that this trait is mixed into. */
  private[holdfast] def managerClock: Clock

  private[holdfast] def newManager(taskSet: TaskSet, maxTaskFailures: Int): HoldfastTaskSetManager

  /** A pool that Spark does not know yet is made for this task set in a moment: FIFO, weight 1, no minimum. */
  private def definePool(properties: Properties): Unit =
    rootPool.getSchedulableByName(Pools.name(properties)) match {
      case pool: Pool =>
        session.definePool(properties, pool.schedulingMode == SchedulingMode.FAIR, pool.weight, pool.minShare)
      case _ => session.definePool(properties, false, 1, 0)
    }

  /** The engine keeps the default one; it may have forgotten others since their last task set. */
  private def known(id: Int): Boolean =
    id == ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID && session.knowsProfile(id)

  private def defineProfile(id: Int): Unit = {
    val profile = sc.resourceProfileManager.resourceProfileFromId(id)
    val cpus = ResourceProfile.getTaskCpusOrDefaultForProfile(profile, conf)
    val customs = Customs.demand(profile)
    // Profiles of tasks alone share the executors of the default one.
    val default = ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID
    val runsOn = if (sc.resourceProfileManager.canBeScheduled(id, default)) default else id
    session.defineProfile(id, runsOn, Cpus.demand(cpus), customs(0), customs(1))
  }

  override def taskSetFinished(manager: TaskSetManager): Unit = synchronized {
    super.taskSetFinished(manager)
    manager match {
      case ours: HoldfastTaskSetManager if ours.ref != null => tell("task set ended")(session.ended(ours.ref))
      case _ =>
    }
  }

  override def statusUpdate(tid: Long, state: TaskState.TaskState, data: ByteBuffer): Unit = {
    // The slot is offered again when this returns: whoever may hold it must hold it by then.
    if (TaskState.isFinished(state)) tell("slot freed")(synchronized {
      taskIdToTaskSetManager.get(tid) match {
        case ours: HoldfastTaskSetManager => ours.slotFreed(tid, state)
        case _ =>
      }
    })
    super.statusUpdate(tid, state, data)
  }

  override def resourceOffers(offers: IndexedSeq[WorkerOffer], isAllFreeResources: Boolean): Seq[Seq[TaskDescription]] =
    synchronized {
      tell("offers")(beginRound(offers, isAllFreeResources))
      super.resourceOffers(offers, isAllFreeResources)
    }

  private def beginRound(offers: IndexedSeq[WorkerOffer], ofAll: Boolean): Unit = {
    session.beginRound(ofAll)
    var defined = Option.empty[Int]
    offers.foreach { offer =>
      val profile = offer.resourceProfileId
      if (!defined.contains(profile)) {
        if (!session.knowsProfile(profile)) defineProfile(profile)
        defined = Some(profile)
      }
      val barred = healthTrackerOpt.exists { tracker =>
        def excluded: Boolean = tracker.isNodeExcluded(offer.host) || tracker.isExecutorExcluded(offer.executorId)
        excluded && {
          // Spark does so a moment later, in the round. A barrier set would be refused what is excluded until then.
          tracker.applyExcludeOnFailureTimeout()
          excluded
        }
      }
      val customs = Customs.free(offer)
      session.offer(offer.executorId, profile, Cpus.free(offer.cores), customs(0), customs(1), barred)
    }
  }

  override def executorAdded(execId: String, host: String): Unit = {
    executorsJoined += 1
    super.executorAdded(execId, host)
  }

  override def executorLost(executorId: String, reason: ExecutorLossReason): Unit = {
    synchronized(tell("executor lost")(session.executorLost(executorId)))
    super.executorLost(executorId, reason)
  }

  override def executorDecommission(executorId: String, info: ExecutorDecommissionInfo): Unit = {
    synchronized(tell("executor decommissioned")(session.decommissioned(executorId)))
    super.executorDecommission(executorId, info)
  }

  override def executorHeartbeatReceived(
      execId: String,
      accumUpdates: Array[(Long, Seq[AccumulatorV2[_, _]])],
      blockManagerId: BlockManagerId,
      executorUpdates: mutable.Map[(Int, Int), ExecutorMetrics]
  ): Boolean = {
    tell("heartbeat") {
      session.heartbeat()
      if (session.stragglers.told) progressed(accumUpdates)
    }
    super.executorHeartbeatReceived(execId, accumUpdates, blockManagerId, executorUpdates)
  }

  /** A report that cannot be read is left out: the next one says more. */
  private def progressed(updates: Array[(Long, Seq[AccumulatorV2[_, _]])]): Unit =
    updates.foreach { case (tid, read) =>
      taskIdToTaskSetManager.get(tid) match {
        case ours: HoldfastTaskSetManager =>
          try ours.progressed(tid, read)
          catch { case Survivable(_) => }
        case _ =>
      }
    }

  /** From the listener, which must not wait for Spark's lock: its queue is Spark's own, and drops what comes too fast. What
    * a set that a job's end has made a zombie says of itself was written before the event was posted.
    */
  private[holdfast] def jobEnded(jobId: Int, succeeded: Boolean): Unit =
    tell("job ended")(session.jobEnded(jobId, succeeded))
}
