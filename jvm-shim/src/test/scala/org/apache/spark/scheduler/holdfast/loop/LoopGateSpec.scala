package org.apache.spark.scheduler.holdfast.loop

import org.scalatest.funsuite.AnyFunSuite

/** What the shim has never heard of: a gate that refuses every second ask of pools of one weight, and a pick that copies whatever
  * has run for a millisecond. Ticks wake both. In a suite of its own: a JVM loads a native library once, and this one has them.
  */
class LoopGateSpec extends AnyFunSuite with LoopFixture {
  import LoopGateSpec._

  override protected def worldsKey: String = "gated"

  test("one more gate in the engine: its refusals count, its ticks wake, every task ends, and its logs replay") {
    var (guarded, free) = (0.0, 0.0)
    inWorlds(number(worldsKey, 40), weighing(_, Guarded)) { world =>
      guarded += refused(world)
      free += refused(weighing(world.seed, weight = 1))
    }
    assert(context.replay() > 0)
    assert(guarded > 1.5 * free, s"$guarded refusals with the gate, $free without")
  }

  test("one more pick in the engine: its copies run, every task ends, and its logs replay") {
    var (copies, without) = (0.0, 0.0)
    inWorlds(number(worldsKey, 40)) { world =>
      copies += copied(world, Backwards)
      without += copied(world, seed = 1)
    }
    assert(context.replay() > 0)
    // Some worlds have Spark's own speculation.
    assert(copies > 100 && copies > 10 * without, s"$copies copies with the pick, $without without")
  }

  private def refused(world: World): Double = {
    val gated = Variant("gated", Some(world.configured + ("spark.holdfast.native.path" -> library)))
    context.run(world, gated).counters("vetoes")
  }

  private def copied(world: World, seed: Int): Double = {
    val keys = Map(
      "spark.holdfast.native.path" -> library,
      "spark.holdfast.stragglers" -> "off",
      "spark.holdfast.copies" -> "all",
      "spark.holdfast.grass.seed" -> seed.toString
    )
    context.run(world, Variant(s"picked-$seed", Some(world.configured ++ keys))).counters("copies")
  }
}

private object LoopGateSpec {

  /** The weight of the pools that the engine's gate for tests guards. */
  val Guarded = 77777

  /** The seed that asks for the engine's pick for tests. */
  val Backwards = 77777

  private val library = sys.props("holdfast.gated")

  /** The random world in which workflows share fairly and their pools have this weight. */
  private def weighing(seed: Long, weight: Int): World = {
    val world = RandomWorld(seed)
    val named = world.workflows.flatMap(workflow => Option(workflow.properties(true).getProperty(WorkflowSpec.Pool)))
    world.copy(
      pools = named.distinct.map(PoolSpec(_, weight = weight)),
      spark = world.spark + (World.Mode -> "FAIR")
    )
  }
}
