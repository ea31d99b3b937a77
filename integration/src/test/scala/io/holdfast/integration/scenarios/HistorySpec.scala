package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** A program of two jobs, of which only the second is wide, in one application after the other. */
class HistorySpec extends Scenarios {
  private val Slots = 4
  private val Narrow = 2
  private val name = "spark.holdfast.workflow" -> "nightly"
  private val priority = "spark.holdfast.priority" -> "5"

  private def conf(history: Option[Path]): Seq[(String, String)] =
    history.map("spark.holdfast.history.dir" -> _.toString).toSeq

  /** The first task of the narrow job ends when `early` opens, the other when `late` does. */
  private def program(app: App, early: Gate, late: Gate): Long = {
    app.stage(Narrow)(i => if (i == 0) early.await() else late.await()).count()
    app.stage(Slots)(_ => ()).count()
  }

  private def learn(history: Path): Unit =
    withHoldfast("local[4]", conf(Some(history)): _*) { app =>
      val open = app.gate()
      open.open()
      assert(app.run("important", name, priority)(program(app, open, open)) == Slots)
      ()
    }

  /** Runs the program beside a crowd that releases its slots while the narrow job runs.
    *
    * @param check
    *   looks at the application after that, before the narrow job ends
    */
  private def besideCrowd(check: App => Unit): Unit =
    withHoldfast(s"local-cluster[2,${Slots / 2},512]") { app =>
      app.awaitExecutors(2)
      val (early, late, release) = (app.gate(), app.gate(), app.gate())
      val important = app.start("important", name, priority)(program(app, early, late))
      app.awaitRunning("important", Narrow)
      val crowd = new Crowd(app, sleepMs = 60000, until = Some(release)).start()
      app.awaitRunning(Crowd.Role, Slots - Narrow)
      early.open()
      app.await("the first end")(app.launches.ends("important").size == 1)
      release.open()
      check(app)
      late.open()
      assert(important.result == Slots)
      crowd.stop()
    }

  test("the second application holds at the narrow job what the wide one will need, in its first run") {
    val history = Files.createTempDirectory(Paths.get(sys.props("holdfast.scenarios.dir")), "history-")
    learn(history)
    freeSlots(conf(Some(history)))() { app =>
      Wait.until("two holds")(held == Slots - Narrow)
      app.drain()
      assert(app.launches.of(Crowd.Role).isEmpty)
    }
  }

  without("a history: it holds what the narrow job has left, and the crowd runs to its end beside it") {
    besideCrowd { app =>
      app.await("the crowd's end")(app.launches.ends(Crowd.Role).size == 24)
      assert(held == 1)
    }
  }

  /** The narrow job runs, the other slots are free, and a crowd comes. */
  private def freeSlots(conf: Seq[(String, String)] = Nil)(declared: (String, String)*)(check: App => Unit): Unit =
    withHoldfast(s"local-cluster[2,${Slots / 2},512]", conf: _*) { app =>
      app.awaitExecutors(2)
      if (conf.nonEmpty)
        Wait.until("the history")(Json.tree(Holdfast.status()).required("remembered").asInt == 1)
      val gate = app.gate()
      val important = app.start("important", declared :+ name :+ priority: _*)(program(app, gate, gate))
      app.awaitRunning("important", Narrow)
      val crowd = new Crowd(app).start()
      check(app)
      gate.open()
      assert(important.result == Slots)
      crowd.stop()
    }

  test("what the user says of its width is kept from the first job on, without a history") {
    freeSlots()("spark.holdfast.parallelism" -> Slots.toString) { app =>
      Wait.until("two holds")(held == Slots - Narrow)
      app.drain()
      assert(app.launches.of(Crowd.Role).isEmpty)
    }
  }

  without("a word of the user: the crowd gets what is free") {
    freeSlots()() { app =>
      app.awaitRunning(Crowd.Role, Slots - Narrow)
      assert(held == 0)
    }
  }
}
