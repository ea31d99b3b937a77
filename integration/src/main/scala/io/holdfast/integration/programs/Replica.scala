package io.holdfast.integration.programs

import com.fasterxml.jackson.databind.annotation.JsonDeserialize
import io.holdfast.integration.measure.{StageRun, Timeline}
import org.apache.spark.{HashPartitioner, Partition, ShuffleDependency, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD

/** A program whose tasks sleep as long as those of a recorded program worked: the same jobs, stages, widths and driver gaps. Where
  * few cores would limit a program instead of the slots, it says what the slots are worth.
  *
  * @param title of the recorded program
  * @param recorded how its times were measured, in words
  */
final case class Replica(title: String, recorded: String, jobs: Seq[ReplicaJob]) {
  import Replica._

  /** Tasks of its widest stage. */
  def widest: Int = jobs.flatMap(_.stages).map(_.tasksMs.size).max

  /** Longer or shorter tasks; the driver's gaps stay. */
  def scaled(times: Double): Replica = copy(jobs = jobs.map(_.scaled(times)))

  /** On so many times as much data: the tasks of its widest stages take longer. Narrower stages combine what these have made,
    * whose size is that of a model, not of the data (MLlib's `treeAggregate`).
    */
  def onData(times: Double): Replica = {
    val wide = widest
    copy(jobs = jobs.map(_.scaledWhere(times, _.tasksMs.size == wide)))
  }

  /** On as much data as makes it take this time when no task waits for a slot.
    *
    * @throws java.lang.IllegalArgumentException if it takes longer on no data at all
    */
  def lasting(ms: Long): Replica = {
    val least = onData(0).idealMs
    require(ms > least, s"$title is to take $ms ms, and without any data it takes $least: give more")
    // A stage takes as long as its longest task, so that the time grows with the data, by pieces of lines.
    val (_, times) = (1 to Halvings).foldLeft((0.0, ms.toDouble)) { case ((low, high), _) =>
      val middle = (low + high) / 2
      if (onData(middle).idealMs < ms) (middle, high) else (low, middle)
    }
    onData(times)
  }

  /** Its time when no task waits for a slot. */
  def idealMs: Long = jobs.map(j => j.gapMs + j.criticalMs).sum

  def run(sc: SparkContext): Unit = jobs.foreach { job =>
    Thread.sleep(job.gapMs)
    job.run(sc)
  }
}

/** One Spark job.
  *
  * @param gapMs what the driver takes before it submits the job
  */
final case class ReplicaJob(gapMs: Long, stages: Seq[ReplicaStage]) {
  def scaled(times: Double): ReplicaJob = scaledWhere(times, _ => true)

  def scaledWhere(times: Double, which: ReplicaStage => Boolean): ReplicaJob =
    copy(stages = stages.map(s => if (which(s)) s.scaled(times) else s))

  def criticalMs: Long = ends.max

  private def ends: Seq[Long] = stages.foldLeft(Vector.empty[Long]) { (ended, stage) =>
    ended :+ stage.parents.map(ended).maxOption.getOrElse(0L) + stage.tasksMs.max
  }

  def run(sc: SparkContext): Unit = {
    val rdds = stages.foldLeft(Vector.empty[SleepingStage]) { (before, stage) =>
      named(sc, stage)(before :+ new SleepingStage(sc, stage.parents.map(before), stage.tasksMs.toArray))
    }
    named(sc, stages.last)(sc.runJob(rdds.last, (rows: Iterator[(Int, Int)]) => rows.foreach(_ => ())))
    ()
  }

  /** Whoever knows stages by their names, as Holdfast does, knows them as the program's. */
  private def named[A](sc: SparkContext, stage: ReplicaStage)(body: => A): A = {
    sc.setCallSite(stage.name)
    try body
    finally sc.clearCallSite()
  }
}

/** @param name as Spark names it: by the line of the program
  * @param parents places of stages before it in the same job
  * @param tasksMs of each of its tasks
  */
final case class ReplicaStage(
    name: String,
    parents: Seq[Int],
    @JsonDeserialize(contentAs = classOf[java.lang.Long]) tasksMs: Seq[Long]
) {
  def scaled(times: Double): ReplicaStage = copy(tasksMs = tasksMs.map(ms => math.round(ms * times)))
}

object Replica {

  /** Of the range in which the data lies: far more exact than milliseconds. */
  private val Halvings = 60

  /** Of a program that ran alone. Retries and stages that did not run are left out; the last stage of a job is behind all that
    * nobody else is behind.
    */
  def of(title: String, recorded: String, timeline: Timeline): Replica = {
    val run = timeline.foregroundStages.filter(s => s.attempt == 0 && timeline.tasksOf(s).nonEmpty)
    val jobs = run.map(_.job).distinct.map(job => run.filter(_.job == job))
    val ends = 0L +: jobs.map(_.map(endOf(timeline, _)).max)
    Replica(
      title,
      recorded,
      jobs.zip(ends).map { case (stages, before) =>
        ReplicaJob(math.max(0L, stages.head.submitted - before), stagesOf(timeline, stages))
      }
    )
  }

  private def stagesOf(timeline: Timeline, stages: Seq[StageRun]): Seq[ReplicaStage] = {
    val places = stages.map(_.id).zipWithIndex.toMap
    val parents = stages.map(s => s.parents.flatMap(places.get).filter(_ < places(s.id)))
    val loose = stages.indices.init.toSet -- parents.flatten
    stages.zip(parents).zipWithIndex.map { case ((stage, own), place) =>
      val all = if (place == stages.size - 1) (own ++ loose).distinct.sorted else own
      ReplicaStage(stage.name, all, timeline.tasksOf(stage).sortBy(_.index).map(t => t.finish - t.launch))
    }
  }

  private def endOf(timeline: Timeline, stage: StageRun): Long = timeline.tasksOf(stage).map(_.finish).max
}

private final case class Slice(index: Int) extends Partition

/** A stage of tasks that sleep, behind a shuffle from each parent that moves nothing. */
private final class SleepingStage(sc: SparkContext, parents: Seq[RDD[(Int, Int)]], tasksMs: Array[Long])
    extends RDD[(Int, Int)](
      sc,
      parents.map(p => new ShuffleDependency[Int, Int, Int](p, new HashPartitioner(tasksMs.length)))
    ) {
  override protected def getPartitions: Array[Partition] = tasksMs.indices.map(Slice(_): Partition).toArray

  override def compute(split: Partition, context: TaskContext): Iterator[(Int, Int)] = {
    Thread.sleep(tasksMs(split.index))
    Iterator.empty
  }
}
