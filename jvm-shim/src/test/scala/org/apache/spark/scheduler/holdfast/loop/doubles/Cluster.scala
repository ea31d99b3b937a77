package org.apache.spark.scheduler.holdfast.loop

import java.nio.ByteBuffer

import scala.collection.mutable

import org.apache.spark._
import org.apache.spark.TaskState.TaskState
import org.apache.spark.resource.ResourceProfile
import org.apache.spark.scheduler._
import org.apache.spark.status.api.v1.ThreadStackTrace

/** One attempt that was launched. */
private[loop] case class Launch(
    at: Long,
    executor: Int,
    stage: Int,
    stageAttempt: Int,
    partition: Int,
    attempt: Int,
    copy: Boolean
)

/** CoarseGrainedSchedulerBackend's part, and that of executors that run nothing: one message after the other. */
private[loop] class Cluster(run: Run) extends SchedulerBackend {
  import run.{draw, timeline, world}

  private class Executor(val id: String, val spec: ExecutorSpec) {
    val host: String = Cluster.host(spec.host)
    var free: Int = spec.cores
    var leaving = false
    val attempts = mutable.LinkedHashMap.empty[Long, Attempt]
  }
  private class Attempt(val tid: Long, val cores: Int, val executor: Executor, val ending: Ending) {
    var killed = false
    var end: timeline.Event = _
  }
  private case class Ending(millis: Long, state: TaskState, reason: TaskFailedReason)

  private val executors = mutable.LinkedHashMap.empty[String, Executor]
  private val reasons = mutable.HashMap.empty[Long, TaskFailedReason]
  private var reviveAsked = false
  private var wantedKills = Option.empty[mutable.ArrayBuffer[(Long, () => Unit)]]

  /** How many executors have ever joined. */
  var joined = 0
  val launches = mutable.ArrayBuffer.empty[Launch]
  val ends = mutable.ArrayBuffer.empty[Long]
  var kills = 0
  var failures = 0

  /** How often an executor was offered that Spark gave nothing, since tasks had failed there. */
  var excluded = 0

  /** Ids and hosts of the executors. */
  def alive: IndexedSeq[(String, String)] = executors.values.map(e => (e.id, e.host)).toIndexedSeq

  /** The host of an executor that is there and stays. */
  def stays(id: String): Option[String] = executors.get(id).filterNot(_.leaving).map(_.host)

  /** Whether some attempt occupies a slot. */
  def isBusy: Boolean = executors.values.exists(_.attempts.nonEmpty)

  def begin(): Unit = {
    world.executors.foreach(spec => timeline.after(0)(join(spec)))
    world.losses.foreach(loss => timeline.after(loss.at)(lose(loss)))
    if (world.revives) timeline.after(Cluster.ReviveMillis)(revive())
    if (world.speculates) timeline.after(run.scheduler.SPECULATION_INTERVAL_MS)(speculate())
  }

  /** What Spark's own timer does. */
  private def speculate(): Unit = {
    run.scheduler.checkSpeculatableTasks()
    if (run.goesOn) timeline.after(run.scheduler.SPECULATION_INTERVAL_MS)(speculate())
  }

  private def revive(): Unit = {
    offerAll()
    if (run.goesOn) timeline.after(Cluster.ReviveMillis)(revive())
  }

  private def join(spec: ExecutorSpec): Unit = {
    val executor = new Executor(Cluster.executor(joined), spec)
    joined += 1
    executors(executor.id) = executor
    offer(executor)
  }

  private def lose(loss: Loss): Unit =
    executors.values.drop(loss.executor).headOption.foreach { executor =>
      loss.announced match {
        case None => lose(executor, loss.replacedAfter)
        case Some(millis) =>
          executor.leaving = true
          run.scheduler.executorDecommission(executor.id, ExecutorDecommissionInfo("told in the loop", None))
          timeline.after(millis)(lose(executor, loss.replacedAfter))
      }
    }

  private def lose(executor: Executor, replacedAfter: Long): Unit = if (executors.remove(executor.id).nonEmpty) {
    executor.attempts.values.foreach(_.end.cancel())
    run.scheduler.executorLost(executor.id, ExecutorProcessLost("lost in the loop", causedByApp = false))
    timeline.after(replacedAfter)(join(executor.spec))
  }

  // ---- offers and launches

  override def reviveOffers(): Unit = if (!reviveAsked) {
    reviveAsked = true
    timeline.after(0) {
      reviveAsked = false
      offerAll()
    }
  }

  private def offerAll(): Unit = offer(executors.values.toIndexedSeq, isAll = true)

  /** The local backend always offers all it has. */
  private def offer(executor: Executor): Unit =
    if (world.revives) offer(IndexedSeq(executor), isAll = false) else offerAll()

  private def offer(some: IndexedSeq[Executor], isAll: Boolean): Unit = {
    val there = some.filterNot(_.leaving)
    excluded += there.count(e => run.scheduler.healthTrackerOpt.exists(_.isExecutorExcluded(e.id)))
    val offers = there.map(e => WorkerOffer(e.id, e.host, e.free, Some(e.host + ":0")))
    run.scheduler.resourceOffers(offers, isAll).flatten.foreach(launch)
  }

  private def launch(description: TaskDescription): Unit = {
    val executor = executors(description.executorId)
    executor.free -= description.cpus
    run.check(executor.free >= 0, s"${description.name} was launched on ${executor.id}, which has nothing free")
    val manager = run.scheduler.taskIdToTaskSetManager.get(description.taskId)
    val copy = manager.taskInfos(description.taskId).speculative
    run.check(!copy || !manager.successful(description.index), s"${description.name} is a copy of a finished task")
    checkBeside(manager, description, copy)
    val task = manager.tasks(description.index)
    val stage = task.asInstanceOf[LoopTask].stage
    val ending = endingOf(stage, manager.taskSet, description)
    val attempt = new Attempt(description.taskId, description.cpus, executor, ending)
    executor.attempts(attempt.tid) = attempt
    launches += Launch(
      timeline.now,
      Cluster.number(executor.id),
      stage.id,
      manager.taskSet.stageAttemptId,
      description.partitionId,
      description.attemptNumber,
      copy
    )
    update(attempt, TaskState.RUNNING)
    val millis = world.costs.launch + ending.millis * distance(task, executor) * executor.spec.slowness
    attempt.end = timeline.after(millis)(end(attempt))
  }

  /** Never a third attempt at once, and a second one only as a copy. Of one round a copy may come before its original. */
  private def checkBeside(manager: TaskSetManager, description: TaskDescription, copy: Boolean): Unit = {
    val running = manager.taskAttempts(description.index).filter { info =>
      executors.get(info.executorId).exists(_.attempts.contains(info.taskId))
    }
    val isOriginal = running.forall(_.attemptNumber > description.attemptNumber)
    run.check(
      running.size < 2 && (copy || isOriginal),
      s"${description.name} is launched beside ${running.size} others"
    )
  }

  /** How many times as long as at its best place a task takes. */
  private def distance(task: Task[_], executor: Executor): Int = task.preferredLocations.headOption match {
    case None => 1
    case Some(near) if near.host != executor.host => world.costs.remote
    case Some(ExecutorCacheTaskLocation(_, id)) if id != executor.id => world.costs.onHost
    case _ => 1
  }

  /** How the attempt would end by itself: drawn from what it is, not from who runs it when. */
  private def endingOf(stage: StageRun, set: TaskSet, description: TaskDescription): Ending = {
    val what = stage.key ++ Seq(set.stageAttemptId, description.partitionId, description.attemptNumber).map(_.toLong)
    val millis = math.max(1, stage.spec.durations.millis(draw(Draw.Duration +: what: _*)))
    val fate = draw(Draw.Failure +: what: _*)
    lazy val early = math.max(1, (millis * draw(Draw.FailurePoint +: what: _*)).toLong)
    val mayLackInput = stage.index > 0 && set.stageAttemptId == 0
    if (stage.spec.barrier) Ending(millis, TaskState.FINISHED, null)
    else if (mayLackInput && fate >= 1 - world.faults.fetchFailing) {
      Ending(early, TaskState.FAILED, FetchFailed(null, 0, 0L, 0, 0, "lost in the loop"))
    } else if (description.attemptNumber < Cluster.MostFailures && fate < world.faults.failing) {
      Ending(early, TaskState.FAILED, Cluster.Failed)
    } else Ending(millis, TaskState.FINISHED, null)
  }

  private def runs(attempt: Attempt): Boolean = attempt.executor.attempts.contains(attempt.tid) && isAlive(attempt)

  private def isAlive(attempt: Attempt): Boolean = executors.get(attempt.executor.id).exists(_ eq attempt.executor)

  // ---- ends

  private def update(attempt: Attempt, state: TaskState): Unit =
    run.scheduler.statusUpdate(attempt.tid, state, Cluster.NoData)

  private def end(attempt: Attempt): Unit =
    if (attempt.killed) end(attempt, TaskState.KILLED, TaskKilled("killed in the loop"))
    else end(attempt, attempt.ending.state, attempt.ending.reason)

  private def end(attempt: Attempt, state: TaskState, reason: TaskFailedReason): Unit = {
    if (reason != null) reasons(attempt.tid) = reason
    if (state == TaskState.FAILED) failures += 1
    ends += timeline.now
    attempt.end.cancel()
    update(attempt, state)
    attempt.executor.attempts -= attempt.tid
    attempt.executor.free += attempt.cores
    offer(attempt.executor)
  }

  /** Why an attempt did not end well. */
  def reason(tid: Long): TaskFailedReason = reasons(tid)

  /** Kills whom `body` wants killed, the earliest launch first. */
  def killInOrder(body: => Unit): Unit = {
    val wanted = mutable.ArrayBuffer.empty[(Long, () => Unit)]
    wantedKills = Some(wanted)
    try body
    finally wantedKills = None
    wanted.sortBy(_._1).foreach(_._2())
  }

  override def killTask(taskId: Long, executorId: String, interruptThread: Boolean, reason: String): Unit =
    wantedKills match {
      case Some(wanted) => wanted += taskId -> (() => kill(taskId, executorId, reason))
      case None => kill(taskId, executorId, reason)
    }

  private def kill(taskId: Long, executorId: String, reason: String): Unit = {
    kills += 1
    for (executor <- executors.get(executorId); attempt <- executor.attempts.get(taskId)) {
      // A stubborn one cannot be interrupted: it keeps its slot for as long as it would have run.
      if (draw(Draw.Kill, taskId) < world.faults.stubborn) attempt.killed = true
      else {
        val millis = draw.upTo(world.costs.kill)(Draw.Kill, taskId).toLong
        timeline.after(millis)(if (runs(attempt)) end(attempt, TaskState.KILLED, TaskKilled(reason)))
      }
    }
  }

  // ---- what else a backend is asked

  override def applicationId(): String = run.name
  override def start(): Unit = ()
  override def stop(): Unit = ()
  override def defaultParallelism(): Int = executors.values.map(_.spec.cores).sum
  override def getTaskThreadDump(taskId: Long, executorId: String): Option[ThreadStackTrace] = None
  override def maxNumConcurrentTasks(profile: ResourceProfile): Int = {
    val cpus = profile.getTaskCpus.getOrElse(world.taskCpus)
    executors.values.map(_.spec.cores / cpus).sum
  }
}

private[loop] object Cluster {
  // Spark keeps executors and hosts in hash maps. With these names their order there is that of the numbers, up to 16.
  private val FirstExecutor = '@'
  private val FirstHost = 'P'

  /** The id of an executor, by its number in the order of joining. */
  def executor(number: Int): String = (FirstExecutor + number).toChar.toString

  /** The number of an executor, by its id. */
  def number(executor: String): Int = executor.head - FirstExecutor

  /** The name of a host, by its number. */
  def host(number: Int): String = (FirstHost + number).toChar.toString

  /** spark.scheduler.revive.interval. */
  val ReviveMillis = 1000L
  val MostFailures = 2
  val NoData: ByteBuffer = ByteBuffer.allocate(0)
  val Failed: ExceptionFailure = ExceptionFailure("Failed", "failed in the loop", Array.empty, "", None)
}
