package io.holdfast.integration.measure

import org.scalatest.funsuite.AnyFunSuite

class AnswersSpec extends AnyFunSuite {
  import Literal._

  private def of(stages: Seq[StageRun], tasks: TaskRun*) =
    Answers.of(Timeline(Map("a" -> 4, "b" -> 4), 4, 10000, stages, tasks))

  private def copy(task: TaskRun) = task.copy(speculative = true)
  private def killed(task: TaskRun) = task.copy(outcome = "TaskKilled")

  test("tasks that ended well by the deadline count, each once, against all of the stage") {
    val stage = Literal.stage(1, 4, 100, 2000).copy(deadlineMs = Some(1000))
    val first = Seq(fg(1, 0, "a", 100, 900), fg(1, 1, "a", 100, 1101), killed(fg(1, 2, "a", 100, 1050)))
    assert(of(Seq(stage), first: _*).doneByDeadline.contains(0.25))
    val won = copy(fg(1, 2, "b", 500, 1100))
    assert(of(Seq(stage), first :+ won: _*).doneByDeadline.contains(0.5))
    assert(of(Seq(stage)).doneByDeadline.contains(0.0))
    assert(of(Seq(stage)).toBoundMs.isEmpty)
  }

  test("an error's bound is met with so many tasks, rounded up; without one all of the last stage are wanted") {
    val tasks = (0 until 4).map(i => fg(1, i, "a", 100, 1000 * (i + 1)))
    val stage = Literal.stage(1, 4, 100, 5000)
    assert(of(Seq(stage.copy(error = Some(0.3))), tasks: _*).toBoundMs.contains(2900.0))
    assert(of(Seq(stage.copy(error = Some(0.25))), tasks: _*).toBoundMs.contains(2900.0))
    assert(of(Seq(stage), tasks: _*).toBoundMs.contains(3900.0))
    assert(of(Seq(stage), tasks.take(3): _*).toBoundMs.isEmpty, "its end was not seen")
    val second = Literal.stage(2, 1, 4100, 5000)
    assert(of(Seq(stage, second), tasks :+ fg(2, 0, "a", 4100, 4500): _*).toBoundMs.contains(4400.0))
  }

  test("what ran beside another attempt for nothing is wasted, whoever won") {
    val stage = Literal.stage(1, 3, 0, 5000)
    val tasks = Seq(
      killed(fg(1, 0, "a", 0, 1500)),
      copy(fg(1, 0, "b", 1000, 1500)),
      fg(1, 1, "a", 0, 2000),
      copy(killed(fg(1, 1, "b", 1200, 2000))),
      killed(fg(1, 2, "a", 0, 2000)),
      copy(killed(fg(1, 2, "b", 1900, 2000)))
    )
    val answers = of(Seq(stage), tasks: _*)
    assert((answers.copies, answers.won, answers.wastedMs) == ((3, 1, 1500L + 800L + 100L)))
    val retried = of(Seq(stage), fg(1, 0, "a", 0, 100).copy(outcome = "ExceptionFailure"), fg(1, 0, "a", 100, 200))
    assert((retried.copies, retried.wastedMs) == ((0, 0L)))
  }

  test("jobs of a round count alike") {
    val stages = Seq(1, 2).map(i => Literal.stage(i, 2, 0, 2000).copy(job = i, deadlineMs = Some(1000)))
    val tasks = Seq(fg(1, 0, "a", 0, 900), fg(1, 1, "a", 0, 900), fg(2, 0, "a", 0, 900))
    assert(of(stages, tasks: _*).doneByDeadline.contains(0.75))
  }
}
