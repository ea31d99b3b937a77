package org.apache.spark.scheduler.holdfast.loop

import org.scalatest.LoneElement
import org.scalatest.funsuite.AnyFunSuite

/** How soon slots change hands, in virtual time: on a backend that offers everything once a second, as those of clusters do, and on
  * one that offers only when it is asked, as the local one.
  */
class LoopTimingSpec extends AnyFunSuite with LoopFixture with LoneElement {
  import LoopTimingSpec._

  for (revives <- Seq(true, false); backend = if (revives) "a cluster's backend" else "the local backend") {

    test(
      s"$backend: between two actions slots are kept for the linger, then the crowd has them, and that is what is charged"
    ) {
      val program = WorkflowSpec(10, InScope("program"), arrival = 1, Seq(Stage, Stage), gaps = Seq(60000L))
      val outcome = run(revives, Seq(program, Crowd))
      val left = outcome.ends(Slots - 1)
      // No task of the crowd has ended yet; after the second action they have all ended, and none took a second.
      assertWithin(outcome, Crowd1, left + LongestLingerMillis, 100)
      val idle = outcome.counters("idleSlotSeconds")
      assert(math.abs(idle - Slots * (LongestLingerMillis + LingerMillis) / 1e3) < 0.2)
    }

    test(
      s"$backend: slots are kept in a first run's gaps for as long as the crowd's tasks take, at least the first linger"
    ) {
      // The second gap of the first run is the long one, as where the driver's JVM is new.
      val program =
        WorkflowSpec(10, InScope("program"), arrival = 4000, Seq(Stage, Stage, Stage), gaps = Seq(10L, 1500L))
      def outcome(millis: Long): Outcome = {
        val one = JobSpec(Seq(StageSpec(1, Uniform(millis, millis), shuffles = false)))
        val earlier = crowd(millis).copy(arrival = 1, jobs = Seq(one))
        run(revives, Seq(earlier, program, crowd(millis).copy(arrival = program.arrival + 100)))
      }
      val (crowdStage, own) = (2, Seq(1, 3, 4))
      val kept = outcome(3000).launches.slice(1, 1 + own.size * Slots).map(_.stage)
      assert(kept == own.flatMap(Seq.fill(Slots)(_)))
      val released = outcome(200)
      assertWithin(released, crowdStage, released.ends(2 * Slots) + LingerMillis, 100)
    }

    test(s"$backend: a helper without properties waits in a gap for a second, not for the linger") {
      val program = WorkflowSpec(10, InScope("program"), arrival = 1, Seq(Stage, Stage), gaps = Seq(20000L))
      val helper = WorkflowSpec(0, Nameless, arrival = 2000, Seq(JobSpec(Seq(Straggling.copy(tasks = 1)))))
      val patient = Seq("first", "max").map(key => s"spark.holdfast.linger.$key" -> "10s")
      val outcome = run(revives, Seq(program, helper), patient: _*)
      assertWithin(outcome, Crowd1, came(outcome, helper), 1000)
    }

    test(s"$backend: a task of a final stage that fails is launched again within 250 ms, and nobody had its slot") {
      val again = (1L to 50L).map { seed =>
        val program = WorkflowSpec(10, Nameless, arrival = 1, Seq(JobSpec(Seq(Straggling))))
        val outcome = run(revives, Seq(program, LongCrowd), Faults(failing = 0.3), seed)
        val (own, others) = outcome.launches.partition(_.stage == 0)
        val retries = own.filter(_.attempt > 0)
        retries.zipWithIndex.foreach { case (retry, before) =>
          val ended = outcome.ends.filter(_ <= retry.at)
          assert(retry.at - ended.max <= 250, s"seed $seed")
          // The crowd has slots of tasks that ended well.
          assert(others.count(_.at <= retry.at) <= ended.size - before - 1, s"seed $seed")
        }
        retries.size
      }.sum
      assert(again > 20)
    }

    test(s"$backend: a job that is cancelled within a stage or between two leaves its slots within 100 ms") {
      // The first stage ends a second after it began; what follows is submitted when the DAG scheduler has heard of it.
      Seq(500L, Lag / 2 + 1000, 1500L).foreach { millis =>
        val stages = Seq(Stage.stages.head.copy(shuffles = true), Straggling)
        val program = WorkflowSpec(10, Nameless, arrival = 1, Seq(JobSpec(stages, cancelAfter = Some(millis))))
        val outcome = run(revives, Seq(program, Crowd))
        assertWithin(outcome, crowdAfter(stages.size), came(outcome, program) + millis, Lag + 100)
      }
    }

    test(s"$backend: a straggler of 20 s in a shuffle stage gets a copy on a held slot, which wins within 5 s") {
      val shuffling = Stage.stages.head.copy(shuffles = true)
      val program = WorkflowSpec(10, Nameless, arrival = 1, Seq(JobSpec(shuffling +: Stage.stages)))
      // What takes a second elsewhere takes 20 on the last executor.
      val executors = Executors.init :+ Executors.last.copy(slowness = 20)
      def outcome(holdfast: Map[String, String]): Outcome =
        run(world(revives, Seq(program, Crowd)).copy(executors = executors, holdfast = holdfast))
      def beganAfter(outcome: Outcome): Long =
        outcome.launches.find(_.stage == 1).get.at - came(outcome, program)

      val copied = outcome(Map.empty)
      val copies = copied.launches.filter(_.copy)
      assert(copies.map(_.stage) == Seq(0) && copies.head.executor != Slots - 1)
      val straggler = copied.launches.find(_.executor == Slots - 1).get
      assert(straggler.partition == copies.head.partition)
      assert(copied.counters("copiesWon") == 1)
      assert(beganAfter(copied) <= 5000)
      // Nobody else had a slot of the three that were held.
      assert(copied.launches.takeWhile(_.stage != 1).forall(_.stage == 0))
      assert(beganAfter(outcome(Map("spark.holdfast.copies" -> "off"))) >= 20000)
    }

    test(s"$backend: who was skipped while executors with its data joined launches there once slots are free") {
      (1L to 20L).foreach { seed =>
        // Three waves, in less than the three seconds for which locality is waited for.
        val waves = StageSpec(3 * Slots, Uniform(WaveMillis, WaveMillis), shuffles = false)
        val program = WorkflowSpec(10, Nameless, arrival = 1, Seq(JobSpec(Seq(waves))))
        val near = StageSpec(1, Uniform(NearMillis, NearMillis), shuffles = false, preference = Preference.OnHosts)
        val skipped = WorkflowSpec(0, Nameless, arrival = 100, Seq(JobSpec(Seq(near))))
        val outcome = run(
          world(revives, Seq(program, skipped)).copy(
            seed = seed,
            // All are lost and come back, on the same hosts, while the program wants every slot.
            losses = Seq.fill(Slots)(Loss(at = 250, executor = 0, replacedAfter = 50)),
            costs = Costs(remote = 100, result = 0)
          )
        )
        val (own, others) = outcome.launches.partition(_.stage == 0)
        val launch = others.loneElement
        val free = own.last.at + WaveMillis
        assert(launch.at >= free && launch.at <= free + 1000, s"seed $seed")
        assert(outcome.ends.last - launch.at == NearMillis, s"seed $seed: it ran away from its data")
      }
    }
  }

  private def run(revives: Boolean, workflows: Seq[WorkflowSpec], holdfast: (String, String)*): Outcome =
    run(revives, workflows, Faults(), firstSeed, holdfast: _*)

  private def run(
      revives: Boolean,
      workflows: Seq[WorkflowSpec],
      faults: Faults,
      seed: Long,
      holdfast: (String, String)*
  ): Outcome = {
    val conf = Map("spark.holdfast.copies" -> "off") ++ holdfast
    run(world(revives, workflows).copy(seed = seed, holdfast = conf, faults = faults))
  }

  private def world(revives: Boolean, workflows: Seq[WorkflowSpec]): World =
    World(firstSeed, Executors, workflows, revives = revives, lag = Lag)

  private def run(world: World): Outcome = {
    val outcome = context.run(world, Variant("timing", Some(world.configured)))
    context.forget()
    outcome
  }

  /** The program, which comes a millisecond after the beginning, finds every slot free. */
  private def came(outcome: Outcome, workflow: WorkflowSpec): Long = outcome.launches.head.at - 1 + workflow.arrival

  /** The first launch of a stage comes at most so many milliseconds after that moment, and not before it. */
  private def assertWithin(outcome: Outcome, stage: Int, from: Long, millis: Long): Unit = {
    val after = outcome.launches.filter(_.stage == stage).map(_.at - from).headOption
    assert(after.exists(ms => ms >= 0 && ms <= millis), outcome.launches.mkString("\n"))
    ()
  }
}

private object LoopTimingSpec {
  val Slots = 4
  val Executors: Seq[ExecutorSpec] = Seq.tabulate(Slots)(i => ExecutorSpec(i, cores = 1))
  val NearMillis = 100L
  val WaveMillis = 500L
  val LingerMillis = 1000L
  val LongestLingerMillis = 5000L

  /** Of the driver's other threads, in milliseconds. */
  val Lag = 20L

  /** An action of a second. */
  val Stage: JobSpec = JobSpec(Seq(StageSpec(Slots, Uniform(1000, 1000), shuffles = false)))
  val Straggling: StageSpec = StageSpec(Slots, Uniform(2000, 6000), shuffles = false)

  /** Comes when the program has all slots. */
  val Crowd: WorkflowSpec = crowd(500)
  val LongCrowd: WorkflowSpec = crowd(60000)

  def crowd(millis: Long): WorkflowSpec =
    WorkflowSpec(
      0,
      Nameless,
      arrival = 100,
      Seq(JobSpec(Seq(StageSpec(40, Uniform(millis, millis), shuffles = false))))
    )

  /** Stages are numbered as jobs are submitted: the crowd's after those of the program's first job. */
  def crowdAfter(stages: Int): Int = stages
  val Crowd1: Int = crowdAfter(1)
}
