package io.holdfast.integration.scenarios

import java.nio.file.Files

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** What the shim has never heard of: a gate that refuses every second ask of pools of one weight, and a pick that copies whatever
  * has run for a millisecond. Ticks wake both. In a suite of its own: a JVM loads a native library once, and this one has them.
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

  /** How often a job's only task was launched. */
  private def launched(seed: Int): Int =
    withHoldfast(
      "local-cluster[2,1,512]",
      "spark.holdfast.stragglers" -> "off",
      "spark.holdfast.copies" -> "all",
      "spark.holdfast.grass.seed" -> seed.toString,
      "spark.holdfast.native.path" -> sys.props("holdfast.gated")
    ) { app =>
      app.awaitExecutors(2)
      assert(app.run("picked")(app.stage(1)(_ => Thread.sleep(1500)).count()) == 1)
      app.drain()
      val launches = app.launches.of("picked")
      assert(launches.map(_.executor).distinct.size == launches.size)
      launches.size
    }

  test("a task gets the copy that one more pick wants, and none where nobody asked for that pick") {
    assert(launched(seed = 77777) == 2)
    assert(launched(seed = 1) == 1)
  }
}
