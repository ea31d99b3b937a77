package org.apache.spark.scheduler.holdfast.sparkline

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

import io.holdfast.identity.Identity
import org.apache.spark.{NarrowDependency, ShuffleDependency}
import org.apache.spark.rdd.{RDD, RDDOperationScope}
import org.apache.spark.scheduler._
import org.apache.spark.storage.StorageLevel

/** A copy of what the DAG says about a job: which stages will run, how wide, and what follows them.
  *
  * @param endsInShuffle
  *   the job's final stage is a shuffle map stage, as that of AQE's query stages: another job follows
  * @param entries
  *   stage, missing partitions, width and profile of the widest stage that follows it (0 for the final one), signature;
  *   again and again
  * @param profiles
  *   all that entries name
  * @param result
  *   its result stage, if it has one
  */
private[holdfast] class Plan(
    val endsInShuffle: Boolean,
    val entries: Array[Int],
    val profiles: Set[Int],
    val result: Option[Plan.Result]
)

/** Only for the DAG scheduler's event loop: elsewhere its maps must not be read. */
private[holdfast] object Plan {
  val Empty = new Plan(false, Array.empty, Set.empty, None)

  /** The stage that computes a job's answer.
    *
    * @param leftMillis
    *   for how long an approximate action waits for it
    */
  class Result(val stage: Int, val barrier: Boolean, val leftMillis: Long)

  /** The plan of the job that a task set belongs to. */
  def of(dag: DAGScheduler, taskSet: TaskSet): Plan =
    activeJob(dag, taskSet.priority) match {
      case None => Empty
      case Some(job) =>
        val entries = Array.newBuilder[Int]
        val query = Option(Identity.executionId(taskSet.properties)).map(Executions.shape(_))
        var profiles = Set.empty[Int]
        missing(dag, job.finalStage).foreach { case (stage, entry) =>
          if (owner(dag, stage) == job.jobId) {
            entries += stage.id += entry.tasks += entry.next += entry.nextProfile += signature(stage, entry, query)
            profiles += entry.nextProfile
          }
        }
        new Plan(job.finalStage.isInstanceOf[ShuffleMapStage], entries.result(), profiles, resultOf(job))
    }

  private def resultOf(job: ActiveJob): Option[Result] = job.finalStage match {
    case stage: ResultStage => Some(new Result(stage.id, stage.rdd.isBarrier(), Approximate.leftMillis(job.listener)))
    case _ => None
  }

  /** Returns whether a job has not ended. Elsewhere than in the event loop a single "no" may be wrong. */
  def runs(dag: DAGScheduler, job: Int): Boolean = dag == null || activeJob(dag, job).isDefined

  /** Whether a stage computes partitions that will be cached. */
  def fillsCache(dag: DAGScheduler, stageId: Int): Boolean =
    dag != null && dag.stageIdToStage != null && dag.stageIdToStage.get(stageId).exists { stage =>
      var fills = false
      walk(dag, stage.rdd) { rdd => fills ||= rdd.getStorageLevel != StorageLevel.NONE } { _ => }
      fills
    }

  /** By which a stage is known again in the next round of a loop, and in the next run of the program. All queries come
    * from the same lines of Spark, and under Spark Connect a call site names the client's session: of a query it counts
    * instead what it asks for, and what the stage computes.
    *
    * @param query
    *   the shape of the query that it is part of, 0 if that is not known
    */
  private def signature(stage: Stage, entry: Entry, query: Option[Int]): Int = {
    val kind = if (stage.isInstanceOf[ShuffleMapStage]) 1 else 0
    val asked = query.filter(_ != 0).getOrElse(stage.name.hashCode)
    val what = if (query.isEmpty) asked else 31 * asked + entry.operators
    (31 * what + stage.numTasks) * 2 + kind
  }

  /** @param operators
    *   a hash of what the stage computes
    */
  private class Entry(val tasks: Int, var next: Int, var nextProfile: Int, var operators: Int)

  private def activeJob(dag: DAGScheduler, job: Int): Option[ActiveJob] =
    if (dag == null || dag.jobIdToActiveJob == null) None else dag.jobIdToActiveJob.get(job)

  /** The job under whose name Spark runs a stage that several jobs share: the oldest that still lives. */
  private def owner(dag: DAGScheduler, stage: Stage): Int = {
    val active = stage.jobIds.filter(dag.jobIdToActiveJob.contains)
    if (active.isEmpty) stage.firstJobId else active.min
  }

  /** All stages that have to run for this one, itself included: as Spark finds them when it submits them. */
  private def missing(dag: DAGScheduler, last: Stage): mutable.LinkedHashMap[Stage, Entry] = {
    val found = mutable.LinkedHashMap[Stage, Entry](last -> entryOf(last))
    val open = ArrayBuffer[Stage](last)
    while (open.nonEmpty) {
      val stage = open.remove(open.length - 1)
      val own = found(stage)
      val width = own.tasks
      walk(dag, stage.rdd) { rdd =>
        own.operators = 31 * own.operators + rdd.scope.fold(rdd.getClass.getName)(operator).hashCode
      } { dependency =>
        dag.shuffleIdToMapStage.get(dependency.shuffleId).filterNot(isDone).foreach { parent =>
          val entry = found.getOrElseUpdate(
            parent, {
              open += parent
              entryOf(parent)
            }
          )
          if (width > entry.next) {
            entry.next = width
            entry.nextProfile = stage.resourceProfileId
          }
        }
      }
    }
    found
  }

  /** What is in brackets may differ from run to run, as the number of generated code does: that is the stage's in the
    * order in which adaptive execution makes stages.
    */
  private def operator(scope: RDDOperationScope): String = scope.name.takeWhile(_ != '(')

  /** Nothing is known to follow it so far. */
  private def entryOf(stage: Stage): Entry =
    new Entry(stage.findMissingPartitions().size, 0, stage.resourceProfileId, 0)

  private def isDone(stage: ShuffleMapStage): Boolean =
    stage.isAvailable && stage.shuffleDep.shuffleMergeFinalized

  /** Visits the RDDs that a stage computes, down to what is cached, and the shuffles they read. */
  private def walk(dag: DAGScheduler, from: RDD[_])(rdds: RDD[_] => Unit)(
      shuffles: ShuffleDependency[_, _, _] => Unit
  ): Unit = {
    val visited = mutable.HashSet.empty[RDD[_]]
    val open = ArrayBuffer[RDD[_]](from)
    while (open.nonEmpty) {
      val rdd = open.remove(open.length - 1)
      if (visited.add(rdd) && dag.getCacheLocs(rdd).contains(Nil)) {
        rdds(rdd)
        rdd.dependencies.foreach {
          case shuffle: ShuffleDependency[_, _, _] => shuffles(shuffle)
          case narrow: NarrowDependency[_] => open += narrow.rdd
          case _ =>
        }
      }
    }
  }
}
