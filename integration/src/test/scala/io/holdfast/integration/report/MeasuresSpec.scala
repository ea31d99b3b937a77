package io.holdfast.integration.report

import java.nio.file.Files

import io.holdfast.integration.Json
import io.holdfast.integration.measure.{Literal, Measured, Result, Timeline}
import io.holdfast.integration.plan.{Claim, LeftRound, RoundPlanSpec}
import org.scalatest.funsuite.AnyFunSuite

/** What is computed of rounds, on rounds that were written by hand. */
class MeasuresSpec extends AnyFunSuite {
  import RoundPlanSpec.result

  /** Two stages of two tasks on two slots; the second is submitted at 1000 and has its second task at 1700. */
  private val timeline = Timeline(
    Map("a" -> 2),
    2,
    3000,
    Seq(Literal.stage(1, 2, 0, 1000), Literal.stage(2, 2, 1000, 3000)),
    Seq(
      Literal.fg(1, 0, "a", 0, 1000),
      Literal.fg(1, 1, "a", 0, 500),
      Literal.bg(0, "a", 500, 1700),
      Literal.fg(2, 0, "a", 1010, 2000),
      Literal.fg(2, 1, "a", 1700, 3000),
      Literal.bg(1, "a", 3000, 4000)
    )
  )

  private def measures(results: Result*) = new Measures(results, _ => timeline)
  private def median(measure: String, setting: String, results: Result*) =
    measures(results: _*).spread(measure, "chain", setting, None).map(_.median)

  test("full width after a barrier: from the stage's submission to the launch of its last task that has a slot") {
    assert(Measures.refills(timeline) == Seq(700))
    assert(Measures.refills(timeline.copy(parallelism = 1)) == Seq(10))
    val beside = Literal.stage(3, 1, 1500, 3000)
    val more =
      timeline.copy(stages = timeline.stages :+ beside, tasks = timeline.tasks :+ Literal.fg(3, 0, "a", 2000, 3000))
    assert(Measures.refills(more) == Seq(700), "a stage that comes while another one runs is behind no barrier")
  }

  test("share: slot-time of the foreground between its first launch and its end") {
    assert(Measures.share(timeline) == (1000 + 500 + 990 + 1300) / 6000.0)
  }

  test("the background's slot-time counts what it did after the foreground's end, too") {
    assert(Measures.backgroundSlotS(timeline) == 2.2)
  }

  test("the background's time is that of its stages from submission to end") {
    val stages = Seq((0L, 1000L), (500L, 3500L)).map { case (from, to) =>
      Literal.stage(9, 1, from, to).copy(foreground = false)
    }
    assert(Measures.backgroundS(timeline.copy(stages = timeline.stages ++ stages)) == 2.0)
  }

  test("what became of bounds is compared with the same round under stock with speculation") {
    def stage(end: Long) = Seq(Literal.fg(1, 0, "a", 0, 500), Literal.fg(1, 1, "a", 0, end))
    val ends = Map("speculation" -> 1000L, "grass" -> 800L)
    val results = Seq("speculation" -> 1, "grass" -> 1, "grass" -> 2).map { case (setting, repeat) =>
      result("chain", setting, Some("crowd"), repeat, 3).copy(timeline = s"$setting $repeat")
    }
    def found(measure: String, deadline: Option[Long]) = {
      val own = Seq(Literal.stage(1, 2, 0, 1000).copy(deadlineMs = deadline))
      new Measures(results, r => timeline.copy(stages = own, tasks = stage(ends(r.setting))))
        .spread(measure, "chain", "grass", Some("crowd"))
        .map(_.values)
    }
    assert(found(Measures.ByDeadline, Some(900)).contains(Seq(100.0, 100.0)))
    assert(found(Measures.DeadlineGain, Some(900)).contains(Seq(2.0)), "one round has no other")
    assert(found(Measures.ToBound, Some(900)).isEmpty && found(Measures.ByDeadline, None).isEmpty)
    assert(found(Measures.ToBound, None).contains(Seq(0.8, 0.8)))
    assert(found(Measures.ToBoundRatio, None).contains(Seq(0.8)))
    assert(found(Measures.Copies, None).contains(Seq(0.0, 0.0)))
  }

  test("slowdown is over the median alone, whatever the round") {
    val alone = Seq(8.0, 10.0, 100.0).zipWithIndex.map { case (s, i) => result("chain", "alone", None, i, s) }
    val held = result("chain", "holdfast", Some("crowd"), 7, 11)
    assert(median("slowdown", "holdfast", alone :+ held: _*).contains(1.1))
    assert(median("slowdown", "holdfast", held).isEmpty)
  }

  test("slowdown of a program that draws its times is over those alone that drew the same") {
    val alone = Seq(1 -> 8.0, 2 -> 20.0).map { case (i, s) =>
      result("stragglers@20", "alone", None, i, s).copy(seed = 42L + i)
    }
    val held = result("stragglers@20", "holdfast", Some("crowd"), 2, 22).copy(seed = 44)
    def slowdown(results: Result*) =
      measures(results: _*).spread("slowdown", "stragglers@20", "holdfast", None).map(_.median)
    assert(slowdown(alone :+ held: _*).contains(1.1))
    assert(slowdown(alone.head, held).isEmpty, "nothing to compare it with")
  }

  test("processor time is over stock's in the same round beside the same background") {
    val stock = Seq(
      result("chain", "fair", Some("crowd"), 1, driverS = 4),
      result("chain", "fair", Some("crowd"), 2, driverS = 8)
    )
    val held = result("chain", "holdfast", Some("crowd"), 2, driverS = 6)
    assert(median("driver_cpu", "holdfast", stock :+ held: _*).contains(0.75))
    assert(median("driver_cpu", "holdfast", stock.head, held).isEmpty)
  }

  test("utilization gain: what is not held idle that P = 1 holds") {
    val strict = result("chain", "p100", Some("crowd"), 1, idleSlotS = 20)
    val loose = result("chain", "p40", Some("crowd"), 1, idleSlotS = 5)
    assert(median("utilization_gain", "p40", strict, loose).contains(0.75))
    val waited = loose.copy(idleWaitedSlotS = Some(1.1))
    assert(median("held_idle_percent", "p40", strict, waited).contains(50.0))
    assert(median("held_idle_percent", "p40", strict, loose).isEmpty, "not sampled")
    assert(
      median("held_idle_percent", "p40", strict, waited.copy(idleWaitedSlotS = Some(0.5), hourSlotS = Some(5.0)))
        .contains(10.0)
    )
  }

  test("slots are held idle by Holdfast only") {
    val held = result("chain", "p40", Some("crowd"), 1, idleSlotS = 5)
    assert(median("idle_slot_s", "p40", held.copy(holdfast = Some("0.1.0"))).contains(5.0))
    assert(median("idle_slot_s", "p40", held).isEmpty)
  }

  test("a claim is decided by its worst foreground") {
    val alone = Seq("chain", "svm").map(result(_, "alone", None, 1))
    val held =
      Seq(result("chain", "holdfast", Some("crowd"), 1, 10.2), result("svm", "holdfast", Some("crowd"), 1, 10.8))
    def says(most: Option[Double], least: Option[Double], of: String*) =
      Verdict
        .of(
          Claim("x", "slowdown", "holdfast", foregrounds = of, most = most, least = least),
          measures(alone ++ held: _*)
        )
        .says
    assert(says(Some(1.05), None) == "does not hold")
    assert(says(Some(1.05), None, "chain") == "holds")
    assert(says(None, Some(1.05)) == "does not hold")
    assert(says(None, Some(1.02)) == "holds")
    assert(says(None, None) == "reported")
    assert(Verdict.of(Claim("x", "slowdown", "fair"), measures(alone: _*)).says == "not measured")
  }

  private def verdict(claim: Claim, results: Result*) = Verdict.of(claim, measures(results: _*))

  test("a claim is decided beside each background, and says when not all of it has been measured") {
    val alone = Seq("chain", "svm").map(result(_, "alone", None, 1))
    def held(foreground: String, background: String, s: Double) =
      result(foreground, "holdfast", Some(background), 1, s).copy(timeline = s"$foreground-$background-$s")
    val claim = Claim("x", "slowdown", "holdfast", foregrounds = Seq("chain", "svm"), most = Some(1.05))
    val good = alone ++ Seq(held("chain", "a", 10.1), held("svm", "a", 10.2))
    assert(verdict(claim, good: _*).says == "holds")
    // The median of all of chain's rounds is 10.1.
    val bad = verdict(claim, good ++ Seq(held("chain", "a", 10), held("chain", "b", 10.8)): _*)
    assert(bad.says == "does not hold" && bad.found.contains("1.080 (chain beside b, n = 1)"))
    assert(verdict(claim, good.init: _*).says == "holds for 1 of 2")
    val about = claim.copy(foregrounds = Nil, background = Some("a"))
    assert(verdict(about, good.init :+ held("svm", "b", 20): _*).says == "holds", "svm has nothing to do beside a")
    assert(verdict(claim.copy(most = None), good: _*).found.contains("1.020 (svm, n = 1); 1.010 (chain, n = 1)"))
  }

  test("no claim holds for rounds that are missing") {
    val rounds = result("chain", "alone", None, 1) +: (1 to 2).map(result("chain", "holdfast", Some("a"), _, 10.1))
    val claim = Claim("x", "slowdown", "holdfast", most = Some(1.05))
    def says(claim: Claim, left: LeftRound*) = Verdict.of(claim, measures(rounds: _*), left).says
    assert(says(claim) == "holds")
    val third = LeftRound("holdfast", "chain", Some("a"))
    val oneLeft = " so far (rounds not measured: 1)"
    assert(says(claim, third) == "holds" + oneLeft)
    assert(says(claim.copy(most = Some(1)), third) == "does not hold" + oneLeft)
    assert(says(claim.copy(most = None), third) == "reported" + oneLeft)
    val alone = LeftRound("alone", "chain", None)
    assert(says(claim, alone) == "holds" + oneLeft, "the median alone may change")
    assert(says(claim.copy(measure = "stolen", most = Some(0)), alone) == "holds", "nothing to do with it")
    assert(says(claim, LeftRound("fair", "chain", Some("a"))) == "holds")
    val nowhere = LeftRound("holdfast", "svm", Some("a"))
    assert(says(claim, nowhere) == "holds for 1 of 2" + oneLeft, "a foreground of which nobody has seen anything")
    assert(says(claim.copy(foregrounds = Seq("chain")), nowhere) == "holds")
    val beside = LeftRound("holdfast", "chain", Some("b"))
    assert(says(claim, beside) == "holds for 1 of 2" + oneLeft)
    assert(says(claim.copy(background = Some("a")), beside) == "holds")
  }

  test("a claim with two limits is decided by both") {
    val rounds = Seq(result("chain", "alone", None, 1), result("svm", "alone", None, 1)) ++
      Seq(result("chain", "holdfast", Some("a"), 1, 10), result("svm", "holdfast", Some("a"), 1, 30))
    val claim = Claim("x", "slowdown", "holdfast", most = Some(1.05), least = Some(0.95))
    assert(verdict(claim, rounds: _*).says == "does not hold")
  }

  test("what must not happen must not happen in any round") {
    val rounds = (1 to 3).map(i => result("chain", "holdfast", Some("crowd"), i).copy(stolen = if (i == 3) 5 else 0))
    val claim = Claim("no slot is stolen", "stolen", "holdfast", most = Some(0))
    assert(
      verdict(claim, rounds: _*).row == Seq(
        "no slot is stolen",
        "-",
        "at most 0 in every round",
        "slots stolen: 0 (0 to 5) (chain, n = 3)",
        "does not hold"
      )
    )
    assert(verdict(claim, rounds.init: _*).says == "holds")
  }

  test("the background's time is over stock's where stock's ended any job") {
    val (stock, held) = (result("chain", "fair", Some("crowd"), 1), result("chain", "holdfast", Some("crowd"), 1))
    assert(
      median("background_slowdown", "holdfast", stock, held).isEmpty,
      "the timeline has no stage of the background"
    )
  }

  test("failed are the attempts that neither succeeded nor were cancelled, of both sides") {
    val tasks = Seq("Success", "TaskKilled", "FetchFailed", "ExceptionFailure").zipWithIndex.map { case (outcome, i) =>
      Literal.bg(i, "a", 0, 10, outcome)
    }
    val timeline =
      Timeline(Map("a" -> 2), 2, 10, Nil, tasks :+ Literal.fg(1, 0, "a", 0, 10).copy(outcome = "TaskKilled"))
    assert(Measures.failed(timeline) == 2)
  }

  test("the background's jobs that came before the foreground's end are counted") {
    val jobs = Seq(0L, 2999L, 3000L).map(from => Literal.stage(9, 1, from, 9000).copy(foreground = false))
    assert(Measures.met(timeline.copy(stages = timeline.stages ++ jobs)) == 2)
  }

  test("the slowest task away from its input is set beside local ones of its stage in a warm JVM") {
    val placed = timeline.copy(tasks = timeline.tasks.zipWithIndex.map { case (t, i) =>
      t.copy(locality = if (i == 1) "ANY" else "PROCESS_LOCAL")
    })
    // Cold, and warm: 500 ms away from its input beside 1000 ms next to it.
    val rounds = Seq(1, 2).map(i => result("chain", "fair", Some("crowd"), i).copy(timeline = s"t$i"))
    val found = new Measures(rounds, _ => placed).spread("farthest", "chain", "fair", None)
    assert(found.map(_.median).contains(0.5))
  }

  test("a line that was cut off is no round, and is removed before others are added") {
    val file = Files.createTempFile("results", ".jsonl")
    val line = Json.write(result("chain", "alone", None, 1)) + "\n"
    Files.writeString(file, line + line.take(40))
    val measured = new Measured(file)
    assert(measured.all.size == 1)
    measured.repair()
    assert(Files.readString(file) == line)
  }
}
