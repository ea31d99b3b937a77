package io.holdfast.integration.report

import java.nio.file.{Files, Paths}

import scala.collection.immutable.ListMap

import io.holdfast.integration.Json
import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.measure.{BackgroundResult, Literal, Measured, Result, Timeline}
import io.holdfast.integration.measure.ResultSpec.result
import io.holdfast.integration.plan.{Choice, Experiment, Part, RoundPlan, Setting}
import io.holdfast.integration.programs.BackgroundSpec
import org.scalatest.funsuite.AnyFunSuite

/** What is said of rounds in Sparks of their own, on rounds that were written by hand. */
class PairsSpec extends AnyFunSuite {
  private val settings = Json.load[ListMap[String, Setting]](Paths.get("experiments/demo/settings.json"))
  private val part = Part(
    Seq("chain"),
    Seq(BackgroundSpec(Result.ForegroundFirst, BackgroundSpec.Crowd, first = false)),
    Seq(Result.Alone, Result.Stock, Result.Holdfast),
    rounds = 1
  )
  private def experiment(repeats: Int) =
    Experiment(
      "title",
      "",
      "pairs",
      Shape(4, 1, 2, 1024, local = true),
      Seq(part.copy(blocks = repeats)),
      ownSparks = true
    )
  private val timeline =
    Timeline(Map("a" -> 2), 2, 2200, Seq(Literal.stage(1, 2, 0, 2200)), Seq(Literal.fg(1, 0, "a", 5, 2100)))
  private val runs = Seq(result(Result.Alone, 1, 2.0), result(Result.Stock, 1, 6.0), result(Result.Holdfast, 1, 2.2))

  private def groups(results: Result*): Seq[Group] =
    Group.all(new Measures(Pairs.rounds(results, settings), _ => timeline), settings)

  private def report(repeats: Int, results: Result*): Report = {
    val folder = Files.createTempDirectory("holdfast-pairs")
    val measured = new Measured(folder.resolve(Measured.File))
    Files.writeString(measured.file, results.map(Json.write(_) + "\n").mkString)
    results.foreach(r => Json.save(folder.resolve(r.timeline), timeline))
    val left = RoundPlan.left(experiment(repeats), results)
    new Report("demo", experiment(repeats), settings, measured, Seq("command" -> "again"), left)
  }

  test("contended runs are compared with the run alone of the same repeat") {
    val all = groups(
      result(Result.Alone, 1, 2.0),
      result(Result.Stock, 1, 6.0),
      result(Result.Alone, 2, 4.0),
      result(Result.Stock, 2, 8.0)
    )
    assert(all.map(_.setting) == Seq(Result.Alone, Result.Stock))
    assert(all.head.known(Measures.Paired).isEmpty)
    assert(all.last.known(Measures.Paired).map(s => (s.median, s.min, s.max, s.n)).contains((2.5, 2.0, 3.0, 2)))
  }

  test("the report says which cells are missing, and of how many pairs a median is") {
    def page(results: Result*) = report(repeats = 2, results: _*).section
    val all =
      for (repeat <- 1 to 2; setting <- Seq(Result.Alone, Result.Stock, Result.Holdfast))
        yield result(setting, repeat, 3.0)
    assert(!page(all: _*).contains("missing") && page(all: _*).contains("(n = 2)"))
    val one = page(all.filterNot(r => r.setting == Result.Alone && r.repeat == 2): _*)
    assert(one.contains("<b>1 of 6 cells are missing</b>") && one.contains("chain alone repeat 2"))
    assert(one.contains("(n = 1)") && !one.contains("(n = 2)"), "a run without one alone is in no pair")
  }

  test("the report contains every group, plots with units, and says where Holdfast loses") {
    val page = report(repeats = 1, runs: _*).section
    val expected = Seq(
      "Slowdown, foreground first",
      "3.00",
      "1.10",
      "job completion time / alone",
      "running tasks",
      "time since the foreground was submitted (s)",
      "Where Holdfast loses",
      "1.10 times as long as alone",
      "again"
    )
    assert(expected.filterNot(page.contains(_)) == Nil)
  }

  test("the background's pace is that of tasks launched while the foreground lived") {
    val stock = result(Result.Stock, 1, 6.0).copy(background = BackgroundResult(20, 12, 60.0, 0))
    val held = result(Result.Holdfast, 1, 2.0).copy(background = BackgroundResult(8, 0, 24.0, 0))
    val said = Losses.of(groups(stock, held), identity)
    assert(said.exists(_.contains("launched 0.00 tasks a second while the foreground ran, under stock 2.00")), said)
  }

  test("the last screen: a row for each setting, and what happened, in one line") {
    val seen =
      "What you saw: beside a crowd that wants every slot, Chain took 3.0 times as long as alone under stock Spark, and 1.10 times with Holdfast. No background task was killed."
    assert(
      report(repeats = 1, runs: _*).text(all = false).linesIterator.toSeq == Seq(
        "             median time  times as long as alone",
        "alone              2.0 s                     1.0",
        "stock Spark        6.0 s                     3.0",
        "Holdfast           2.2 s                    1.10",
        "",
        seen
      )
    )
    val wide = report(repeats = 1, runs: _*).text(all = true)
    assert(wide.contains("overtaken") && wide.endsWith(seen))
  }

  test("an order that only Holdfast has is in no comparison") {
    val second = result(Result.Holdfast, 1, 4.0).copy(order = Some(Result.BackgroundFirst), timeline = "second.json")
    assert(report(1, runs :+ second: _*).text(all = false) == report(1, runs: _*).text(all = false))
  }

  test("each variant has a row of its own, and says so") {
    val held = Seq("on", "off").map(v => runs.last.copy(variant = Some(v), timeline = s"$v.json"))
    val chosen = Choice(variants = ListMap("on" -> Map.empty[String, String], "off" -> Map("a" -> "b")))
    val asked = chosen.of(experiment(1), "experiment")
    val known = Pairs.settings(settings, asked)
    assert(known.keys.toSeq.takeRight(2) == Seq("holdfast, on", "holdfast, off"))
    assert(known("holdfast, on").colour != known("holdfast, off").colour)
    val rounds = Pairs.rounds(runs.init ++ held.reverse, known)
    assert(rounds.map(_.setting) == Seq("alone", "stock", "holdfast, on", "holdfast, off"))
  }
}
