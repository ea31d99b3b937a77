package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable

import _root_.io.holdfast.bridge.{NativeEngine, Pick}
import _root_.io.holdfast.session.{Asks, Session, SetRef, Stragglers}
import org.apache.spark.{TaskFailedReason, TaskState}
import org.apache.spark.TaskState.TaskState
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.TaskLocality.TaskLocality
import org.apache.spark.util.{AccumulatorV2, Clock, SystemClock}

/** Spark's task set manager, asking before it uses a slot. With a scheduler that is not ours, and before [[ref]] is set,
  * it does what Spark's does. Called under the scheduler's lock, as Spark's is.
  */
private[spark] class HoldfastTaskSetManager(
    scheduler: TaskSchedulerImpl,
    set: TaskSet,
    taskFailures: Int,
    tracker: Option[HealthTracker] = None,
    setClock: Clock = new SystemClock()
) extends TaskSetManager(scheduler, set, taskFailures, tracker, setClock) {

  private type Offered = (Option[TaskDescription], Boolean, Int)

  private val ours: HoldfastOverrides = scheduler match {
    case s: HoldfastOverrides => s
    case _ => null
  }
  private val session: Session = if (ours == null) null else ours.session
  private def stragglers: Stragglers = session.stragglers
  private val legacyReset = ours != null && scheduler.conf != null && Line.legacyLocalityReset(scheduler.conf)

  /** The engine's view of this set; null while nobody asks. */
  private[holdfast] var ref: SetRef = _

  /** Attempts that have ended well and whose results Spark has not looked at yet. */
  private val unsettled = mutable.HashSet.empty[Long]

  /** It sat out rounds in which executors may have joined. */
  private var skipped = false
  private var executorsSeen = if (ours == null) 0 else ours.executorsJoined

  /** Launches of this round beyond what delay scheduling allows, and the best locality of the others. */
  private var round = -1L
  private var widening = false
  private var levels = Array.empty[TaskLocality]
  private var hasWidened = false
  private var ordinary: Option[TaskLocality] = None

  private lazy val copies = new Copies(this, scheduler)

  /** How much each task reads; said before the first launch. */
  private var sizes = Sizes.Unknown
  private lazy val progress = new Progress(sizes)
  private var bySize = Option.empty[BySize]

  /** What the engine wants launched in this offer, and whether a copy was, though tasks are pending. */
  private var choice = Pick.HOST
  private var copiedFirst = false

  // Not by way of `guarded`: each launch would pay for a closure more.
  private def tell(what: String)(body: => Unit): Unit =
    if (ref != null)
      try if (session.live) body
      catch { case Survivable(e) => session.fail(what, e) }

  private def guarded(what: String)(body: => Unit): Unit =
    try body
    catch { case Survivable(e) => session.fail(what, e) }

  /** Priority of its workflow, 0 when nothing is known of it. */
  private[holdfast] def workflowPriority: Int = if (ref == null) 0 else ref.priority

  // Spark leaves out sets that have nothing pending: not those that should get a copy of a straggler.
  override def isSchedulable: Boolean = {
    val sparks = super.isSchedulable
    if (ref == null) sparks
    else
      try if (sparks) admitted() else !isZombie && copies.possible && stragglers.wantsCopies(ref)
      catch { case Survivable(e) => failed("schedulable", e, sparks) }
  }

  private def failed[T](what: String, e: Throwable, sparks: T): T = {
    session.fail(what, e)
    sparks
  }

  /** A set that can use no slot at all now leaves the round here. */
  private def admitted(): Boolean = {
    val admitted = session.admits(ref)
    if (!admitted) {
      skipped = true
    } else if (skipped) {
      skipped = false
      // Spark tells only those who are in the round that an executor has joined.
      if (executorsSeen != ours.executorsJoined) executorAdded()
    }
    admitted
  }

  override def executorAdded(): Unit = {
    super.executorAdded()
    if (ours != null) guarded("executor added") { executorsSeen = ours.executorsJoined }
  }

  override def resourceOffer(
      execId: String,
      host: String,
      maxLocality: TaskLocality,
      taskCpus: Cpus.Cpus,
      assignments: Customs.Assignments
  ): Offered =
    if (ref == null || isZombie) {
      super.resourceOffer(execId, host, maxLocality, taskCpus, assignments)
    } else {
      val answer =
        try asked(execId)
        catch { case Survivable(e) => failed("ask", e, Asks.ALLOW) }
      choice = Pick.HOST
      copiedFirst = false
      val some =
        try answer != Asks.VETO && picks(execId)
        catch { case Survivable(e) => failed("pick", e, true) }
      // As for an excluded executor: not "rejected by delay scheduling", or its timers would not be reset.
      if (!some) (None, false, -1)
      else {
        val sparks = super.resourceOffer(execId, host, maxLocality, taskCpus, assignments)
        val widen =
          try {
            ordinarily(sparks)
            sparks._1.isEmpty && answer == Asks.ALLOW_HELD && beginWidening(maxLocality)
          } catch { case Survivable(e) => failed("locality", e, false) }
        val offered = if (widen) widened(execId, host, maxLocality, taskCpus, assignments, sparks) else sparks
        choice = Pick.HOST
        if (offered._1.contains(null)) tell("pending")(if (session.asking) session.pending(ref, execId))
        offered
      }
    }

  private def asked(execId: String): Int = if (session.asking) session.ask(ref, execId) else Asks.ALLOW

  /** The sizes of the tasks, in bytes, before the first launch. */
  private[holdfast] def sized(bytes: Array[Long]): Unit = {
    sizes = bytes
    Sizes.units(bytes).foreach { units =>
      bySize = Some(new BySize(this, scheduler, units))
      stragglers.sized(ref, units)
    }
  }

  /** What an executor says that an attempt has read; not under Spark's lock. */
  private[holdfast] def progressed(tid: Long, updates: Iterable[AccumulatorV2[_, _]]): Unit =
    if (ref != null && !isZombie) progress.share(tid, updates).foreach(stragglers.progressed(tid, _))

  /** Asks what to launch next; false for nothing. Where nothing waits Spark goes on as it would: it clears its lists, its
    * wait for locality ends, and it may copy stragglers itself.
    */
  private def picks(execId: String): Boolean =
    if (stragglers.picking && !isBarrier && pendingTasks.all.nonEmpty) {
      val picked = stragglers.pick(ref, execId)
      if (picked != Pick.NOTHING) choice = picked
      picked != Pick.NOTHING || !pendingTasks.all.exists(BySize.waits(this, _))
    } else true

  /** The copy that comes before pending tasks; else those are put into the wanted order. */
  private def picked(execId: String, host: String, maxLocality: TaskLocality): Option[(Int, TaskLocality, Boolean)] =
    if (Pick.isCopy(choice)) {
      val copy = if (copies.possible) copies.of(Pick.copied(choice), execId, host) else None
      copiedFirst = copy.isDefined
      copy.map((_, maxLocality, true))
    } else {
      bySize.foreach(_.arrange(execId, host, maxLocality, Pick.largest(choice), Pick.most(choice)))
      None
    }

  /** What Spark does by itself. A round may begin without asks, and end with them. */
  private def ordinarily(offered: Offered): Unit = {
    if (round != session.round) {
      round = session.round
      hasWidened = false
      ordinary = None
    }
    // A copy says nothing of where pending tasks are launched.
    if (copiedFirst) hasWidened = true
    else if (offered._1.isDefined) tell("locality") {
      val locality = localityOf(offered)
      if (ordinary.forall(_ > locality)) ordinary = Some(locality)
    }
  }

  /** On an own held slot that would stay idle every level is allowed. Spark reads the level at its current index; with ANY
    * there, and nothing above, it changes neither index nor timer, so that asks for other executors wait as before.
    */
  private def beginWidening(maxLocality: TaskLocality): Boolean =
    maxLocality > TaskLocality.NO_PREF && !isZombie && pendingTasks.all.nonEmpty && {
      val index = LocalityIndex.of(this)
      val wider = index < myLocalityLevels.length - 1
      if (wider) {
        levels = myLocalityLevels
        myLocalityLevels = Array.fill(index + 1)(TaskLocality.ANY)
        widening = true
      }
      wider
    }

  private def widened(
      execId: String,
      host: String,
      maxLocality: TaskLocality,
      taskCpus: Cpus.Cpus,
      assignments: Customs.Assignments,
      sparks: Offered
  ): Offered = {
    val atOnce =
      try super.resourceOffer(execId, host, maxLocality, taskCpus, assignments)
      finally {
        widening = false
        myLocalityLevels = levels
      }
    if (atOnce._1.isDefined) {
      hasWidened = true
      atOnce
    } else sparks
  }

  /** The best level that the set has, also while all levels are allowed. */
  private def nearest: TaskLocality =
    (if (widening) levels else myLocalityLevels).headOption.getOrElse(TaskLocality.ANY)

  private def localityOf(offered: Offered): TaskLocality = offered._1 match {
    case Some(null) => barrierPendingLaunchTasks(offered._3).taskLocality
    case Some(description) => taskInfos(description.taskId).taskLocality
    case None => TaskLocality.ANY
  }

  // At the end of a set's turn Spark goes to the best level at which it launched: not to that of launches which did not
  // have to wait. After an error rounds are not counted any more, and what Spark does stands.
  override private[scheduler] def resetDelayScheduleTimer(minLocality: Option[TaskLocality]): Unit =
    if (!widening) {
      val other =
        try hasWidened && session.enforcing && !legacyReset
        catch { case Survivable(e) => failed("locality timer", e, false) }
      super.resetDelayScheduleTimer(if (other) ordinary else minLocality)
    }

  override def prepareLaunchingTask(
      execId: String,
      host: String,
      index: Int,
      taskLocality: TaskLocality.Value,
      speculative: Boolean,
      taskCpus: Cpus.Cpus,
      assignments: Customs.Assignments,
      launchTime: Long
  ): TaskDescription = {
    // Before Spark says that it has begun: dynamic allocation counts those that are submitted and have not begun.
    if (speculative) tell("copy submitted")(copies.submitted(index))
    val task =
      super.prepareLaunchingTask(execId, host, index, taskLocality, speculative, taskCpus, assignments, launchTime)
    if (speculative) tell("copy launched")(copies.launched(task.taskId, index))
    tell("launched") {
      val local = taskLocality <= nearest || taskLocality == TaskLocality.NO_PREF
      if (stragglers.told) progress.launched(task.taskId, index)
      session.launched(ref, task.taskId, index, execId, local)
    }
    task
  }

  /** An attempt has left its slot; its result comes later. */
  private[holdfast] def slotFreed(tid: Long, state: TaskState): Unit = tell("slot freed") {
    if (state == TaskState.FINISHED) unsettled += tid
    if (stragglers.told) progress.ended(tid)
    session.freed(
      tid,
      state match {
        case TaskState.FINISHED => NativeEngine.FINISHED
        case TaskState.FAILED => NativeEngine.FAILED
        case _ => NativeEngine.NOT_FINISHED
      }
    )
  }

  /** Spark asks for a pending task first, then for a copy of a running one: its own choice comes before ours, unless the
    * engine picks.
    */
  override protected def dequeueTaskHelper(
      execId: String,
      host: String,
      maxLocality: TaskLocality,
      speculative: Boolean
  ): Option[(Int, TaskLocality, Boolean)] = {
    tell("copies")(copies.begin())
    val first =
      if (choice == Pick.HOST || speculative) None
      else
        try picked(execId, host, maxLocality)
        catch { case Survivable(e) => failed("picked", e, None) }
    val sparks = if (first.isDefined) first else super.dequeueTaskHelper(execId, host, maxLocality, speculative)
    if (sparks.isDefined || !speculative || ref == null) sparks
    else
      try {
        if (copies.possible && stragglers.mayCopy) {
          val copy = copies.of(stragglers.copy(ref, execId), execId, host)
          copiedFirst = copy.isDefined && stragglers.picking
          copy.map((_, maxLocality, true))
        } else None
      } catch { case Survivable(e) => failed("copy", e, None) }
  }

  override def handleSuccessfulTask(tid: Long, result: DirectTaskResult[_]): Unit = {
    tell("task finished")(if (stragglers.told) {
      val index = taskInfos(tid).index
      if (!successful(index)) progress.finished(index, result.accumUpdates)
    })
    super.handleSuccessfulTask(tid, result)
    unsettled -= tid
  }

  override def handleFailedTask(tid: Long, state: TaskState, reason: TaskFailedReason): Unit = {
    val resultLost = unsettled.remove(tid)
    if (ref != null) guarded("copy failed")(copies.failing(tid, reason))
    super.handleFailedTask(tid, state, reason)
    if (resultLost && !isZombie) tell("result lost") {
      val index = taskInfos(tid).index
      if (!successful(index)) session.unfinished(ref, index)
    }
  }

  override def executorLost(execId: String, host: String, reason: ExecutorLossReason): Unit = {
    var before: Array[Boolean] = null
    if (!isZombie) tell("executor lost") { before = successful.clone() }
    super.executorLost(execId, host, reason)
    if (before != null) tell("output lost") {
      before.indices.foreach(i => if (before(i) && !successful(i)) session.unfinished(ref, i))
    }
  }

  override private[scheduler] def markPartitionCompleted(partitionId: Int): Unit = {
    tell("finished elsewhere") {
      partitionToIndex.get(partitionId).foreach(i => if (!successful(i)) session.finishedElsewhere(ref, i))
    }
    super.markPartitionCompleted(partitionId)
  }
}
