package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** Programs of one priority. */
class EqualsSpec extends Scenarios {
  private val Slots = 4
  private def important(name: String) = Seq("spark.holdfast.workflow" -> name, "spark.holdfast.priority" -> "5")

  private def vetoes: Long = Json.tree(Holdfast.status()).required("vetoes").asLong

  /** While `holder` holds the slot of one of its two tasks, `asker` wants one slot more; whether it gets it before the other
    * task has ended.
    */
  private def gets(earlierAsks: Boolean): (Boolean, Long) =
    withHoldfast(s"local-cluster[2,${Slots / 2},512]") { app =>
      app.awaitExecutors(2)
      val (early, late) = (app.gate(), app.gate())
      def asks(name: String) = app.start(name, important(name): _*)(app.stage(2)(_ => late.await()).count())
      def holds(name: String) = app.start(name, important(name): _*) {
        Programs.next(app.stage(2)(i => if (i == 0) early.await() else late.await()), 2)(_ => ()).count()
      }
      val (asker, holder) = ("asker", "holder")
      val running =
        if (earlierAsks) { val a = asks(asker); app.awaitRunning(asker, 2); Seq(a, holds(holder)) }
        else { val h = holds(holder); app.awaitRunning(holder, 2); Seq(h, asks(asker)) }
      app.awaitRunning(asker, 2)
      app.awaitRunning(holder, 2)
      early.open()
      Wait.until("a hold")(held == 1)
      val before = vetoes
      val more = app.start(s"$asker's second job", important(asker): _*)(app.stage(1)(_ => ()).count())
      app.await("its task set")(app.taskSets >= 3 || more.isOver)
      if (earlierAsks) assert(more.result == 1) else Wait.until("a veto")(vetoes > before)
      val got = more.isOver
      val refused = vetoes - before
      late.open()
      (running :+ more).foreach(_.result)
      (got, refused)
    }

  test("an earlier job is never refused by holds of an equal one") {
    assert(gets(earlierAsks = true) == ((true, 0)))
  }

  without("the earlier arrival: a later one waits for them") {
    val (got, refused) = gets(earlierAsks = false)
    assert(!got && refused > 0)
  }
}
