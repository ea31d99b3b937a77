package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import org.apache.spark.TaskContext

/** Executors that come and go by Spark's own rules: dynamic allocation, exclusion. */
class ElasticSpec extends Scenarios {
  private val Slots = 4
  private val SlackMs = 9000
  private val group = "spark.jobGroup.id" -> "etl-nightly"
  private val patient = Seq(
    "spark.holdfast.group.etl-*.priority" -> "5",
    "spark.holdfast.linger.first" -> "60s",
    "spark.holdfast.linger.max" -> "60s"
  )

  /** Executors come when they are asked for. */
  private def dynamic(initial: Int, idle: String) = Seq(
    "spark.dynamicAllocation.enabled" -> "true",
    "spark.dynamicAllocation.shuffleTracking.enabled" -> "true",
    "spark.dynamicAllocation.initialExecutors" -> initial.toString,
    "spark.dynamicAllocation.maxExecutors" -> "2",
    "spark.dynamicAllocation.executorIdleTimeout" -> idle
  )

  nightly(
    "dynamic allocation lets idle executors go, held or not; nothing is aborted, and nobody is warned again and again"
  ) {
    withHoldfast("local-cluster[2,2,512]", patient ++ dynamic(initial = 2, idle = "2s"): _*) { app =>
      val (first, second) = (app.gate(), app.gate())
      val important = app.start("important", group) {
        app.stage(Slots)(_ => first.await()).count()
        second.await()
        app.stage(Slots)(_ => ()).count()
      }
      app.awaitRunning("important", Slots)
      val (_, warnings) = Warnings.during(
        {
          first.open()
          Wait.until("a hold on every slot")(held == Slots)
          app.await("the end of the idle executors")(app.launches.cores.keySet == app.launches.gone)
          Wait.until("the end of their holds")(held == 0)
          second.open()
          assert(important.result == Slots)
        },
        of = "org.apache.spark"
      )
      // Stock says of each of them that it was lost; a storm would be one line every 100 ms.
      assert(warnings.size < 20, warnings.mkString("\n"))
    }
  }

  // Spark's own round over all executors, every second, comes too late here: what launches the set is asked for. And from
  // release to launch, by Spark's own times, it is a second, plus what a busy machine may add: far below its locality wait.
  test("a task set that was left out while an executor with its data joined is launched there at once") {
    val still = Seq(
      "spark.dynamicAllocation.schedulerBacklogTimeout" -> "1h",
      "spark.locality.wait" -> "60s",
      "spark.scheduler.revive.interval" -> "1h"
    )
    withHoldfast("local-cluster[2,2,512]", dynamic(initial = 1, idle = "1h") ++ still: _*) { app =>
      app.awaitExecutors(1)
      val gate = app.gate()
      val important = app.start("important") {
        Holdfast.workflow("wide", 5, 1.0, Slots)(app.stage(Slots / 2)(_ => gate.await()).count())
      }
      app.awaitRunning("important", Slots / 2)
      val host = app.sc.getConf.get("spark.driver.host")
      val there = Seq.tabulate(Slots / 2)(i => i -> Seq(s"executor_${host}_1"))
      val other = app.start("other")(app.sc.makeRDD(there).count())
      app.await("its task set")(app.taskSets == 2)
      app.sc.requestTotalExecutors(2, 0, Map.empty)
      app.awaitExecutors(2)
      Wait.until("the new slots are claimed")(held == Slots / 2)
      app.drain()
      assert(app.launches.of("other").isEmpty)
      gate.open()
      assert(important.result == Slots / 2 && other.result == Slots / 2)
      app.drain()
      val launched = app.launches.of("other")
      assert(launched.map(_.executor) == Seq.fill(Slots / 2)("1"))
      val released = app.launches.of("important").map(app.launches.end).max
      assert(launched.map(_.time).max - released <= 1000 + SlackMs)
    }
  }

  test("an executor that is excluded holds nothing any more") {
    val excluding = Seq(
      "spark.excludeOnFailure.enabled" -> "true",
      "spark.excludeOnFailure.application.maxFailedTasksPerExecutor" -> "1"
    )
    withHoldfast("local-cluster[2,2,512]", patient ++ excluding: _*) { app =>
      app.awaitExecutors(2)
      val (fail, others, last) = (app.gate(), app.gate(), app.gate())
      val important = app.start("important", group) {
        val first = app.stage(Slots) { i =>
          if (i > 0) others.await()
          else if (TaskContext.get().attemptNumber() == 0) { fail.await(); throw new IllegalStateException("once") }
        }
        Programs.next(first, Slots)(_ => last.await()).count()
      }
      app.awaitRunning("important", Slots)
      val excluded = app.launches.of("important").find(_.index == 0).get.executor
      val crowd = new Crowd(app).start()
      fail.open()
      Wait.until("the failed task's slot is held")(held == 1)
      others.open()
      app.await("the next stage on the other executor")(app.launches.of("important").size == Slots + 1 + Slots / 2)
      app.drain()
      assert(held == 0)
      last.open()
      assert(important.result == Slots)
      app.drain()
      val next = app.launches.of("important").drop(Slots + 1)
      assert(next.size == Slots && next.forall(_.executor != excluded))
      // Nobody gets a slot there.
      crowd.stop()
    }
  }
}
