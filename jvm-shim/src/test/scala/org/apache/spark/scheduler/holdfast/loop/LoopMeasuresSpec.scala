package org.apache.spark.scheduler.holdfast.loop

import org.scalatest.funsuite.AnyFunSuite

/** What the paper's formulas promise, measured in virtual time on chains whose task durations are Pareto distributed. */
class LoopMeasuresSpec extends AnyFunSuite with LoopFixture {
  import LoopMeasuresSpec._

  private val runs = number("measured", 1000)

  // D / t_m by Eq. 2 for N = 20, alpha = 1.6.
  Seq(("0.4", 6.9673), ("0.9", 26.5879)).foreach { case (isolation, multiple) =>
    test(
      s"SSR-8, SSR-9: an isolation of $isolation holds for $multiple t_m, keeps its share of barriers and its bound"
    ) {
      val (lost, multiples, idle) = seeds(runs).map { seed =>
        val outcome = context.run(barrier(seed), Variant("isolation", Some(held(isolation))))
        context.forget()
        val survived = outcome.counters("expired") == 0
        // The stage after the barrier, whose tasks are all alike, keeps its deadline in any case.
        val account = outcome.accounts.head
        assert(account.path("barriers").asInt == 2 && account.path("kept").asInt == (if (survived) 2 else 1))
        (
          !survived,
          expiry(outcome),
          (account.path("barrier_idle_slot_s").asDouble, account.path("bound_slot_s").asDouble)
        )
      }.unzip3
      val survival = lost.count(!_).toDouble / runs
      val median = multiples.flatten.sorted.apply(multiples.flatten.size / 2)
      // Eq. 4 is of slots that are held until the deadline: a barrier that all have reached before idles for less.
      val (idled, bound) = (idle.map(_._1).sum / runs, idle.map(_._2).sum / runs)
      println(
        f"isolation $isolation, N = $Width, $runs runs: survival $survival%.3f, D / t_m $median%.3f," +
          f" $idled%.1f slot-s idle until the deadline, at most $bound%.1f by Eq. 4"
      )
      assert(idled > 0 && idled <= bound)
      assert(math.abs(median - multiple) <= 0.005)
      // Expected is P^(19/20): the deadline is a multiple of what the first finisher took, which itself cannot be late.
      assert(math.abs(survival - isolation.toDouble) <= 0.05)
    }
  }

  test("SSR-1: a stage of more tasks than slots holds every slot that its last wave frees") {
    val wave = StageSpec(tasks = 100, Uniform(1000, 2000))
    val world = alone(slots = 8, seed = firstSeed, Nameless, wave, wave.copy(shuffles = false))
    val outcome = context.run(world, Variant("last-wave", Some(Map("spark.holdfast.copies" -> "off"))))
    val last = outcome.ends.slice(92, 100)
    val idleMillis = last.map(last.last - _).sum
    val held = outcome.counters("idleSlotSeconds") * 1000
    // Besides, the eight slots wait for the last result to be taken in.
    assert(idleMillis > 1000 && held >= idleMillis && held <= idleMillis + 8 * world.costs.result)
    val account = outcome.accounts.head
    assert(account.path("kept").asInt == account.path("barriers").asInt)
  }

  test("SSR-10: copies of stragglers cut the mean time of a chain by half") {
    // Always the same seeds: with stragglers capped at 20 times the shortest task the cut is hardly more than a half.
    val (without, withCopies) = (1L to math.max(200L, runs / 5L)).map { seed =>
      val spans = Seq("off", "all").map { copies =>
        val variant = Variant(s"copies-$copies", Some(Map("spark.holdfast.copies" -> copies)))
        context.run(chain(seed), variant).spans.head.toDouble
      }
      context.forget()
      (spans.head, spans.last)
    }.unzip
    val cuts = without.zip(withCopies).map { case (off, on) => 1 - on / off }
    val cut = 1 - withCopies.sum / without.sum
    println(
      f"copies, N = $Width, $ChainStages stages, capped at $Cap x, ${cuts.size} runs:" +
        f" mean ${without.sum / cuts.size}%.0f ms without, cut by ${cut * 100}%.1f %%;" +
        f" mean of the runs' cuts ${cuts.sum / cuts.size * 100}%.1f %%"
    )
    assert(cut >= 0.5)
  }

  test("SSR-8: with more isolation a chain in a crowd is slowed down less, and more slot-time is held idle") {
    val some = seeds(math.max(50, runs / 20))
    val lone = some.map(seed => context.run(chain(seed), held("0", "alone")).spans.head).sum.toDouble
    val rows = Seq("0", "0.4", "0.9", "1").map { isolation =>
      val outcomes = some.map(seed => context.run(crowded(seed), held(isolation, s"crowd-$isolation")))
      context.forget()
      val slowdown = outcomes.map(_.spans.head).sum / lone
      val idle = outcomes.map(_.counters("idleSlotSeconds")).sum / some.size
      println(f"isolation $isolation, ${some.size} runs in a crowd: slowdown $slowdown%.3f, $idle%.1f slot-s held idle")
      (slowdown, idle)
    }
    rows.zip(rows.tail).foreach { case ((slowdown, idle), (less, more)) => assert(less < slowdown && more > idle) }
    assert(rows.head._2 == 0 && rows.last._1 < 1.1)
  }

  private def seeds(n: Int): Seq[Long] = firstSeed until firstSeed + n

  private def held(isolation: String): Map[String, String] = Map(
    "spark.holdfast.isolation" -> isolation,
    "spark.holdfast.copies" -> "off",
    "spark.holdfast.hold.floor" -> "0ms",
    "spark.holdfast.hold.max" -> "1h"
  )

  private def held(isolation: String, name: String): Variant = Variant(name, Some(held(isolation)))

  /** When holds expired for the first time, since the stage began, as a multiple of what its first finisher took; none
    * if they did not, or at the moment of another event.
    */
  private def expiry(outcome: Outcome): Option[Double] = {
    val began = outcome.launches.head.at
    outcome.calls.headOption.map(at => (at - began).toDouble / (outcome.ends.head - began))
  }

  private def barrier(seed: Long): World = {
    val after = StageSpec(Width, Uniform(100, 100), shuffles = false)
    alone(Width, seed, Nameless, straggling(most = Long.MaxValue), after)
  }

  /** Its workflow has a name: it may go on, so that its last stage holds and copies, too. */
  private def chain(seed: Long): World = {
    val stage = straggling(Cap * Least)
    alone(Width, seed, InScope("chain"), Seq.fill(ChainStages - 1)(stage) :+ stage.copy(shuffles = false): _*)
  }

  private def crowded(seed: Long): World = {
    val world = chain(seed)
    val crowd = JobSpec(Seq(StageSpec(tasks = 200, Uniform(5000, 20000), shuffles = false)))
    world.copy(workflows = world.workflows ++ Seq.fill(3)(WorkflowSpec(0, Nameless, arrival = 100, Seq(crowd))))
  }

  private def straggling(most: Long): StageSpec = StageSpec(Width, Pareto(Least, alpha = 1.6, most))

  /** A prioritised job on executors of one slot. */
  private def alone(slots: Int, seed: Long, naming: Naming, stages: StageSpec*): World = World(
    seed,
    Seq.tabulate(slots)(i => ExecutorSpec(i, cores = 1)),
    Seq(WorkflowSpec(priority = 10, naming, arrival = 1, Seq(JobSpec(stages)))),
    lag = 0
  )
}

private object LoopMeasuresSpec {
  val Width = 20
  val ChainStages = 4

  /** Milliseconds of the shortest task. */
  val Least = 1000L

  /** Stragglers of chains take at most so many times as long. */
  val Cap = 20
}
