package io.holdfast.integration.report

import io.holdfast.integration.Json
import io.holdfast.integration.measure.{BackgroundResult, Counters, CpuResult, HoldsResult, Literal, Result, Timeline}
import io.holdfast.integration.run.Options
import org.scalatest.funsuite.AnyFunSuite

class ResultSpec extends AnyFunSuite {
  private def result(setting: String, repeat: Int, jct: Double) = Result(
    "chain",
    setting,
    if (setting == Result.Alone) None else Some(Result.ForegroundFirst),
    repeat,
    42,
    "4.1.0",
    jct,
    0.1,
    40,
    2,
    1,
    BackgroundResult(3, 2, 9.5, 0),
    HoldsResult(1, 2, 3, 4, 5, 0),
    0.5,
    7,
    None,
    jct,
    2,
    1,
    2,
    None,
    CpuResult(1.5, 6.0),
    "timeline.json"
  )

  test("results.json has the names of the fields that readers rely on") {
    val json = Json.tree(Json.write(result(Result.Stock, 1, 3.0)))
    val names = Seq(
      "workload",
      "setting",
      "order",
      "repeat",
      "seed",
      "spark",
      "jct_s",
      "first_wait_s",
      "tasks",
      "late",
      "stolen",
      "background",
      "holds",
      "idle_slot_s",
      "vetoes",
      "overtaken",
      "late_in_bound"
    )
    assert(names.filterNot(json.has) == Nil)
    assert(Seq("tasks", "meanwhile", "slot_s", "killed").filterNot(json.get("background").has) == Nil)
    assert(Seq("driver_s", "executors_s").filterNot(json.get("cpu").has) == Nil)
    assert(Seq("made", "used", "expired", "overridden", "dropped", "left").filterNot(json.get("holds").has) == Nil)
    assert(Json.tree(Json.write(result(Result.Alone, 1, 3.0))).get("order").isNull)
  }

  test("a result is read back as it was written") {
    val written = result(Result.Stock, 1, 3.0).copy(ownedAfter = Some(8))
    assert(Json.read[Result](Json.write(written)) == written)
  }

  test("a timeline is read back as it was written, with the same counters") {
    val tasks = Seq(Literal.fg(1, 0, "a", 5, 2100), Literal.bg(0, "a", -50, 2000, "TaskKilled"))
    val written = Timeline(Map("a" -> 2), 2, 2200, Seq(Literal.stage(1, 1, 0, 2200)), tasks)
    val read = Json.read[Timeline](Json.write(written))
    assert(read == written)
    assert(Counters.of(read) == Counters.of(written))
  }

  test("contended runs are compared with the run alone of the same repeat") {
    val runs = Seq(
      result(Result.Alone, 1, 2.0),
      result(Result.Stock, 1, 6.0),
      result(Result.Alone, 2, 4.0),
      result(Result.Stock, 2, 8.0)
    )
    val groups = Pairs.groups(runs)
    assert(groups.map(_.setting) == Seq(Result.Alone, Result.Stock))
    assert(groups.head.slowdown.isEmpty)
    assert(groups.last.slowdown.map(s => (s.median, s.min, s.max, s.n)).contains((2.5, 2.0, 3.0, 2)))
  }

  test("the report says which cells are missing, and of how many pairs a median is") {
    def page(results: Result*) = Report.page(
      Options.parse(Seq("--workloads=chain", "--repeats=2")),
      results,
      _ => Timeline(Map("a" -> 2), 2, 2200, Seq(Literal.stage(1, 2, 0, 2200)), Seq(Literal.fg(1, 0, "a", 5, 2100)))
    )
    val runs =
      for (repeat <- 1 to 2; setting <- Seq(Result.Alone, Result.Stock, Result.Holdfast))
        yield result(setting, repeat, 3.0)
    assert(!page(runs: _*).contains("missing") && page(runs: _*).contains("(n = 2)"))
    val one = page(runs.filterNot(r => r.setting == Result.Alone && r.repeat == 2): _*)
    assert(one.contains("<b>1 of 6 cells are missing</b>") && one.contains("chain alone repeat 2"))
    assert(one.contains("(n = 1)") && !one.contains("(n = 2)"), "a run without one alone is in no pair")
  }

  test("the report contains every group, plots with units, and says where Holdfast loses") {
    val runs = Seq(result(Result.Alone, 1, 2.0), result(Result.Stock, 1, 6.0), result(Result.Holdfast, 1, 2.2))
    val timeline =
      Timeline(Map("a" -> 2), 2, 2200, Seq(Literal.stage(1, 2, 0, 2200)), Seq(Literal.fg(1, 0, "a", 5, 2100)))
    val page = Report.page(Options.parse(Seq("--command=again")), runs, _ => timeline)
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
    val said = Losses.of(Pairs.groups(Seq(stock, held)))
    assert(said.exists(_.contains("launched 0.00 tasks a second while the foreground ran, under stock 2.00")), said)
  }
}
