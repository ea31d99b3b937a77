package io.holdfast.integration.run

import io.holdfast.integration.measure.Result
import org.scalatest.funsuite.AnyFunSuite

/** What demo and experiment run, by their files and by what a user wants otherwise. */
class PlanSpec extends AnyFunSuite {
  private val folders = Seq("reports", "inputs", "archives", "cells", "holdfast-jar", "own-jar").map(f => s"--$f=no/$f")

  private def asked(args: String*) = Asked.parse(folders ++ Seq("--experiments=experiments/demo") ++ args)
  private def of(name: String, args: String*) = new ExperimentRun(name, asked(args: _*)).specs
  private def cells(args: String*) = of("experiment", args: _*)

  private def told(spec: RoundsSpec) = {
    val round = spec.spark.rounds.last
    (round.foreground, spec.spark.setting, round.order.getOrElse("-"))
  }

  test("the demo: three settings each, and one cell with the background first, all cold") {
    val demo = of("demo")
    val whole = Seq("kmeans", "svm", "pagerank").flatMap { w =>
      Seq((w, "alone", "-"), (w, "stock", "foreground-first"), (w, "holdfast", "foreground-first"))
    }
    val (before, after) = whole.splitAt(6)
    assert(demo.map(told) == (before :+ (("svm", "holdfast", "background-first"))) ++ after)
    assert(demo.forall(_.spark.rounds.map(_.round) == Seq(1)))
    assert(demo.map(_.spark.name).take(2) == Seq("kmeans-alone-r1", "kmeans-stock-foreground-first-r1"))
    assert(of("demo", "--workloads=kmeans", "--warmup=yes").forall(_.spark.rounds.map(_.round) == Seq(0, 1)))
    assert(of("demo", "--workloads=kmeans").map(told) == whole.take(3), "of no program that was not asked for")
  }

  test("another program has the cell with the background first") {
    val also = cells("--also=kmeans", "--repeats=2").map(told).filter(_._3 == Result.BackgroundFirst)
    assert(also == Seq(("kmeans", "holdfast", "background-first")))
    val both = cells("--orders=both", "--workloads=svm", "--also=svm").map(told)
    assert(
      both.map(t => (t._2, t._3)) == Seq(
        ("alone", "-"),
        ("stock", "foreground-first"),
        ("stock", "background-first"),
        ("holdfast", "foreground-first"),
        ("holdfast", "background-first")
      )
    )
  }

  test("each repeat has its own seed and starts with another setting; all settings of a repeat share the seed") {
    val repeats = cells("--workloads=chain", "--repeats=3", "--seed=7").groupBy(_.spark.block).toSeq.sortBy(_._1)
    assert(repeats.map(_._2.map(_.spark.rounds.last.seed).distinct) == Seq(Seq(7), Seq(8), Seq(9)))
    assert(repeats.map(_._2.head.spark.setting) == Seq("alone", "stock", "holdfast"))
    assert(repeats.map(_._1) == repeats.map(r => r._2.head.spark.repeat(r._2.head.spark.rounds.last)))
  }

  test("keys of Holdfast reach its cells only, others all; variants each have a cell") {
    val all = cells(
      "--workloads=chain",
      "--conf=spark.locality.wait=0;spark.holdfast.linger.max=2s",
      "--variants=default:/spread:spark.holdfast.spread=true"
    )
    assert(all.map(_.spark.variant.getOrElse("-")) == Seq("-", "-", "default", "spread"))
    assert(all.forall(_.conf("spark.locality.wait") == "0"))
    assert(all.map(_.conf.contains("spark.holdfast.linger.max")) == Seq(false, false, true, true))
    assert(all.map(_.conf.get("spark.holdfast.spread")) == Seq(None, None, None, Some("true")))
  }

  test("background tasks take longer, and programs run more often, where a key says so") {
    val all = cells("--workloads=chain", "--conf=program.times=3", "--variants=usual:/long:crowd.times=2")
    assert(all.map(_.spark.rounds.last.programTimes) == Seq(3, 3, 3, 3))
    assert(all.flatMap(_.spark.rounds.last.background.map(_.times)) == Seq(1, 1, 2))
    assert(intercept[IllegalArgumentException](cells("--conf=crowd.times=x")).getMessage.contains("crowd.times is 'x'"))
  }

  test("a variant without Holdfast asks it for nothing") {
    val all = cells("--workloads=chain", "--variants=on:/off:spark.holdfast.mode=off")
    assert(all.map(_.counted) == Seq(false, false, true, false))
  }

  test("alone with Holdfast on: no order, Holdfast's keys, compared with the run alone") {
    val all = cells("--workloads=chain", "--settings=alone,uncontended", "--conf=spark.holdfast.linger.max=2s")
    assert(all.map(told) == Seq(("chain", "alone", "-"), ("chain", "uncontended", "-")))
    assert(all.map(_.conf.contains("spark.holdfast.linger.max")) == Seq(false, true))
  }

  test("what the runner does not understand is named") {
    def said(arg: String) = intercept[IllegalArgumentException](asked(arg)).getMessage
    assert(said("--repeats=none").contains("'none'"))
    assert(said("--workloads=kmeens").contains("'kmeens'"))
    assert(said("--setting=alone").contains("--setting=alone"))
    assert(said("--conf=a").contains("'a'"))
    assert(said("--warmup=maybe").contains("'maybe'"))
    assert(said("--orders=fb").contains("'fb'"))
    val unknown = intercept[IllegalArgumentException](cells("--settings=stok")).getMessage
    assert(unknown == "-Psettings has 'stok'; use some of alone, holdfast, stock, uncontended")
  }

  test("an experiment whose Sparks are shared takes no programs, orders or repeats") {
    val paper = asked("--repeats=3").copy(experiments = java.nio.file.Paths.get("experiments/ssr"))
    val refused = intercept[IllegalArgumentException](new ExperimentRun("fig01", paper)).getMessage
    assert(refused.startsWith("'fig01' has its programs, orders, repeats and seed in its file"))
  }

  test("the page of all experiments has those, too, that lack the settings asked for") {
    def one(folder: String, name: String, choice: String) = {
      val wanted = asked(choice).copy(experiments = java.nio.file.Paths.get(s"experiments/$folder"))
      val run = new ExperimentRun(name, wanted)
      (run, Runner.each(wanted, Experiments.list(wanted.experiments), Seq(run)))
    }
    val (dashboards, onPage) = one("dashboards", "dashboards", "--only=preemption-1s")
    val all = Seq("connect", "dashboards", "pyspark", "standalone", "thrift")
    assert(onPage.map(_.name) == all && onPage(1) == dashboards)
    // Its pools are all alike, so it refuses this setting for itself.
    assert(one("ssr", "fig06", "--settings=timeout")._2.map(_.name).contains("fig13"))
  }
}
