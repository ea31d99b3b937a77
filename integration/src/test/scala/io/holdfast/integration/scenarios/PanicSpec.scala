package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** A panic in the engine, forced through the switch for tests: Spark goes on by itself. */
class PanicSpec extends Scenarios {
  private val Slots = 4
  private val priority = "spark.holdfast.priority" -> "5"

  private def assertOff(warnings: Seq[String]): Unit = {
    assert(warnings.size == 1, warnings)
    assert(warnings.head.contains("Holdfast is off from now on"))
    val status = Json.tree(Holdfast.status())
    assert(status.required("mode").asText == "off")
    assert(status.required("reason").asText.contains("panic"))
    ()
  }

  test("local-cluster: a panic in the middle of a chain") {
    withSpark(
      "local-cluster[2,2,512]",
      "spark.plugins" -> Scenarios.Plugin,
      "spark.holdfast.test.panic.after" -> "30"
    ) { app =>
      app.awaitExecutors(2)
      val gate = app.gate()
      val (_, warnings) = Warnings.during {
        val important = app.start("important", priority) {
          val first = app.stage(Slots)(_ => gate.await())
          (1 to 3).foldLeft(first)((rdd, _) => Programs.next(rdd, Slots)(_ => Thread.sleep(100))).sum()
        }
        app.awaitRunning("important", Slots)
        val crowd = new Crowd(app).start()
        assert(held == 0)
        gate.open()
        assert(important.result == 6.0)
        crowd.stop()
      }
      assertOff(warnings)
    }
  }

  test("local[4], where nobody else revives offers: who was refused is offered the slots at once") {
    withSpark("local[4]", "spark.plugins" -> Scenarios.Plugin, "spark.holdfast.hold.max" -> "2s") { app =>
      val (early, refused) = (app.gate(), app.gate())
      val (_, warnings) = Warnings.during {
        // The last two tasks end only when the crowd has got a slot.
        val important = app.start("important", priority) {
          Programs.next(app.stage(Slots)(i => if (i < 2) early.await() else refused.await()), Slots)(_ => ()).sum()
        }
        app.awaitRunning("important", Slots)
        val crowd = app.start(Crowd.Role)(app.stage(2)(_ => refused.open()).count())
        app.await("the crowd's task set")(app.taskSets == 2)
        early.open()
        Wait.until("two holds")(held == 2)
        assert(app.launches.of(Crowd.Role).isEmpty)
        panicAtNextEvent() // which is the timer's, when the holds end
        assert(important.result == 6.0)
        assert(crowd.result == 2)
      }
      assertOff(warnings)
    }
  }

  /** The moment cannot be known beforehand as a number of events. */
  private def panicAtNextEvent(): Unit = {
    val session = method(Class.forName("io.holdfast.session.Status"), "session").invoke(null)
    val life = session.getClass.getDeclaredField("life")
    life.setAccessible(true)
    val asked = method(life.getType, "engine").invoke(life.get(session))
    method(asked.getClass, "panicAfter", Integer.TYPE).invoke(asked, Int.box(1))
    ()
  }

  private def method(owner: Class[_], name: String, parameters: Class[_]*) = {
    val found = owner.getDeclaredMethod(name, parameters: _*)
    found.setAccessible(true)
    found
  }
}
