package io.holdfast.integration.measure

import org.scalatest.funsuite.AnyFunSuite

import Literal._

class BoundSpec extends AnyFunSuite {

  test("alone, the bound keeps the driver's gaps and drops the launch delays") {
    val t = Timeline(
      Map("a" -> 2),
      2,
      ended = 2150,
      stages = Seq(stage(1, 2, 100, 1110), stage(2, 2, 1130, 2140)),
      tasks =
        Seq(fg(1, 0, "a", 105, 1105), fg(1, 1, "a", 105, 605), fg(2, 0, "a", 1135, 2135), fg(2, 1, "a", 1135, 1635))
    )
    // gap 100, task 1000, gap 1130 - 1105 = 25, task 1000, tail 2150 - 2135 = 15
    assert(Bound.of(t).end == 100 + 1000 + 25 + 1000 + 15)
  }

  test("a slot is the foreground's from the end of its background task") {
    val t = Timeline(
      Map("a" -> 1, "b" -> 1),
      2,
      ended = 6000,
      stages = Seq(stage(1, 2, 0, 6000)),
      tasks = Seq(
        bg(0, "a", -500, 2000),
        bg(1, "b", -500, 3000),
        bg(2, "b", 3000, 5000),
        fg(1, 0, "a", 2000, 3000),
        fg(1, 1, "b", 5000, 6000)
      )
    )
    // both on a's slot: 2000 to 3000 and 3000 to 4000, or the second on b's from 3000: the earlier of the two
    assert(Bound.of(t).end == 4000)
  }

  test("what waits for background that nobody kills is late in the bound, what was overtaken is not") {
    val t = Timeline(
      Map("a" -> 1, "b" -> 1),
      2,
      ended = 6000,
      stages = Seq(stage(1, 2, 0, 2000), stage(2, 2, 2000, 4000), stage(3, 2, 4000, 6000)),
      tasks = Seq(
        bg(0, "b", -500, 3500),
        bg(1, "b", 4010, 5000),
        fg(1, 0, "a", 0, 1000),
        fg(1, 1, "a", 1000, 2000),
        fg(2, 0, "a", 2000, 3000),
        fg(2, 1, "a", 3000, 4000),
        fg(3, 0, "a", 4010, 5000),
        fg(3, 1, "b", 5000, 6000)
      )
    )
    // stage 2's second task waits for a's slot from 2000 to 3000, b's being taken until 3500; stage 3 has both at once
    assert((Counters.of(t).late, Counters.of(t).overtaken) == ((2, 1)))
    assert(Bound.of(t) == Bound(end = 5000, late = 1))
  }

  test("tasks of a stage wider than the slots follow each other") {
    val t = Timeline(
      Map("a" -> 2),
      4,
      ended = 2000,
      stages = Seq(stage(1, 4, 0, 2000)),
      tasks = Seq(fg(1, 0, "a", 0, 800), fg(1, 1, "a", 0, 200), fg(1, 2, "a", 200, 500), fg(1, 3, "a", 500, 2000))
    )
    assert(Bound.of(t).end == 2000)
  }

  test("sibling stages run side by side and their child waits for both") {
    val t = Timeline(
      Map("a" -> 2),
      2,
      ended = 5000,
      stages = Seq(stage(1, 1, 0, 1000), stage(2, 1, 0, 3000), stage(3, 1, 3010, 5000)),
      tasks = Seq(fg(1, 0, "a", 0, 1000), fg(2, 0, "a", 1000, 3000), fg(3, 0, "a", 4000, 5000))
    )
    // the second sibling could have started at 0: 2000, gap 10, task 1000
    assert(Bound.of(t).end == 3010)
  }
}
