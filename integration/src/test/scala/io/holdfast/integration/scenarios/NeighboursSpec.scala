package io.holdfast.integration.scenarios

import io.holdfast.integration.measure.HoldfastStatus

/** Holds in a gap, and those who meet them: a more important program, a helper without properties, an executor that leaves. */
class NeighboursSpec extends SharedApplication {
  private val Slots = 4
  private val group = "spark.jobGroup.id" -> "etl-nightly"
  private val patientS = 10
  private val patient = s"${patientS}s"

  override protected def master = s"local-cluster[2,${Slots / 2},512]"

  override protected def conf: Seq[(String, String)] = Seq(
    "spark.holdfast.group.etl-*.priority" -> "5",
    "spark.holdfast.linger.first" -> patient,
    "spark.holdfast.linger.max" -> patient,
    "spark.decommission.enabled" -> "true"
  )

  /** Runs `body` between two actions of the group, while every slot is held for it. */
  private def inTheGap(app: App)(body: => Unit): Unit = {
    val second = app.gate()
    val important = app.start("important", group) {
      app.stage(Slots)(_ => ()).count()
      second.await()
      app.stage(Slots)(_ => ()).count()
    }
    Wait.until("a hold on every slot")(held == Slots)
    body
    second.open()
    assert(important.result == Slots)
    ()
  }

  private def count(what: String): Long = holds.required(what).asLong

  scenario("a more important program takes one held slot, once") { app =>
    app.awaitExecutors(2)
    inTheGap(app) {
      val before = count("overridden")
      assert(app.run("first", "spark.holdfast.priority" -> "9")(app.stage(1)(_ => ()).count()) == 1)
      assert(count("overridden") == before + 1)
    }
  }

  scenario("a helper without properties waits for the stall rule, not for the linger") { app =>
    inTheGap(app) {
      val (expired, overridden) = (count("expired"), count("overridden"))
      val idle = HoldfastStatus.read().idleSlotS
      val helper = app.start("helper")(app.stage(1)(_ => ()).count())
      app.await("the helper's launch")(app.launches.of("helper").nonEmpty)
      // Nothing ran anywhere: all of them yielded. Had it been the linger, all slots would have idled for that long.
      assert(count("expired") == expired + Slots && count("overridden") == overridden)
      assert(HoldfastStatus.read().idleSlotS - idle < Slots * patientS / 2)
      assert(helper.result == 1)
    }
  }

  scenario("an executor that is decommissioned holds nothing any more") { app =>
    inTheGap(app) {
      val leaving = app.launches.of("important").last.executor
      val before = count("dropped")
      Internals.decommission(app.sc, leaving)
      // At once, that is before the next round: soon the executor is gone, and its holds with it whatever we do.
      assert(held == Slots / 2 && count("dropped") == before + Slots / 2)
      assert(!app.launches.gone.contains(leaving))
    }
  }

  end()
}
