package io.holdfast.integration.scenarios

import org.apache.spark.BarrierTaskContext
import org.apache.spark.rdd.RDD

/** Programs of two fair pools that each need every slot at once, after a stage whose slots each of them keeps. */
class BarriersSpec extends Scenarios {
  private val Slots = 4

  private def barrier(before: RDD[Int]): Long =
    before.barrier().mapPartitions { rows => BarrierTaskContext.get().barrier(); rows }.count()

  test("two barrier stages in two fair pools: neither waits for ever") {
    withHoldfast(
      s"local-cluster[2,${Slots / 2},512]",
      "spark.scheduler.mode" -> "FAIR",
      "spark.holdfast.hold.for" -> "all",
      // Longer than anybody waits here: that holds expire is not what lets them pass.
      "spark.holdfast.hold.max" -> "10min"
    ) { app =>
      app.awaitExecutors(2)
      val gate = app.gate()
      val programs = Seq("a", "b").map { pool =>
        app.start(pool, "spark.scheduler.pool" -> pool) {
          barrier(Programs.next(app.stage(Slots)(_ => gate.await()), Slots)(_ => ()))
        }
      }
      app.await("both programs' task sets")(app.taskSets == 2)
      gate.open()
      programs.foreach(program => assert(program.result == Slots))
    }
  }

  test("a barrier stage of four beside six held slots of eight is not aborted, and starts when they are free") {
    withHoldfast(
      s"local-cluster[2,$Slots,512]",
      // With it Spark gives up a barrier stage of which only a part was launched.
      "spark.locality.wait.legacyResetOnTaskLaunch" -> "true"
    ) { app =>
      app.awaitExecutors(2)
      val (early, late) = (app.gate(), app.gate())
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        val first = app.stage(2 * Slots)(i => if (i < 6) early.await() else late.await())
        Programs.next(first, 2 * Slots)(_ => ()).count()
      }
      app.awaitRunning("important", 2 * Slots)
      early.open()
      Wait.until("six holds")(held == 6)
      val waiting = app.start("barrier")(barrier(app.stage(Slots)(_ => ())))
      app.await("the barrier stage's task set")(app.taskSets == 2)
      // More than one round of Spark's timer, in which it could be launched in part.
      Thread.sleep(2500)
      assert(app.launches.of("barrier").isEmpty && !waiting.isOver)
      late.open()
      assert(important.result == 2 * Slots && waiting.result == Slots)
      app.drain()
      assert(app.launches.of("barrier").head.id > app.launches.of("important").last.id)
    }
  }

  // With it: `Gaps`, "an important barrier stage gathers its slots beside a crowd".
  without("enforcing: an important barrier stage is first in every round, and waits until the crowd has launched all") {
    withHoldfast(
      s"local-cluster[2,${Slots / 2},512]",
      "spark.scheduler.mode" -> "FAIR",
      "spark.holdfast.mode" -> "observe"
    ) { app =>
      app.awaitExecutors(2)
      val crowd = new Crowd(app, tasks = 20).start()
      app.awaitRunning(Crowd.Role, Slots)
      val important =
        app.start("barrier", "spark.scheduler.pool" -> "important", "spark.holdfast.priority" -> "5") {
          barrier(app.stage(Slots)(_ => ()))
        }
      app.await("the barrier stage's task set")(app.taskSets("barrier") == 1)
      assert(app.launches.of(Crowd.Role).size < 2 * 20, "the crowd was through before the barrier stage came")
      assert(important.result == Slots)
      crowd.stop()
      app.drain()
      assert(app.launches.of("barrier").head.id > app.launches.of(Crowd.Role).last.id)
    }
  }
}
