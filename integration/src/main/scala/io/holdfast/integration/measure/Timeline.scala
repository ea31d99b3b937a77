package io.holdfast.integration.measure

import com.fasterxml.jackson.annotation.{JsonInclude, JsonIncludeProperties}
import com.fasterxml.jackson.annotation.JsonInclude.Include
import com.fasterxml.jackson.databind.annotation.JsonDeserialize

/** One attempt of a task as the driver saw it. `launch` and `finish` are ms since the foreground arrived, so what the
  * background did before has negative times.
  *
  * @param outcome `Success`, or the reason's class name (`TaskKilled`, `FetchFailed`, ...)
  * @param speculative whether it was launched beside another attempt of its task
  */
final case class TaskRun(
    stage: Int,
    stageAttempt: Int,
    index: Int,
    executor: String,
    launch: Long,
    finish: Long,
    foreground: Boolean,
    locality: String,
    outcome: String,
    @JsonInclude(Include.NON_DEFAULT) speculative: Boolean = false
)

/** One attempt of a stage; times in ms since the foreground arrived.
  *
  * @param job the Spark job that submitted it
  * @param parents ids of the stages whose output it reads
  * @param deadlineMs of its job, since its submission, if it has one
  * @param error the share of its tasks that its job can do without, if it says so
  * @param statement of a user that it is part of, see [[Statement]]
  * @param execution the root SQL execution that it is part of
  * @param queued when its tasks reached Spark's scheduler, so that they could be launched ([[Queued]]); none: nobody noted it
  */
final case class StageRun(
    id: Int,
    attempt: Int,
    name: String,
    tasks: Int,
    submitted: Long,
    completed: Long,
    foreground: Boolean,
    job: Int = 0,
    parents: Seq[Int] = Nil,
    @JsonInclude(Include.NON_ABSENT) @JsonDeserialize(contentAs = classOf[java.lang.Long]) deadlineMs: Option[Long] =
      None,
    @JsonInclude(Include.NON_ABSENT) @JsonDeserialize(contentAs = classOf[java.lang.Double]) error: Option[Double] =
      None,
    @JsonInclude(Include.NON_ABSENT) @JsonDeserialize(contentAs = classOf[java.lang.Integer]) statement: Option[Int] =
      None,
    @JsonInclude(Include.NON_ABSENT) @JsonDeserialize(contentAs = classOf[java.lang.Long]) execution: Option[Long] =
      None,
    @JsonInclude(Include.NON_ABSENT) @JsonDeserialize(contentAs = classOf[java.lang.Long]) queued: Option[Long] = None
) {

  /** The same with times since a moment, in ms of the clock that its times have now. */
  def since(moment: Long): StageRun =
    copy(submitted = submitted - moment, completed = completed - moment, queued = queued.map(_ - moment))
}

/** What happened in one cell.
  *
  * @param slots slots per executor
  * @param parallelism how wide the foreground is at its widest, as its program declares it
  * @param ended the foreground's end, ms after its arrival: its job completion time
  * @param statements of users, of both sides
  * @param application Spark's id of it: its logs are called so
  * @param arrived when the foreground arrived, in epoch ms
  */
@JsonIncludeProperties(
  Array("slots", "parallelism", "ended", "stages", "tasks", "statements", "application", "arrived")
)
final case class Timeline(
    slots: Map[String, Int],
    parallelism: Int,
    ended: Long,
    stages: Seq[StageRun],
    tasks: Seq[TaskRun],
    @JsonInclude(Include.NON_EMPTY) statements: Seq[Statement] = Nil,
    @JsonInclude(Include.NON_ABSENT) application: Option[String] = None,
    @JsonInclude(Include.NON_DEFAULT) arrived: Long = 0
) {

  def totalSlots: Int = slots.values.sum

  /** The foreground's stages in the order of their submission. */
  lazy val foregroundStages: Seq[StageRun] = stages.filter(_.foreground).sortBy(s => (s.submitted, s.id, s.attempt))

  /** The foreground's first stage that is as wide as its parallelism. */
  lazy val firstStage: Option[StageRun] =
    foregroundStages.find(_.tasks >= math.min(parallelism, totalSlots)).orElse(foregroundStages.headOption)

  /** All attempts with repaired ends, in the order of their launches.
    *
    * Spark gives a freed slot away in the status update and notes the task's end a little later in another thread, so on paper
    * an executor may run more tasks than it has slots. A launch proves that a slot was free: the attempt on that executor that
    * ends first had ended by then.
    */
  lazy val repaired: Seq[TaskRun] =
    tasks
      .groupBy(_.executor)
      .toSeq
      .flatMap { case (executor, runs) => repair(slots(executor), runs) }
      .sortBy(t => (t.launch, t.finish))

  lazy val background: Seq[TaskRun] = repaired.filter(t => !t.foreground && t.launch < ended)

  /** Each foreground task's first attempt, by stage attempt. */
  lazy val firstAttempts: Map[(Int, Int), Seq[TaskRun]] =
    repaired.filter(_.foreground).groupBy(t => (t.stage, t.stageAttempt)).map { case (stage, runs) =>
      stage -> runs.groupBy(_.index).values.map(_.minBy(_.launch)).toSeq.sortBy(t => (t.launch, t.index))
    }

  def tasksOf(stage: StageRun): Seq[TaskRun] = firstAttempts.getOrElse((stage.id, stage.attempt), Nil)

  /** Whether a stage of the foreground comes when nothing else of it runs. */
  def isAfterBarrier(stage: StageRun): Boolean =
    foregroundStages.forall(s => s == stage || s.submitted > stage.submitted || s.completed <= stage.submitted)

  /** A statement as a foreground of its own, beside the background only; times since its first stage came. */
  def of(statement: Statement): Timeline = {
    val own = stages.filter(s => s.foreground && s.statement.contains(statement.id))
    val came = own.map(_.submitted).minOption.getOrElse(statement.due)
    val ids = own.map(_.id).toSet
    Timeline(
      slots,
      own.map(_.tasks).maxOption.getOrElse(1),
      statement.ended - came,
      (own ++ stages.filter(!_.foreground)).map(_.since(came)),
      repaired
        .filter(t => if (t.foreground) ids(t.stage) else t.finish > came && t.launch < statement.ended)
        .map(t => t.copy(launch = t.launch - came, finish = t.finish - came))
    )
  }

  private def repair(slots: Int, runs: Seq[TaskRun]): Seq[TaskRun] = {
    val last = Array.fill(slots)(Option.empty[TaskRun])
    val done = Seq.newBuilder[TaskRun]
    runs.sortBy(t => (t.launch, t.finish)).foreach { run =>
      val slot = last.indices.minBy(i => last(i).fold(Long.MinValue)(_.finish))
      last(slot).foreach(before => done += before.copy(finish = math.min(before.finish, run.launch)))
      last(slot) = Some(run)
    }
    done ++= last.toSeq.flatten
    done.result()
  }
}
