package io.holdfast.integration.programs

import io.holdfast.integration.measure.{Literal, StageRun, Timeline}
import org.scalatest.funsuite.AnyFunSuite

class ReplicaSpec extends AnyFunSuite {
  import Literal._

  private def stage(id: Int, submitted: Long, job: Int, parents: Int*): StageRun =
    Literal.stage(id, 1, submitted, submitted + 100).copy(job = job, parents = parents)

  test("a program's jobs, with what the driver took before each, its stages and their tasks' times") {
    val timeline = Timeline(
      Map("a" -> 2),
      2,
      700,
      Seq(stage(1, 50, 0), stage(2, 60, 0), stage(3, 200, 0, 1, 2), stage(4, 400, 1)),
      Seq(
        fg(1, 0, "a", 50, 150),
        fg(2, 0, "a", 60, 180),
        fg(3, 1, "a", 205, 300),
        fg(3, 0, "a", 205, 310),
        fg(4, 0, "a", 410, 700)
      )
    )
    val replica = Replica.of("Two jobs", "by hand", timeline)
    val first = Seq(
      ReplicaStage("stage 1", Nil, Seq(100)),
      ReplicaStage("stage 2", Nil, Seq(120)),
      ReplicaStage("stage 3", Seq(0, 1), Seq(105, 95))
    )
    assert(replica.jobs == Seq(ReplicaJob(50, first), ReplicaJob(90, Seq(ReplicaStage("stage 4", Nil, Seq(290))))))
    assert(replica.widest == 2 && replica.idealMs == 50 + 120 + 105 + 90 + 290)
    assert(replica.scaled(2).idealMs == 50 + 240 + 210 + 90 + 580)
    // Twice the data: the stage of two tasks, 210 instead of 105 ms.
    assert(replica.lasting(50 + 120 + 210 + 90 + 290).jobs == replica.onData(2).jobs)
    assert(replica.onData(2).jobs.flatMap(_.stages.map(_.tasksMs.max)) == Seq(100, 120, 210, 290))
    assert(
      intercept[IllegalArgumentException](replica.lasting(100)).getMessage.contains("without any data it takes 550")
    )
  }

  test("a stage that nobody reads is behind the job's last, so that it runs before the job ends") {
    val stages = Seq(stage(1, 0, 0), stage(2, 0, 0), stage(3, 200, 0, 1))
    val tasks = Seq(fg(1, 0, "a", 0, 100), fg(2, 0, "a", 0, 100), fg(3, 0, "a", 200, 300))
    val replica = Replica.of("", "", Timeline(Map("a" -> 2), 2, 300, stages, tasks))
    assert(replica.jobs.map(_.stages.map(_.parents)) == Seq(Seq(Nil, Nil, Seq(0, 1))))
  }

  test("what a replica runs on Spark has the jobs, stages, names and widths that were recorded") {
    val diamond = ReplicaJob(
      5,
      Seq(
        ReplicaStage("map at A.scala:1", Nil, Seq(20, 30, 20)),
        ReplicaStage("map at A.scala:2", Nil, Seq(10)),
        ReplicaStage("join at A.scala:3", Seq(0), Seq(10, 10)),
        ReplicaStage("collect at A.scala:4", Seq(1, 2), Seq(5, 5, 5, 5))
      )
    )
    val line = ReplicaJob(5, Seq(ReplicaStage("count at A.scala:5", Nil, Seq(10, 10))))
    val replica = Replica("Diamond", "by hand", Seq(diamond, line))
    val timeline = Recorded(replica.widest)(replica.run(_))
    def shape(r: Replica) = r.jobs.map(
      _.stages
        .map(s => (s.name, s.tasksMs.size, s.parents.map(r.jobs.head.stages(_).tasksMs.size).sorted))
        .sortBy(_.toString)
    )
    val again = Replica.of("Diamond", "run", timeline)
    assert(shape(again) == shape(replica))
    val slept = for ((job, i) <- replica.jobs.zipWithIndex; s <- job.stages) yield (i, s.tasksMs.size, s.tasksMs.min)
    assert(slept.forall { case (i, width, least) =>
      again.jobs(i).stages.filter(_.tasksMs.size == width).forall(_.tasksMs.forall(_ >= least))
    })
  }
}
