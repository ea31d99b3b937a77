package org.apache.spark.scheduler.holdfast.loop

import org.scalatest.funsuite.AnyFunSuite

/** A gate that the shim has never heard of: it refuses every second ask of pools of one weight, and a tick wakes it. In a suite
  * of its own: a JVM loads a native library once, and this one has that gate.
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

  private def refused(world: World): Double = {
    val gated = Variant("gated", Some(world.configured + ("spark.holdfast.native.path" -> library)))
    context.run(world, gated).counters("vetoes")
  }
}

private object LoopGateSpec {

  /** The weight of the pools that the engine's gate for tests guards. */
  val Guarded = 77777

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
