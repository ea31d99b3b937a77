package io.holdfast.integration.measure

import org.scalatest.funsuite.AnyFunSuite

import Literal._

class CountersSpec extends AnyFunSuite {
  private val slots = Map("a" -> 2, "b" -> 2)

  /** A narrow stage, then three stages of four: 0 to 100, 110 to 1110, 1120 to 2120, 2130 to 3130. */
  private val calm = Timeline(
    slots,
    parallelism = 4,
    ended = 3200,
    stages = Seq(stage(0, 1, 0, 100), stage(1, 4, 110, 1110), stage(2, 4, 1120, 2120), stage(3, 4, 2130, 3130)),
    tasks = fg(0, 0, "a", 5, 100) +: Seq(1 -> 115L, 2 -> 1125L, 3 -> 2135L).flatMap { case (id, launch) =>
      wide(id, launch)
    }
  )

  private def wide(id: Int, launch: Long) =
    Seq("a", "a", "b", "b").zipWithIndex.map { case (executor, i) => fg(id, i, executor, launch, launch + 990) }

  private def without(stage: Int, index: Int) = calm.tasks.filterNot(t => t.stage == stage && t.index == index)

  test("the first stage is the first that is as wide as the parallelism; the first wait ends with its last launch") {
    assert(calm.firstStage.map(_.id).contains(1))
    assert(Counters.of(calm).firstWait == 115)
  }

  test("alone, nothing is stolen or late and nothing is said about owned slots") {
    val c = Counters.of(calm)
    assert((c.tasks, c.late, c.stolen, c.ownedAfter, c.backgroundTasks, c.killed) == ((13, 0, 0, None, 0, 0)))
  }

  test("a background task in an owned slot is stolen and the task that waits for it is late") {
    val t = calm.copy(tasks = without(2, 3) ++ Seq(bg(0, "b", 1106, 4106), fg(2, 3, "a", 2116, 3000)))
    assert(Counters.stolen(t).map(_.index) == Seq(0))
    assert(Counters.of(t).late == 1)
    assert(Counters.of(t).ownedAfter.contains(3))
  }

  test("a task waits from when its tasks could be launched, not from its stage's submission") {
    val taken = calm.copy(tasks = without(2, 3) ++ Seq(bg(0, "b", 1106, 4106), fg(2, 3, "a", 2116, 3000)))
    def queued(at: Long) = taken.copy(stages = taken.stages.map(s => if (s.id == 2) s.copy(queued = Some(at)) else s))
    assert((Counters.of(queued(1865)).stolen, Counters.of(queued(1865)).late) == ((1, 1)))
    assert((Counters.of(queued(1866)).stolen, Counters.of(queued(1866)).late) == ((0, 0)))
  }

  test("a background task that ends before a later stage waits is not stolen") {
    val gap = calm.copy(
      ended = 4200,
      stages = calm.stages.take(2) ++ Seq(stage(2, 4, 2120, 3120)),
      tasks = calm.tasks.filter(_.stage < 2) ++ wide(2, 2125) :+ bg(0, "b", 1106, 2000)
    )
    assert(Counters.of(gap).stolen == 0)
  }

  test("a background task in a slot that the foreground never had is not stolen") {
    val narrow = Timeline(
      slots,
      parallelism = 2,
      ended = 2200,
      stages = Seq(stage(1, 2, 10, 1010), stage(2, 2, 1020, 2020)),
      tasks =
        Seq(fg(1, 0, "a", 15, 1000), fg(1, 1, "b", 15, 1000), fg(2, 0, "a", 1025, 2000), fg(2, 1, "b", 1025, 2000)) ++
          Seq(bg(0, "a", 500, 3500), bg(1, "b", 500, 3500))
    )
    assert(Counters.of(narrow).stolen == 0)
    val third = bg(2, "b", 1012, 4012)
    assert(Counters.of(narrow.copy(tasks = narrow.tasks :+ third)).stolen == 0, "it had it, and nobody waited")
    val waits = narrow.tasks.filterNot(t => t.foreground && t.stage == 2 && t.index == 1) :+ fg(2, 1, "a", 2005, 2015)
    assert(Counters.stolen(narrow.copy(tasks = waits :+ third)).map(_.index) == Seq(2))
  }

  test("a background task that had the slot before the first stage was at full width is not stolen") {
    val before = calm.copy(tasks = without(1, 3) ++ Seq(bg(0, "b", -1000, 1000), fg(1, 3, "b", 1005, 1110)))
    assert(Counters.of(before).stolen == 0)
  }

  test("late begins above 250 ms and needs background in that time") {
    def launched(at: Long, background: Seq[TaskRun]) =
      Counters.of(calm.copy(tasks = (without(3, 3) :+ fg(3, 3, "b", at, 3190)) ++ background))
    val beside = Seq(bg(0, "b", 2125, 2500))
    assert(launched(2380, beside).late == 0)
    assert(launched(2381, beside).late == 1)
    val alone = launched(2381, Nil)
    assert((alone.late, alone.waited) == ((0, 1)))
  }

  test("overtaken is what is late beside background that came after the foreground") {
    def beside(launch: Long) = Counters.of(
      calm.copy(tasks = without(2, 3) ++ Seq(fg(2, 3, "b", 1500, 2000), bg(0, "b", launch, 1495)))
    )
    assert((beside(-10).late, beside(-10).overtaken) == ((1, 0)))
    assert((beside(1116).late, beside(1116).overtaken) == ((1, 1)))
  }

  test("late and tasks count a task once, by its first attempt") {
    val copied = calm.copy(tasks = calm.tasks :+ fg(3, 0, "b", 3126, 3128) :+ bg(0, "b", 2135, 2140))
    assert(Counters.of(copied).tasks == 13)
    assert(Counters.of(copied).late == 0)
  }

  test("owned after counts from the end of the last background task that ran on arrival") {
    val t = calm.copy(tasks =
      calm.tasks ++ Seq(bg(0, "a", -900, 60), bg(1, "b", -900, 110), bg(2, "a", 61, 100), bg(3, "b", 3127, 6000))
    )
    assert(Counters.of(t).ownedAfter.contains(3))
    assert(Counters.of(t.copy(tasks = t.tasks.filterNot(_.index == 3))).ownedAfter.contains(4))
  }

  test("a slot given away before its task's end was noted counts once") {
    val t =
      Timeline(Map("a" -> 1), 1, 2000, Seq(stage(1, 1, 0, 1000)), Seq(bg(0, "a", 0, 1004), fg(1, 0, "a", 1000, 1900)))
    assert(t.repaired.map(_.finish) == Seq(1000, 1900))
  }

  test("background launched after the foreground's end is left out, its kills are not") {
    val t = calm.copy(tasks =
      calm.tasks ++
        Seq(
          bg(0, "a", 3150, 6150),
          bg(1, "b", 3201, 3205),
          bg(2, "b", 3300, 3301, "TaskKilled"),
          bg(3, "b", -900, -100)
        )
    )
    val c = Counters.of(t)
    assert((c.backgroundTasks, c.backgroundMeanwhile, c.backgroundSlotMs, c.killed) == ((2, 1, 3800L, 1)))
  }
}
