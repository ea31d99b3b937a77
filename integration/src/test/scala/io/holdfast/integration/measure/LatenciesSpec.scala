package io.holdfast.integration.measure

import org.scalatest.funsuite.AnyFunSuite

class LatenciesSpec extends AnyFunSuite {
  import Literal._

  private def stage(id: Int, tasks: Int, submitted: Long, completed: Long, statement: Int) =
    Literal.stage(id, tasks, submitted, completed).copy(statement = Some(statement))
  private def asked(id: Int, user: String, due: Long, ended: Long, kind: String = Latencies.Dashboard) =
    Statement(id, user, kind, "q06", due, ended)
  private def of(stages: Seq[StageRun], statements: Seq[Statement], tasks: TaskRun*) =
    Latencies.of(Timeline(Map("a" -> 2), 1, 10000, stages, tasks, statements))

  test("a latency begins when the statement was due; those of others than dashboards are none of it") {
    val statements = Seq(
      asked(1, "ann", 100, 1100),
      asked(2, "ann", 200, 400),
      asked(3, "bob", 0, 50),
      asked(4, "etl", 0, 9000, "etl"),
      asked(5, "etl", 0, 11000, "etl")
    )
    val seen = of(Nil, statements)
    assert(seen.byUser == Map("ann" -> Seq(200L, 1000L), "bob" -> Seq(50L)))
    assert(seen.all == Seq(50L, 200L, 1000L) && seen.done == 1)
  }

  test("a quantile is the least value that its share of all does not exceed") {
    val values = (1L to 20L).toSeq
    assert(
      Seq(0.5, 0.95, 0.99, 0.0).map(Latencies.quantile(values, _)) == Seq(Some(10L), Some(19L), Some(20L), Some(1L))
    )
    assert(Latencies.quantile(Seq(7L), 0.95).contains(7L) && Latencies.quantile(Nil, 0.95).isEmpty)
  }

  /** The first stage has both slots until 1000; background takes one of them, and the second stage waits for it until 3000. */
  private val robbed =
    Seq(fg(1, 0, "a", 0, 900), fg(1, 1, "a", 0, 1000), fg(2, 0, "a", 950, 1500)) :+ fg(2, 1, "a", 3000, 3500)
  private val two = Seq(stage(1, 2, 0, 1000, 7), stage(2, 2, 1000, 3500, 7))

  test("a slot is stolen from the statement whose later stage waits for it, and from no other user's") {
    val statements = Seq(asked(7, "ann", 0, 3600), asked(8, "bob", 0, 3600))
    val seen = of(two, statements, robbed :+ bg(0, "a", 1001, 3000): _*)
    assert((seen.stolen, seen.beside) == ((1, 0)))
    val own = of(two.map(_.copy(statement = Some(9))), statements, robbed :+ bg(0, "a", 1001, 3000): _*)
    assert(own.stolen == 0, "no statement of the round")
  }

  test("what only stages side by side waited for is counted by itself") {
    val besides = two :+ stage(3, 1, 900, 3500, 7)
    val seen = of(besides, Seq(asked(7, "ann", 0, 3600)), robbed :+ bg(0, "a", 1001, 3000): _*)
    assert((seen.stolen, seen.beside) == ((1, 1)))
  }

  test("the background's slot-time is what nobody killed, within the round") {
    val statements = Seq(asked(7, "ann", 0, 3600))
    val seen = of(
      Seq(stage(1, 1, 0, 1000, 7)),
      statements,
      fg(1, 0, "a", 0, 1000),
      bg(0, "a", -500, 1500),
      bg(1, "a", 1500, 2500, "TaskKilled"),
      bg(2, "a", 9000, 12000),
      bg(3, "a", 9500, 10500, "TaskKilled")
    )
    assert((seen.ownSlotMs, seen.leftSlotMs) == ((1000L, 19000L)))
    assert((seen.othersSlotMs, seen.killed, seen.killedSlotMs) == ((1500L + 1000L + 500L, 1, 1000L)))
  }
}
