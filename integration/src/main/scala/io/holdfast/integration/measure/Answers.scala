package io.holdfast.integration.measure

/** What became of the foreground's jobs and their bounds, counted from a recorded timeline. Pure.
  *
  * @param doneByDeadline the share of tasks done by the deadline, the mean over jobs that have one
  * @param toBoundMs until enough tasks for its error are done, or all, from the submission; the mean over jobs without a deadline
  * @param copies attempts launched beside another one of their task
  * @param won those of them that ended first
  * @param wastedMs the time of attempts whose task was done by another one, and of copies of tasks that were never done
  */
final case class Answers(
    doneByDeadline: Option[Double],
    toBoundMs: Option[Double],
    copies: Int,
    won: Int,
    wastedMs: Long
)

object Answers {
  private val Success = "Success"

  def of(timeline: Timeline): Answers = {
    val jobs = timeline.foregroundStages.groupBy(_.job).values.toSeq
    val ends = endsOf(timeline)
    val (late, others) = jobs.partition(_.exists(_.deadlineMs.nonEmpty))
    val copied = timeline.tasks
      .filter(_.foreground)
      .groupBy(t => (t.stage, t.stageAttempt, t.index))
      .values
      .filter(_.exists(_.speculative))
    Answers(
      mean(late.flatMap(byDeadline(_, ends))),
      mean(others.flatMap(toBound(_, ends))),
      copied.map(_.count(_.speculative)).sum,
      copied.count(winner(_).exists(_.speculative)),
      copied.map(wasted).sum
    )
  }

  /** When each task was done, in ascending order, by stage. */
  private def endsOf(timeline: Timeline): Map[Int, Seq[Long]] =
    timeline.tasks.filter(t => t.foreground && t.outcome == Success).groupBy(_.stage).map { case (stage, runs) =>
      stage -> runs.groupBy(_.index).values.map(_.map(_.finish).min).toSeq.sorted
    }

  private def byDeadline(stages: Seq[StageRun], ends: Map[Int, Seq[Long]]): Option[Double] = {
    val last = stages.maxBy(_.submitted)
    last.deadlineMs.map { deadline =>
      val until = stages.map(_.submitted).min + deadline
      ends.getOrElse(last.id, Nil).count(_ <= until).toDouble / last.tasks
    }
  }

  /** None where its end was not seen. */
  private def toBound(stages: Seq[StageRun], ends: Map[Int, Seq[Long]]): Option[Double] = {
    val last = stages.maxBy(_.submitted)
    val enough = math.ceil((1 - last.error.getOrElse(0.0)) * last.tasks - 1e-9).toInt
    ends.getOrElse(last.id, Nil).lift(enough - 1).map(end => (end - stages.map(_.submitted).min).toDouble)
  }

  private def winner(attempts: Seq[TaskRun]): Option[TaskRun] =
    attempts.filter(_.outcome == Success).minByOption(_.finish)

  private def wasted(attempts: Seq[TaskRun]): Long =
    winner(attempts)
      .fold(attempts.filter(_.speculative))(first => attempts.filter(_ != first))
      .map(t => t.finish - t.launch)
      .sum

  private def mean(values: Seq[Double]): Option[Double] =
    Option.when(values.nonEmpty)(values.sum / values.size)
}
