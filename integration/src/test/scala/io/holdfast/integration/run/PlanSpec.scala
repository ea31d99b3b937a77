package io.holdfast.integration.run

import org.scalatest.funsuite.AnyFunSuite

class PlanSpec extends AnyFunSuite {

  test("the demo: three settings each, and one cell with the background first") {
    val cells = Plan.cells(Options.parse(Seq("--also=kmeans")))
    assert(
      cells.map(c => (c.workload, c.setting, c.order.getOrElse("-"))) == Seq(
        ("kmeans", "alone", "-"),
        ("kmeans", "stock", "foreground-first"),
        ("kmeans", "holdfast", "foreground-first"),
        ("kmeans", "holdfast", "background-first")
      ) ++
        Seq("svm", "pagerank").flatMap(w =>
          Seq((w, "alone", "-"), (w, "stock", "foreground-first"), (w, "holdfast", "foreground-first"))
        )
    )
  }

  test("each repeat has its own seed and starts with another setting; all settings of a repeat share the seed") {
    val cells = Plan.cells(Options.parse(Seq("--workloads=chain", "--repeats=3", "--seed=7")))
    assert(cells.groupBy(_.repeat).toSeq.sortBy(_._1).map(_._2.map(_.seed).distinct) == Seq(Seq(7), Seq(8), Seq(9)))
    assert(cells.groupBy(_.repeat).toSeq.sortBy(_._1).map(_._2.head.setting) == Seq("alone", "stock", "holdfast"))
  }

  test("keys of Holdfast reach its cells only, others all; variants each have a cell") {
    val cells = Plan.cells(
      Options.parse(
        Seq(
          "--workloads=chain",
          "--conf=spark.locality.wait=0;spark.holdfast.linger.max=2s",
          "--variants=default:/spread:spark.holdfast.spread=true"
        )
      )
    )
    assert(cells.map(_.variant.getOrElse("-")) == Seq("-", "-", "default", "spread"))
    assert(cells.forall(_.conf("spark.locality.wait") == "0"))
    assert(cells.map(_.conf.contains("spark.holdfast.linger.max")) == Seq(false, false, true, true))
    assert(cells.map(_.conf.get("spark.holdfast.spread")) == Seq(None, None, None, Some("true")))
  }

  test("alone with Holdfast on: no order, Holdfast's keys, compared with the run alone") {
    val cells = Plan.cells(
      Options.parse(Seq("--workloads=chain", "--settings=alone,uncontended", "--conf=spark.holdfast.linger.max=2s"))
    )
    assert(cells.map(c => (c.setting, c.order)) == Seq("alone" -> None, "uncontended" -> None))
    assert(cells.map(_.conf.contains("spark.holdfast.linger.max")) == Seq(false, true))
  }

  test("what the runner does not understand is named") {
    def said(arg: String) = intercept[IllegalArgumentException](Options.parse(Seq(arg))).getMessage
    assert(said("--repeats=none").contains("'none'"))
    assert(said("--workloads=kmeens").contains("'kmeens'"))
    assert(said("--setting=alone").contains("--setting=alone"))
    assert(said("--conf=a").contains("'a'"))
    assert(said("--warmup=maybe").contains("'maybe'"))
  }
}
