package org.apache.spark.scheduler.holdfast.loop

import java.util.Properties

import scala.collection.mutable

import _root_.io.holdfast.Holdfast
import _root_.io.holdfast.session.Stragglers
import org.apache.spark._
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.holdfast.spark40.{HoldfastOverrides, Plan}

/** The DAG scheduler's part: chains of stages, task sets with what is missing of them, jobs and gaps. */
private[loop] class Jobs(run: Run) {
  import run.{draw, timeline, world}

  val workflows: Seq[WorkflowRun] = world.workflows.zipWithIndex.map { case (spec, i) => new WorkflowRun(i, spec) }
  private val byId = mutable.LinkedHashMap.empty[Int, JobRun]
  private var stages = 0
  private var open = workflows.size

  /** Whether some workflow has not ended. */
  def isOpen: Boolean = open > 0

  def start(): Unit = {
    if (run.variant.configured) world.changes.foreach { change =>
      timeline.after(change.at)(prioritise(workflows(change.workflow), change.priority))
    }
    workflows.foreach { workflow =>
      val spec = workflow.spec
      timeline.after(spec.arrival)(submit(workflow, 0))
      spec.beside.zipWithIndex.foreach { case (beside, i) =>
        timeline.after(spec.arrival + beside.after)(submit(workflow, spec.jobs.size + i))
      }
    }
  }

  private def prioritise(workflow: WorkflowRun, priority: Int): Unit =
    workflow.spec.naming.key.filter(_ => run.session.nonEmpty).foreach { key =>
      workflow.wanted = priority
      // One that lingers only has its new priority with its next job.
      if (live.exists(_.workflow == workflow)) workflow.priority = priority
      Holdfast.setPriority(key, priority)
    }

  /** The job of a task set. */
  def jobOf(taskSet: TaskSet): JobRun = byId(taskSet.priority)

  /** The workflow of a job. */
  def workflowOf(job: Int): WorkflowRun = byId(job).workflow

  /** Those that have not ended. */
  def live: Seq[JobRun] = byId.values.filterNot(_.over).toSeq

  private def submit(workflow: WorkflowRun, index: Int): Unit = {
    val job = new JobRun(byId.size, index, workflow, stages)
    stages += job.stages.size
    byId(job.id) = job
    workflow.firstJobAt = math.min(workflow.firstJobAt, timeline.now)
    workflow.lastJobAt = timeline.now
    workflow.priority = workflow.wanted
    job.spec.bound.collect { case ByDeadline(millis) => timeline.after(millis)(cut(job)) }
    job.spec.cancelAfter.foreach { millis =>
      timeline.after(millis)(if (!job.over) end(job, succeeded = false))
    }
    advance(job)
  }

  private def advance(job: JobRun): Unit = if (!job.over) {
    if (job.stages.last.isComplete) end(job, succeeded = true)
    else job.stages.find(!_.isComplete).filterNot(_.active).foreach(submit)
  }

  private def submit(stage: StageRun): Unit = {
    stage.attempt += 1
    stage.active = true
    run.scheduler.submitTasks(LoopTask.set(stage, properties(stage.job), locations(stage, _)))
  }

  private def properties(job: JobRun): Properties = {
    val all = job.workflow.spec.properties(run.variant.configured)
    if (run.variant.configured) job.spec.properties.foreach { case (key, value) => all.setProperty(key, value) }
    all
  }

  private def locations(stage: StageRun, partition: Int): Seq[TaskLocation] = {
    val alive = run.cluster.alive
    lazy val (id, host) = alive(draw.upTo(alive.size - 1)(Draw.Preference +: stage.key :+ partition.toLong: _*))
    stage.spec.preference match {
      case _ if alive.isEmpty => Nil
      case Preference.OnHosts => Seq(TaskLocation(host))
      case Preference.OnExecutors => Seq(TaskLocation(host, id))
      case Preference.Before => before(stage, partition).toSeq
      case _ => Nil
    }
  }

  private def before(stage: StageRun, partition: Int): Option[TaskLocation] = {
    val places = if (stage.index > 0) stage.job.stages(stage.index - 1).ranOn.toSeq else stage.job.workflow.memory
    for {
      id <- if (places.isEmpty) None else Option(places(partition % places.size))
      host <- run.cluster.stays(id)
    } yield TaskLocation(host, id)
  }

  private def end(job: JobRun, succeeded: Boolean): Unit = {
    job.over = true
    val reason = if (succeeded) "Stage finished" else "Job cancelled"
    job.stages.foreach(stage => run.scheduler.killAllTaskAttempts(stage.id, interruptThread = true, reason))
    run.scheduler match {
      case ours: HoldfastOverrides => timeline.after(world.lag)(ours.jobEnded(job.id, succeeded))
      case _ =>
    }
    val workflow = job.workflow
    workflow.memory = job.stages.head.ranOn.toIndexedSeq
    workflow.jobsLeft -= 1
    workflow.spec.gaps.lift(job.index).foreach(gap => timeline.after(gap)(submit(workflow, job.index + 1)))
    if (workflow.jobsLeft == 0) {
      workflow.endedAt = timeline.now
      open -= 1
    }
  }

  // ---- what the scheduler says; the event loop hears it later, in order

  def taskEnded(task: Task[_], reason: TaskEndReason, executor: String): Unit = {
    val stage = task.asInstanceOf[LoopTask].stage
    def later(body: => Unit): Unit = timeline.after(world.lag)(if (!stage.job.over) body)
    reason match {
      case Success =>
        stage.ranOn(task.partitionId) = executor
        later(succeeded(stage, task))
      case _: FetchFailed => later(fetchFailed(stage, task))
      case _ if stage.spec.barrier => later(barrierFailed(stage, task))
      case Resubmitted => later(stage.done -= task.partitionId)
      case _ =>
    }
  }

  private def succeeded(stage: StageRun, task: Task[_]): Unit = {
    stage.done += task.partitionId
    if (enough(stage) && !stage.isComplete) cut(stage.job)
    if (task.stageAttemptId < stage.attempt) run.scheduler.notifyPartitionCompletion(stage.id, task.partitionId)
    // Results are taken in any case; shuffle output only while the stage runs.
    if (stage.isComplete && (stage.active || !stage.spec.shuffles)) {
      stage.active = false
      advance(stage.job)
    }
  }

  private def enough(stage: StageRun): Boolean = stage.job.spec.bound match {
    case Some(error: WithError) => stage.done.size >= error.enough(stage.spec.tasks)
    case _ => false
  }

  /** It ends with what is done. */
  private def cut(job: JobRun): Unit = if (!job.over) {
    job.stages.last.active = false
    end(job, succeeded = true)
  }

  /** Some of the input is lost: the stage before runs again for it, then this one for what is missing. */
  private def fetchFailed(stage: StageRun, task: Task[_]): Unit =
    if (stage.active && task.stageAttemptId == stage.attempt) {
      stage.active = false
      val parent = stage.job.stages(stage.index - 1)
      val what = Draw.LostOutput +: stage.key :+ stage.attempt.toLong
      val lost = 1 + draw.upTo(parent.spec.tasks - 1)(what: _*)
      parent.done --= (0 until lost)
      timeline.after(Jobs.ResubmitMillis)(advance(stage.job))
    }

  /** All of it runs again. */
  private def barrierFailed(stage: StageRun, task: Task[_]): Unit =
    if (stage.active && task.stageAttemptId == stage.attempt) {
      stage.active = false
      stage.done.clear()
      run.scheduler.killAllTaskAttempts(stage.id, interruptThread = true, "Barrier task failed")
      timeline.after(Jobs.ResubmitMillis)(advance(stage.job))
    }

  /** Where a task may not run anywhere any more, since it failed everywhere, Spark gives its job up. */
  def aborted(taskSet: TaskSet, reason: String): Unit = {
    val job = jobOf(taskSet)
    if (!job.over) {
      run.check(reason.contains("excludeOnFailure"), s"Spark aborted task set ${taskSet.id}: $reason")
      timeline.after(world.lag)(if (!job.over) end(job, succeeded = false))
    }
  }

  // ---- what the shim would read from the DAG scheduler

  def planOf(taskSet: TaskSet): Plan = {
    val job = jobOf(taskSet)
    val missing = job.stages.filterNot(_.isComplete)
    val next = missing.drop(1).map(stage => (stage.missing.size, stage.profile)) :+ ((0, taskSet.resourceProfileId))
    val entries = missing.zip(next).flatMap { case (stage, (width, profile)) =>
      Seq(stage.id, stage.missing.size, width, profile, stage.spec.tasks)
    }
    val result = job.spec.bound.map { _ =>
      val stage = job.stages.last
      new Plan.Result(stage.id, stage.spec.barrier, Stragglers.UNBOUNDED)
    }
    new Plan(job.spec.endsInShuffle, entries.toArray, next.map(_._2).toSet, result)
  }

  def fillsCache(taskSet: TaskSet): Boolean =
    jobOf(taskSet).stages.exists(stage => stage.id == taskSet.stageId && stage.spec.fillsCache)
}

private object Jobs {

  /** DAGScheduler.RESUBMIT_TIMEOUT. */
  val ResubmitMillis = 200L
}

/** Spark's class without Spark's work: it passes on what the scheduler says. One serves all runs of a context. */
private[loop] class LoopDag(sc: SparkContext) extends DAGScheduler(sc, new TaskSchedulerImpl(sc)) {
  var jobs: Jobs = _

  override def taskStarted(task: Task[_], taskInfo: TaskInfo): Unit = ()
  override def taskGettingResult(taskInfo: TaskInfo): Unit = ()
  override def taskEnded(
      task: Task[_],
      reason: TaskEndReason,
      result: Any,
      accumUpdates: Seq[org.apache.spark.util.AccumulatorV2[_, _]],
      metricPeaks: Array[Long],
      taskInfo: TaskInfo
  ): Unit = jobs.taskEnded(task, reason, taskInfo.executorId)
  override def taskSetFailed(taskSet: TaskSet, reason: String, exception: Option[Throwable]): Unit =
    jobs.aborted(taskSet, reason)
  override def speculativeTaskSubmitted(task: Task[_], taskIndex: Int): Unit = ()
  override def executorAdded(execId: String, host: String): Unit = ()
  override def executorLost(execId: String, reason: ExecutorLossReason): Unit = ()
}
