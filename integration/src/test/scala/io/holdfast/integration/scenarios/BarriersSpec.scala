package io.holdfast.integration.scenarios

import org.apache.spark.BarrierTaskContext

/** Programs of two fair pools that each need every slot at once, after a stage whose slots each of them keeps. */
class BarriersSpec extends Scenarios {
  private val Slots = 4

  test("two barrier stages in two fair pools: neither waits for ever") {
    withHoldfast(
      s"local-cluster[2,${Slots / 2},512]",
      "spark.scheduler.mode" -> "FAIR",
      "spark.holdfast.hold.for" -> "all"
    ) { app =>
      app.awaitExecutors(2)
      val gate = app.gate()
      val programs = Seq("a", "b").map { pool =>
        app.start(pool, "spark.scheduler.pool" -> pool) {
          val first = app.stage(Slots)(_ => gate.await())
          Programs
            .next(first, Slots)(_ => ())
            .barrier()
            .mapPartitions { rows => BarrierTaskContext.get().barrier(); rows }
            .count()
        }
      }
      app.await("both programs' task sets")(app.taskSets == 2)
      gate.open()
      programs.foreach(program => assert(program.result == Slots))
    }
  }
}
