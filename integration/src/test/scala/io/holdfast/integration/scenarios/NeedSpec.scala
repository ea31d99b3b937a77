package io.holdfast.integration.scenarios

import scala.jdk.CollectionConverters._

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** A program that narrows from 4 tasks to 1 and widens again. */
class NeedSpec extends Scenarios {
  private val Slots = 4

  /** What the crowd got between the first stage's last launch and the last stage's. */
  private def stolen(need: String): Int =
    withHoldfast(
      "local-cluster[2,2,512]",
      "spark.holdfast.need" -> need,
      // What the crowd gives back while the narrow stage runs is claimed at once.
      "spark.holdfast.prereserve.fraction" -> "0",
      "spark.holdfast.group.etl-*.priority" -> "5"
    ) { app =>
      app.awaitExecutors(2)
      val (gate, narrow) = (app.gate(), app.gate())
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        val wide = app.stage(Slots)(_ => gate.await())
        val one = Programs.next(wide, 1) { _ => narrow.open(); Thread.sleep(200) }
        Programs.next(one, Slots)(_ => Thread.sleep(100)).count()
      }
      app.awaitRunning("important", Slots)
      // Whatever the crowd gets it gives back when the narrow stage runs, and not before.
      val crowd = new Crowd(app, sleepMs = 60000, until = Some(narrow)).start()
      gate.open()
      assert(important.result == Slots)
      crowd.stop()
      app.drain()
      val own = app.launches.of("important")
      assert(own.size == 2 * Slots + 1)
      app.launches.between(Crowd.Role, own(Slots - 1).id, own.last.id).size
    }

  test("look-ahead: a narrow stage keeps what the wide one after it needs") {
    assert(stolen("lookahead") == 0)
  }

  without("look-ahead: the first three finishers' slots are given away, as Algorithm 1 says") {
    assert(stolen("literal") == 3)
  }

  /** Slots that a workflow lacked whose first job has one task and whose next one has four, when a crowd had come. */
  private def unforeseen(declared: (String, String)*): Long =
    withHoldfast("local-cluster[2,2,512]", "spark.holdfast.group.etl-*.priority" -> "5") { app =>
      app.awaitExecutors(2)
      val gate = app.gate()
      val important = app.start("important", ("spark.jobGroup.id" -> "etl-nightly") +: declared: _*) {
        app.stage(1)(_ => gate.await()).count()
        app.stage(Slots)(_ => ()).count()
      }
      app.awaitRunning("important", 1)
      val crowd = new Crowd(app, sleepMs = 1000).start()
      if (declared.isEmpty) app.awaitRunning(Crowd.Role, Slots - 1)
      else Wait.until("a hold on every other slot")(held == Slots - 1)
      gate.open()
      important.result
      crowd.stop()
      app.drain()
      val workflows = Json.tree(Holdfast.status()).required("workflows").elements.asScala
      workflows.map(_.required("unforeseen").asLong).sum
    }

  test("who comes narrow, becomes wide and lacks slots by then is told how many; who declared its width lacks none") {
    assert(unforeseen() == Slots - 1)
    assert(unforeseen("holdfast.parallelism" -> Slots.toString) == 0)
  }
}
