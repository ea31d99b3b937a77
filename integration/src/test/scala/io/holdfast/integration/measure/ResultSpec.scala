package io.holdfast.integration.measure

import io.holdfast.integration.Json
import org.scalatest.funsuite.AnyFunSuite

class ResultSpec extends AnyFunSuite {
  import ResultSpec.result

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
    val written = Timeline(Map("a" -> 2), 2, 2200, Seq(Literal.stage(1, 1, 0, 2200).copy(queued = Some(3))), tasks)
    val read = Json.read[Timeline](Json.write(written))
    assert(read == written)
    assert(Counters.of(read) == Counters.of(written))
  }
}

object ResultSpec {
  def result(setting: String, repeat: Int, jct: Double) = Result(
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
    s"$setting-$repeat.json"
  )
}
