package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import org.apache.spark.BarrierTaskContext

/** With executors of their own, to which Spark offers again every second in any case. */
class GapSpec extends Gaps {
  override protected def master = s"local-cluster[$executors,${Slots / executors},512]"
  override protected def executors = 2

  end()
}

/** In the driver, where nothing is offered again unless somebody asks for it. */
class LocalGapSpec extends Gaps {
  override protected def master = s"local[$Slots]"
  override protected def executors = 1

  end()
}

/** Slots of cancelled programs, and beside barrier stages. */
trait Gaps extends SharedApplication {
  protected val Slots = 4
  private val group = "spark.jobGroup.id" -> "etl-nightly"

  protected def executors: Int

  // The shortest linger is long, so that a slow machine does not end a gap.
  override protected def conf: Seq[(String, String)] = Seq(
    "spark.scheduler.mode" -> "FAIR",
    "spark.holdfast.group.etl-*.priority" -> "5",
    "spark.holdfast.linger.first" -> "5s"
  )

  /** A stage of which the first two tasks end when `early` opens and the others when `late` does. */
  private def stage(app: App, early: Gate, late: Gate) =
    app.stage(Slots)(i => if (i < 2) early.await() else late.await())

  /** Everything runs, then the crowd comes, then two tasks end: their slots are held. */
  private def untilTwoAreHeld(app: App, early: Gate): Crowd = {
    app.awaitRunning("important", Slots)
    val crowd = new Crowd(app).start()
    early.open()
    Wait.until("two holds")(held == 2)
    crowd
  }

  private def own(app: App, from: Long): Seq[Launch] = {
    app.drain()
    app.launches.of("important").filter(_.id >= from)
  }

  private def nextId(app: App): Long = { app.drain(); app.launches.all.lastOption.fold(0L)(_.id + 1) }

  /** While somebody's task runs, holds across a gap do not yield as they do when all that is left is waiting. */
  private def besideBystander(app: App)(body: => Unit): Unit = {
    val gate = app.gate()
    val bystander = app.start("bystander")(app.stage(1)(_ => gate.await()).count())
    app.awaitRunning("bystander", 1)
    body
    gate.open()
    assert(bystander.result == 1)
    ()
  }

  scenario("a program cancelled in the middle of a stage leaves its slots to the crowd") { app =>
    app.awaitExecutors(executors)
    val (early, never) = (app.gate(), app.gate())
    val important = app.start("important", group, "spark.job.interruptOnCancel" -> "true") {
      Programs.next(stage(app, early, never), Slots)(_ => ()).count()
    }
    val crowd = untilTwoAreHeld(app, early)
    assert(app.launches.running(Crowd.Role) == 0)
    val dropped = holds.required("dropped").asLong
    app.sc.cancelJobGroup(group._2)
    assert(important.failure.exists(_.getMessage.contains("cancelled")))
    app.awaitRunning(Crowd.Role, Slots)
    assert(holds.required("dropped").asLong >= dropped + 2)
    crowd.stop()
  }

  scenario("a program cancelled between two actions leaves its slots to the crowd") { app =>
    val first = app.gate()
    val important = app.start("important", group)(app.stage(Slots)(_ => first.await()).count())
    app.awaitRunning("important", Slots)
    val crowd = new Crowd(app).start()
    val expired = holds.required("expired").asLong
    first.open()
    important.result
    Wait.until("a hold on every slot")(held == Slots)
    app.sc.cancelJobGroup(group._2)
    app.awaitRunning(Crowd.Role, Slots)
    assert(holds.required("expired").asLong == expired + Slots)
    crowd.stop()
  }

  scenario("a program that fails between two actions in a scope leaves its slots at once") { app =>
    besideBystander(app) {
      val first = app.gate()
      val expired = holds.required("expired").asLong
      val important = app.start("important") {
        Holdfast.workflow("nightly", 5) {
          app.stage(Slots - 1)(_ => first.await()).count()
          Wait.until("a hold on every slot")(held == Slots - 1)
          throw new IllegalStateException("the user gave up")
        }
      }
      app.awaitRunning("important", Slots - 1)
      val crowd = new Crowd(app).start()
      first.open()
      assert(important.failure.exists(_.getMessage.contains("gave up")))
      app.awaitRunning(Crowd.Role, Slots - 1)
      assert(holds.required("expired").asLong == expired)
      crowd.stop()
    }
  }

  private def barrier(app: App, tasks: Int, properties: (String, String)*) = app.start("barrier", properties: _*) {
    app.sc
      .parallelize(0 until tasks, tasks)
      .barrier()
      .mapPartitions { rows => BarrierTaskContext.get().barrier(); rows }
      .count()
  }

  scenario("a barrier stage runs beside holds") { app =>
    val (early, late) = (app.gate(), app.gate())
    val important = app.start("important", "spark.holdfast.priority" -> "5") {
      Programs.next(app.stage(2)(i => if (i == 0) early.await() else late.await()), 2)(_ => ()).count()
    }
    app.awaitRunning("important", 2)
    early.open()
    Wait.until("a hold")(held == 1)
    assert(barrier(app, 2).result == 2)
    assert(held == 1)
    late.open()
    assert(important.result == 2)
  }

  scenario("a barrier stage without room waits for the end of the holds") { app =>
    val from = nextId(app)
    val (early, late) = (app.gate(), app.gate())
    val important = app.start("important", "spark.holdfast.priority" -> "5") {
      Programs.next(stage(app, early, late), Slots)(_ => ()).count()
    }
    app.awaitRunning("important", Slots)
    early.open()
    Wait.until("two holds")(held == 2)
    val waiting = barrier(app, 2)
    app.await("the barrier stage's task set")(app.taskSets >= 2)
    late.open()
    assert(important.result == Slots)
    assert(waiting.result == 2)
    val launches = own(app, from)
    assert(launches.size == 2 * Slots)
    assert(app.launches.between("barrier", launches.head.id, launches.last.id).isEmpty)
  }

  scenario("an important barrier stage gathers its slots beside a crowd") { app =>
    val from = nextId(app)
    val crowd = new Crowd(app, tasks = 40).start()
    app.awaitRunning(Crowd.Role, Slots)
    assert(barrier(app, Slots, "spark.holdfast.priority" -> "5").result == Slots)
    crowd.stop()
    app.drain()
    val launched = app.launches.of("barrier").filter(_.id >= from)
    assert(launched.size == Slots)
    // All at once, and long before the crowd was through.
    assert(app.launches.between(Crowd.Role, launched.head.id, launched.last.id).isEmpty)
    assert(app.launches.of(Crowd.Role).last.id > launched.last.id)
  }
}
