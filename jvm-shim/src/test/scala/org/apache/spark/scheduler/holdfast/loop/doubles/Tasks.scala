package org.apache.spark.scheduler.holdfast.loop

import java.util.Properties

import scala.collection.mutable

import org.apache.spark.{JobArtifactSet, Partition, TaskContext}
import org.apache.spark.scheduler._

private[loop] class WorkflowRun(val index: Int, val spec: WorkflowSpec) {
  var priority: Int = spec.priority
  var wanted: Int = spec.priority
  var firstJobAt: Long = Long.MaxValue
  var lastJobAt: Long = Long.MinValue
  var endedAt: Long = Long.MaxValue
  var jobsLeft: Int = spec.allJobs.size

  /** Where the partitions of the latest job's first stage ran. */
  var memory: IndexedSeq[String] = IndexedSeq.empty
}

private[loop] class JobRun(val id: Int, val index: Int, val workflow: WorkflowRun, firstStage: Int) {
  val spec: JobSpec = workflow.spec.allJobs(index)
  val stages: Seq[StageRun] =
    spec.stages.zipWithIndex.map { case (stage, i) => new StageRun(firstStage + i, i, this, stage) }
  var over = false

  /** What the shim calls its workflow. */
  def identity: String = workflow.spec.naming.identity.getOrElse(s"job:$id")
}

private[loop] class StageRun(val id: Int, val index: Int, val job: JobRun, val spec: StageSpec) {
  val done: mutable.BitSet = mutable.BitSet.empty

  /** On which executor each partition ran last, or null. */
  val ranOn: Array[String] = new Array(spec.tasks)

  /** Of the latest task set. */
  var attempt: Int = -1

  /** Whether the latest task set goes on. */
  var active = false

  def profile: Int = Profiles.id(spec.cpus)
  def missing: Seq[Int] = (0 until spec.tasks).filterNot(done)
  def isComplete: Boolean = done.size == spec.tasks

  /** Equal for equal work, whatever ids a run has given to it. */
  def key: Seq[Long] = Seq(job.workflow.index, job.index, index).map(_.toLong)
}

/** A task that only has a duration. */
private[loop] trait LoopTask extends Serializable {
  def stage: StageRun

  // Nobody receives it, and to serialize a task is most of what a launch costs.
  protected def writeReplace(): AnyRef = "a task"
}

private[loop] class LoopMapTask(val stage: StageRun, attempt: Int, partition: Int, locations: Seq[TaskLocation])
    extends ShuffleMapTask(
      stage.id,
      attempt,
      null,
      new LoopPartition(partition),
      stage.spec.tasks,
      locations,
      JobArtifactSet.emptyJobArtifactSet,
      LoopTask.NoProperties,
      null,
      isBarrier = stage.spec.barrier
    )
    with LoopTask

private[loop] class LoopResultTask(val stage: StageRun, attempt: Int, partition: Int, locations: Seq[TaskLocation])
    extends Task[Int](
      stage.id,
      attempt,
      partition,
      stage.spec.tasks,
      JobArtifactSet.emptyJobArtifactSet,
      LoopTask.NoProperties,
      null,
      isBarrier = stage.spec.barrier
    )
    with LoopTask {
  override def runTask(context: TaskContext): Int = 0
  override def preferredLocations: Seq[TaskLocation] = locations
}

private class LoopPartition(override val index: Int) extends Partition

private[loop] object LoopTask {
  val NoProperties = new Properties

  /** A task set of the stage's missing partitions. */
  def set(stage: StageRun, properties: Properties, locations: Int => Seq[TaskLocation]): TaskSet = {
    val tasks: Seq[Task[_]] = stage.missing.map { partition =>
      if (stage.spec.shuffles) new LoopMapTask(stage, stage.attempt, partition, locations(partition))
      else new LoopResultTask(stage, stage.attempt, partition, locations(partition))
    }
    new TaskSet(tasks.toArray, stage.id, stage.attempt, stage.job.id, properties, stage.profile, None)
  }
}
