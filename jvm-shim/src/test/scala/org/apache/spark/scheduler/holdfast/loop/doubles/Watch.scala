package org.apache.spark.scheduler.holdfast.loop

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import _root_.io.holdfast.Holdfast
import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.scheduler.TaskSet

/** What is refused to whom, and whose holds a launch ends: seen in the session's counters, around each call. */
private[loop] class Watch(run: Run) {
  private val refused = mutable.HashMap.empty[String, Long].withDefaultValue(0L)
  private var overridden = Map.empty[String, Long]

  /** By workflow. */
  def vetoes: Map[String, Long] = refused.toMap

  private def count(name: String): Long = run.session.fold(0L)(_.counters.get(name).longValue)

  /** Spark asks something for a task set. */
  def asking[T](taskSet: TaskSet)(body: => T): T =
    if (!run.variant.countsVetoes) body
    else {
      val before = count("vetoes")
      val answer = body
      refused(run.jobs.jobOf(taskSet).identity) += count("vetoes") - before
      answer
    }

  /** Spark launches a task of this set. Nobody may take a slot that is held for whoever ranks before him. */
  def launching[T](taskSet: TaskSet)(body: => T): T = {
    val before = count("overridden")
    val launched = body
    if (count("overridden") != before) {
      val now = overriddenByOwner()
      val job = run.jobs.jobOf(taskSet)
      now.foreach { case (owner, times) =>
        if (times > overridden.getOrElse(owner, 0L) && run.session.exists(_.enforcing)) checkRank(job, owner)
      }
      overridden = now
    }
    launched
  }

  private def overriddenByOwner(): Map[String, Long] =
    new ObjectMapper()
      .readTree(Holdfast.status())
      .path("workflows")
      .asScala
      .map { row =>
        row.path("workflow").asText -> row.path("overridden").asLong
      }
      .toMap

  private def checkRank(job: JobRun, owner: String): Unit = {
    val owners = run.jobs.workflows.filter { workflow =>
      workflow.spec.naming.identity match {
        case Some(identity) => identity == owner
        case None => owner.startsWith("job:") && run.jobs.workflowOf(owner.drop("job:".length).toInt) == workflow
      }
    }
    val launcher = job.workflow
    val certainlyAfter = owners.nonEmpty && owners.forall { workflow =>
      val (mine, its) = (launcher.priority, workflow.priority)
      // A workflow that pauses arrives anew: of equal ones only those are in order that did not overlap, and those that
      // share fairly are in none.
      mine < its || mine == its && !run.world.isFair && launcher.firstJobAt > workflow.lastJobAt
    }
    run.check(!certainlyAfter, s"${job.identity} took a slot that was held for $owner, which ranks before it")
  }
}
