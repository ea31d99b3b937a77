package org.apache.spark.scheduler.holdfast.loop

import com.fasterxml.jackson.databind.JsonNode
import org.scalatest.funsuite.AnyFunSuite

/** The simulator places every task where and when Spark's real scheduler does, without Holdfast and with it. */
class ParitySpec extends AnyFunSuite with LoopFixture {
  import ParitySpec._

  override protected def worldsKey: String = "parity"

  private val worlds = number(worldsKey, 120)

  ParityWorld.Shapes.foreach { shape =>
    test(s"${shape.name}: the simulator launches what Spark's scheduler launches") {
      inWorlds(worlds, ParityWorld(_, shape))(world => parts(world, None).foreach(fail(_)))
    }

    test(s"${shape.name}: the same with Holdfast") {
      inWorlds(worlds, ParityWorld(_, shape))(world => parts(world, Some(world.configured)).foreach(fail(_)))
      context.forget()
    }
  }

  test("deadlines, errors and copies: the simulator launches what Spark's scheduler launches") {
    inWorlds(worlds, bounded)(world => parts(world, None).foreach(fail(_)))
  }

  test("deadlines, errors and copies: the same with Holdfast") {
    inWorlds(worlds, bounded)(world => parts(world, Some(world.configured)).foreach(fail(_)))
    context.forget()
  }

  test("what may go wrong: the simulator launches what Spark's scheduler launches") {
    inWorlds(worlds, RandomWorld.plain)(world => parts(world, None).foreach(fail(_)))
  }

  test("what may go wrong: the same with Holdfast") {
    inWorlds(worlds, RandomWorld.plain)(world => parts(world, Some(world.configured)).foreach(fail(_)))
    context.forget()
  }

  test("another wait for locality, another order of offers, other shares are noticed") {
    val some = (1L to 20L).map(ParityWorld(_, ParityWorld.Shapes.last))
    def isNoticed(change: String => String): Boolean = some.exists(parts(_, None, change).nonEmpty)
    Seq(
      "\"locality_wait_ms\" : 3000" -> "\"locality_wait_ms\" : 2000",
      "\"shuffled\" : true" -> "\"shuffled\" : false",
      "\"min_share\" : 4" -> "\"min_share\" : 0",
      "\"weight\" : 3" -> "\"weight\" : 1"
    ).foreach { case (one, other) => assert(isNoticed(_.replace(one, other)), one) }
    assert(!isNoticed(identity))
  }

  /** In every second one things go wrong. */
  private def bounded(seed: Long): World =
    BoundedWorld(if (seed % 2 == 0) RandomWorld.plain(seed) else ParityWorld(seed, ParityWorld.Shapes.last))

  /** How Spark's scheduler and the simulator part, if they do. */
  private def parts(
      world: World,
      holdfast: Option[Map[String, String]],
      change: String => String = identity
  ): Option[String] = {
    val spark = context.run(world, Variant("parity", holdfast))
    val json = change(SimWorld.json(world, holdfast))
    val simulated = Simulator.run(json)
    val ends =
      world.workflows.zip(spark.spans).map { case (workflow, span) => Timeline.Start + workflow.arrival + span }
    difference(spark.launches, simulated.launches)
      .orElse(unequal("workflows end at", ends, simulated.ends))
      .orElse(holdfast.flatMap(_ => unequal("the engine counts", counted(spark), counted(simulated.totals))))
      .map(message => s"$message\nthe simulator's world:\n$json")
  }
}

private object ParitySpec {
  val Counters: Seq[String] =
    Seq("made", "used", "expired", "overridden", "dropped", "copies", "copiesWon", "idleSlotSeconds")

  def unequal[T](what: String, spark: T, simulated: T): Option[String] =
    if (spark == simulated) None else Some(s"$what $simulated instead of $spark")

  def counted(outcome: Outcome): Seq[Double] = Counters.map(outcome.counters)

  def counted(totals: JsonNode): Seq[Double] = {
    def sum(names: String*): Double = names.map(totals.path(_).asDouble).sum
    val dropped = sum("moved", "not_needed", "workflow_over", "executor_gone")
    // Microseconds, cut: as the shim has them.
    val idle = math.floor(sum("idle_held_ns") / 1e3) / 1e6
    Seq(sum("made"), sum("used"), sum("expired"), sum("overridden"), dropped, sum("copies"), sum("copies_won"), idle)
  }
}
