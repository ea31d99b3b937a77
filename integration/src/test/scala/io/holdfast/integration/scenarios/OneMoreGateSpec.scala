package io.holdfast.integration.scenarios

import java.nio.file.Files

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** A gate that the shim has never heard of: it refuses every second ask of pools of one weight, and a tick wakes it. In a suite
  * of its own: a JVM loads a native library once, and this one has that gate.
  */
class OneMoreGateSpec extends Scenarios {

  /** The weight of the pools that the engine's gate for tests guards. */
  private val Guarded = 77777
  private val Tasks = 40

  /** How often the jobs of two pools are refused a slot, of which one has this weight. */
  private def refused(weight: Int): Long = {
    val pools = Files.createTempFile("pools", ".xml")
    Files.writeString(pools, s"<allocations><pool name='a'><weight>$weight</weight></pool></allocations>")
    withHoldfast(
      "local-cluster[1,4,512]",
      "spark.scheduler.mode" -> "FAIR",
      "spark.scheduler.allocation.file" -> pools.toUri.toString,
      "spark.holdfast.pool.none.priority" -> "1", // with nothing configured nobody asks
      "spark.holdfast.native.path" -> sys.props("holdfast.gated")
    ) { app =>
      app.awaitExecutors(1)
      val jobs = Seq("a", "b").map { pool =>
        app.start(pool, "spark.scheduler.pool" -> pool)(app.stage(Tasks)(_ => Thread.sleep(10)).count())
      }
      jobs.foreach(job => assert(job.result == Tasks))
      app.drain()
      Seq("a", "b").foreach(role => assert(app.launches.of(role).size == Tasks))
      Json.tree(Holdfast.status()).required("vetoes").asLong
    }
  }

  test("asks of a pool are refused, and all of its tasks run") {
    // Most rounds leave such a set out, which counts nothing; the first one has four slots.
    assert(refused(Guarded) > 0)
  }

  test("the same library refuses nothing where no pool has that weight") {
    assert(refused(weight = 1) == 0)
  }
}
