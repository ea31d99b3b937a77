package io.holdfast.integration.plan

import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.measure.{BackgroundResult, CpuResult, HoldsResult, Result}
import io.holdfast.integration.programs.BackgroundSpec
import org.scalatest.funsuite.AnyFunSuite

class RoundPlanSpec extends AnyFunSuite {
  private val crowd = BackgroundSpec("crowd", BackgroundSpec.Crowd)
  private val part = Part(Seq("chain", "svm"), Seq(crowd), Seq("alone", "fair", "holdfast"), blocks = 2, rounds = 2)
  private val experiment = Experiment("title", "paper", "slowdowns", Shape(1, 1, 2, 512), Seq(part))

  private def done(plan: Seq[SparkRounds]): Seq[Result] = for (spark <- plan; round <- spark.rounds if round.round > 0)
    yield RoundPlanSpec.result(
      round.foreground,
      spark.setting,
      round.background.map(_.name),
      RoundPlan.repeat(spark.block, round.round)
    )

  test(
    "each setting has a Spark in each block, which warms up and then runs every foreground beside every background"
  ) {
    val plan = RoundPlan.of(experiment, Nil)
    assert(plan.map(_.block) == Seq(1, 1, 1, 2, 2, 2))
    assert(plan.groupBy(_.block).values.forall(_.map(_.setting).toSet == part.settings.toSet))
    val fair = plan.find(_.setting == "fair").get
    assert(
      fair.rounds.map(r => (r.foreground, r.background.map(_.name), r.round)) == Seq(
        ("chain", None, 0),
        ("svm", None, 0),
        ("chain", Some("crowd"), 1),
        ("svm", Some("crowd"), 1),
        ("chain", Some("crowd"), 2),
        ("svm", Some("crowd"), 2)
      )
    )
  }

  test("who learns is trained first, with whole rounds that are not kept, beside one background after the other") {
    val other = crowd.copy(name = "other")
    val learning = part.copy(backgrounds = Seq(crowd, other), training = Map("holdfast" -> Seq("svm", "chain", "svm")))
    val plan = RoundPlan.of(experiment.copy(parts = Seq(learning)), Nil)
    val trained = plan.map(spark => spark.setting -> spark.rounds.filter(_.training))
    assert(trained.filter(_._2.nonEmpty).map(_._1).toSet == Set("holdfast"))
    val rounds = plan.find(_.setting == "holdfast").get.rounds
    assert(
      rounds.map(_.round).take(5) == Seq.fill(5)(0) && rounds.map(_.training).take(6) == Seq(false, false, true, true,
        true, false)
    )
    assert(rounds.slice(2, 5).flatMap(_.background.map(_.name)) == Seq("crowd", "other", "crowd"))
    assert(rounds.map(_.short).take(6) == Seq(true, true, false, false, false, false))
    val seeds = rounds.filter(_.training).map(_.seed)
    assert(seeds.distinct == seeds && seeds.intersect(rounds.filterNot(_.training).map(_.seed)).isEmpty)
    assert(done(plan).size == 40)
  }

  test("rounds are sampled unless their part is not: those whose processor time is compared") {
    val quiet = experiment.copy(parts = Seq(part.copy(sampleIdle = false), part))
    def sampled(plan: Seq[SparkRounds]) = plan.groupBy(_.block > 100).map { case (second, sparks) =>
      second -> sparks.flatMap(_.rounds.filter(_.round > 0).map(_.sampleIdle)).distinct
    }
    assert(sampled(RoundPlan.of(quiet, Nil)) == Map(false -> Seq(false), true -> Seq(true)))
  }

  test("every second block has the order of the one before it turned round") {
    val plan = RoundPlan.of(experiment.copy(parts = Seq(part.copy(blocks = 4))), Nil)
    val orders = plan.map(_.setting).grouped(part.settings.size).toSeq
    assert(orders(1) == orders(0).reverse && orders(3) == orders(2).reverse)
  }

  test("whoever is measured alone has nothing beside it") {
    val alone = RoundPlan.of(experiment, Nil).filter(_.setting == "alone")
    assert(alone.size == 2 && alone.flatMap(_.rounds).forall(_.background.isEmpty))
  }

  test("all settings meet the same seeds, and equal seeds give the same order") {
    val plan = RoundPlan.of(experiment, Nil)
    def seeds(setting: String) =
      plan.filter(_.setting == setting).flatMap(_.rounds).filter(_.round > 0).map(_.seed).distinct
    assert(seeds("fair") == seeds("holdfast") && seeds("fair").size == 4)
    assert(RoundPlan.of(experiment, Nil) == plan)
    val orders = (1 to 20).map(i => RoundPlan.of(experiment.copy(seed = i), Nil).take(3).map(_.setting))
    assert(orders.distinct.size == 6)
  }

  test("what has been measured is not measured again, and a Spark with nothing left does not start") {
    val plan = RoundPlan.of(experiment, Nil)
    val all = done(plan)
    assert(RoundPlan.of(experiment, all) == Nil)
    val rest = RoundPlan.of(experiment, all.dropRight(1))
    assert(rest.map(s => (s.setting, s.block, s.measured)) == Seq((plan.last.setting, 2, 1)))
    assert(rest.head.rounds.take(2).map(_.round) == Seq(0, 0))
  }

  test("rounds that are left are told one by one, those that warm up are none") {
    val all = done(RoundPlan.of(experiment, Nil))
    assert(RoundPlan.left(experiment, all) == Nil)
    val last = all.last
    assert(RoundPlan.left(experiment, all.init) == Seq(LeftRound(last.setting, last.workload, last.variant)))
    assert(RoundPlan.left(experiment, Nil).size == all.size)
  }

  test(
    "without a warm-up, a Spark that goes on after the first round warms up, and one that has it before itself does not"
  ) {
    val cold = experiment.copy(parts = Seq(part.copy(warmUp = false)))
    val plan = RoundPlan.of(cold, Nil)
    assert(plan.forall(_.rounds.forall(_.round > 0)))
    val fair = plan.filter(_.setting == "fair").take(1)
    def left(measured: Int) =
      RoundPlan
        .of(cold, done(fair).take(measured))
        .find(_.setting == "fair")
        .get
        .rounds
        .map(r => (r.foreground, r.round))
    assert(left(1) == Seq(("chain", 0), ("svm", 1), ("chain", 2), ("svm", 2)))
    assert(left(2) == Seq(("chain", 0), ("svm", 0), ("chain", 2), ("svm", 2)))
    assert(left(3) == Seq(("svm", 0), ("svm", 2)))
  }

  test("rounds of different parts have different numbers") {
    val two = experiment.copy(parts = Seq(part, part.copy(foregrounds = Seq("chain"))))
    val all = done(RoundPlan.of(two, Nil))
    assert(all.map(r => (r.workload, r.setting, r.variant, r.repeat)).distinct.size == all.size)
  }
}

object RoundPlanSpec {
  def result(
      foreground: String,
      setting: String,
      background: Option[String],
      repeat: Int,
      jctS: Double = 10,
      driverS: Double = 1,
      idleSlotS: Double = 0
  ): Result = Result(
    foreground,
    setting,
    background.map(_ => Result.BackgroundFirst),
    repeat,
    42,
    "4.1.0",
    jctS,
    0,
    8,
    0,
    0,
    BackgroundResult(0, 0, 0, 0),
    HoldsResult(0, 0, 0, 0, 0, 0),
    idleSlotS,
    0,
    background,
    jctS,
    0,
    0,
    0,
    None,
    CpuResult(driverS, 0),
    s"$foreground-$setting-$repeat"
  )
}
