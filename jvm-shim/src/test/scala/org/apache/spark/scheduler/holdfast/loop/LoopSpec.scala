package org.apache.spark.scheduler.holdfast.loop

import java.nio.file.Files

import scala.collection.mutable

import org.apache.spark.util.Utils
import org.scalatest.funsuite.AnyFunSuite

/** Spark's real scheduler with our overrides in virtual time: random worlds, and everything about them is checked. */
class LoopSpec extends AnyFunSuite with LoopFixture {
  import LoopSpec._

  private val runs = number("runs", 300)

  /** How many logs are played against the twin. */
  private val twins = number("twin", 100)

  test(
    "R18: with every policy off, nothing configured, no copies allowed, or observing, launches are those of Spark's scheduler"
  ) {
    inWorlds(worlds(runsOfWorld = 5)) { world =>
      val stock = context.run(world, Stock).launches
      Seq(policyStock(world), Bare, withoutCopies(world), observing(world)).foreach { variant =>
        difference(stock, context.run(world, variant).launches).foreach(d => fail(s"${variant.name}: $d"))
      }
    }
    context.replay()
  }

  test("R1 to R11 and R15 to R17: every task ends, no hold is left, nobody takes what is held for a higher rank") {
    val reached = mutable.TreeMap.empty[String, Double].withDefaultValue(0.0)
    var replayed = 0
    inWorlds(worlds(runsOfWorld = 1)) { world =>
      val outcome = context.run(world, enforcing(world))
      outcome.counters.foreach { case (name, n) => reached(name) += n }
      reached("kills") += outcome.kills
      reached("failures") += outcome.failures
      reached("stage retries") += outcome.launches.count(_.stageAttempt > 0)
      reached("executors excluded") += outcome.excluded
      if (world.speculates) reached("copies where Spark speculates") += outcome.launches.count(_.copy)
      mechanisms(world).foreach(reached(_) += 1)
      if (world.seed % ReplayEach == 0) replayed += replay(replayed)
    }
    replayed += replay(replayed)
    assert(replayed >= worlds(runsOfWorld = 1))
    if (worlds(runsOfWorld = 1) >= Many) Reached.foreach(name => assert(reached(name) > 0, s"never reached: $name"))
    println(s"first seed $firstSeed, ${worlds(runsOfWorld = 1)} worlds under Holdfast: $reached")
  }

  test("R19, R20: the same with rules for stragglers and bounded jobs, which change nothing where Holdfast observes") {
    context.forget()
    val reached = mutable.TreeMap.empty[String, Double].withDefaultValue(0.0)
    inWorlds(worlds(runsOfWorld = 3), seed => BoundedWorld(RandomWorld(seed))) { world =>
      val stock = context.run(world, Stock).launches
      difference(stock, context.run(world, observing(world)).launches).foreach(fail(_))
      context.run(world, enforcing(world)).counters.foreach { case (name, n) => reached(name) += n }
    }
    context.replay(twins)
    println(s"bounded worlds under Holdfast: $reached")
    if (worlds(runsOfWorld = 3) >= Recalls) Seq("copies", "copiesWon").foreach(name => assert(reached(name) > 0, name))
  }

  test("the same with what an earlier run of the world has left in the history") {
    context.forget()
    var (recalled, changed) = (0, 0)
    inWorlds(worlds(runsOfWorld = 4)) { world =>
      val folder = Files.createTempDirectory("holdfast-loop-history")
      def running(name: String): Variant =
        Variant(name, Some(world.configured + ("spark.holdfast.history.dir" -> folder.toUri.toString)))
      val first = context.run(world, running("remembers"))
      // Where no workflow has a name there is nothing to remember.
      if (folder.toFile.list.nonEmpty) {
        val second = context.run(world, running("recalls").copy(recalls = true))
        recalled += 1
        if (difference(first.launches, second.launches).nonEmpty) changed += 1
      }
      Utils.deleteRecursively(folder.toFile)
    }
    println(s"$recalled worlds with a history, which changes launches in $changed")
    if (recalled >= Recalls) assert(changed > 0, "the history makes no difference")
    context.replay(twins)
  }

  test("R6: the earliest of equal jobs is refused nothing") {
    inWorlds(worlds(runsOfWorld = 1)) { world =>
      val equal = world.copy(
        workflows = world.workflows.zipWithIndex.map {
          case (first, 0) =>
            val one = first.copy(jobs = first.jobs.take(1), gaps = Nil, beside = Nil)
            one.copy(priority = 5, naming = Nameless, arrival = 1)
          case (later, _) => later.copy(priority = 5, arrival = later.arrival + 1)
        },
        holdfast = world.holdfast +
          ("spark.holdfast.hold.for" -> "all") + ("spark.holdfast.spread" -> "false"),
        changes = Nil,
        // Those that share fairly take from each other.
        spark = world.spark - World.Mode,
        // A stage that runs again after its job had seemed to be done arrives anew: without its input, or since its last
        // result was under way from an executor that is lost.
        faults = world.faults.copy(fetchFailing = 0),
        costs = if (world.losses.isEmpty) world.costs else world.costs.copy(result = 0)
      )
      val outcome = context.run(equal, enforcing(equal).copy(countsVetoes = true))
      assert(outcome.vetoes.getOrElse("job:0", 0L) == 0)
    }
  }

  test("a chain as wide as the cluster that starts first gives no slot away before its last stage") {
    val stolen = (1L to 20L).map { seed =>
      val world = chainBesideCrowd(seed)
      assert(stolenFrom(context.run(world, enforcing(world))) == 0, s"seed $seed")
      stolenFrom(context.run(world, Stock))
    }
    assert(stolen.forall(_ > 0), "Spark's own scheduler gives them away")
  }

  test(
    "a barrier stage that has nobody beside it launches in the round that ends an exclusion, as on Spark's scheduler"
  ) {
    val excluded = (1L to 20L).map { seed =>
      val world = excludedBeforeBarrier(seed)
      val stock = context.run(world, Stock)
      difference(stock.launches, context.run(world, enforcing(world)).launches).foreach(d => fail(s"seed $seed: $d"))
      stock.excluded
    }
    assert(excluded.count(_ > 0) > 10)
  }

  test("the harness notices a policy that is on, a lost wake-up and a launch on a held slot") {
    val world = chainBesideCrowd(1)
    assert(difference(context.run(world, Stock).launches, context.run(world, enforcing(world)).launches).nonEmpty)
    def failing(flaw: Flaw.Value): Seq[String] = (1L to 40L).flatMap { seed =>
      val world = RandomWorld(seed)
      try {
        context.run(world, enforcing(world).copy(flaw = Some(flaw)))
        None
      } catch { case e: LoopFailure => Some(e.getMessage) }
    }
    val deaf = failing(Flaw.Deaf)
    assert(deaf.exists(_.contains("nothing will happen any more")) && deaf.exists(_.contains("holds are left")))
    assert(failing(Flaw.Lawless).exists(_.contains("took a slot that was held for")))
    // All of its tasks have ended by then.
    val unlinked = failing(Flaw.Unlinked)
    assert(unlinked.nonEmpty && unlinked.forall(_.contains("the session has failed")))
    context.forget()
  }

  test("the twin notices each of some bugs in the logs of random worlds") {
    context.forget()
    (1L to 20L).foreach { seed =>
      val world = RandomWorld(seed)
      context.run(world, enforcing(world))
    }
    Seq("CapacityIgnored", "NeedIgnored", "SizeIgnored", "DeclarationIgnored", "FinalStageHeld").foreach { bug =>
      assert(context.noticed(bug), bug)
    }
    context.replay(twins = Int.MaxValue)
  }

  /** Those that are not played against the twin any more are replayed all the same. */
  private def replay(before: Int): Int = context.replay(math.max(0, twins - before))

  /** A third of all runs for each test, of which each world takes so many. */
  private def worlds(runsOfWorld: Int): Int = math.max(1, runs / 3 / runsOfWorld)

  private def stolenFrom(outcome: Outcome): Int = {
    val chain = outcome.launches.filter(_.stage < ChainStages)
    val last = chain.filter(_.stage == ChainStages - 1).map(_.at).max
    outcome.launches.count(launch => launch.stage >= ChainStages && launch.at < last)
  }

  private def excludedBeforeBarrier(seed: Long): World = {
    val failing = StageSpec(tasks = 4, Uniform(100, 500))
    val together = StageSpec(tasks = 4, Uniform(100, 500), shuffles = false, barrier = true)
    World(
      seed,
      Seq.tabulate(4)(i => ExecutorSpec(i, cores = 1)),
      Seq(WorkflowSpec(priority = 10, Nameless, arrival = 1, Seq(JobSpec(Seq(failing, together))))),
      World.exclusion(timeout = "1s", tasks = 1, executors = 2).toMap,
      holdfast = Map("spark.holdfast.copies" -> "off"),
      faults = Faults(failing = 0.2)
    )
  }

  private def chainBesideCrowd(seed: Long): World = {
    val chain = JobSpec(Seq.tabulate(ChainStages) { i =>
      StageSpec(tasks = 8, Uniform(200, 1500), shuffles = i < ChainStages - 1)
    })
    val crowd = JobSpec(Seq(StageSpec(tasks = 60, Uniform(500, 2000), shuffles = false)))
    World(
      seed,
      Seq.tabulate(4)(i => ExecutorSpec(i, cores = 2)),
      WorkflowSpec(priority = 10, Nameless, arrival = 1, Seq(chain)) +:
        Seq.tabulate(3)(i => WorkflowSpec(priority = 0, Nameless, arrival = 100L + i, Seq(crowd)))
    )
  }
}

private object LoopSpec {
  val Stock: Variant = Variant("stock", holdfast = None)
  val Bare: Variant = Variant("bare", holdfast = Some(Map.empty), configured = false)

  /** A rule for stragglers that may copy nothing. */
  def withoutCopies(world: World): Variant = {
    val rules = Seq("late", "mantri", "gs", "ras", "grass")
    val rule = rules((world.seed % rules.size).toInt)
    val conf = Map("spark.holdfast.stragglers" -> rule, "spark.holdfast.copies" -> "off")
    Variant(s"$rule without copies", Some(conf), configured = false)
  }

  def policyStock(world: World): Variant =
    Variant("policy-stock", Some(world.configured + ("spark.holdfast.policy" -> "stock")))
  def observing(world: World): Variant =
    Variant("observe", Some(world.configured + ("spark.holdfast.mode" -> "observe")))
  def enforcing(world: World): Variant = Variant("enforce", Some(world.configured))

  val ChainStages = 4
  val ReplayEach = 100

  /** What workflows of a world do, whose tasks have all ended then. */
  def mechanisms(world: World): Seq[String] = {
    val stages = world.workflows.flatMap(_.allJobs).flatMap(_.stages)
    Seq(
      SideBySide -> world.workflows.exists(_.beside.nonEmpty),
      Declared -> world.workflows.exists(_.parallelism.nonEmpty),
      SeveralCores -> world.spark.contains(World.TaskCpus),
      OwnProfile -> stages.exists(_.cpus.nonEmpty),
      Together -> stages.exists(_.barrier)
    ).collect { case (mechanism, true) => mechanism }
  }

  private val SideBySide = "jobs side by side"
  private val Declared = "declared parallelism"
  private val SeveralCores = "tasks of several cores"
  private val OwnProfile = "stages with a profile of their own"
  private val Together = "barrier stages"

  /** From so many worlds on everything must have occurred. */
  val Many = 50
  val Recalls = 10
  val Reached: Seq[String] =
    Seq("made", "used", "expired", "overridden", "dropped", "vetoes", "copies", "copiesWon") ++
      Seq("kills", "failures", "stage retries", "executors excluded", "copies where Spark speculates") ++
      Seq(SideBySide, Declared, SeveralCores, OwnProfile, Together)
}
