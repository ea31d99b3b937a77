package io.holdfast.integration.programs

import io.holdfast.integration.measure.Timeline
import org.scalatest.funsuite.AnyFunSuite

/** Jobs that arrive when they do, on Spark. */
class OpenArrivalsSpec extends AnyFunSuite {
  private val Late = 60000L

  /** What ran of a trace that was stopped as soon as it had started. */
  private def stopped(trace: Trace, toEnd: Boolean, afterMs: Long): Timeline =
    Recorded(widest = 1) { sc =>
      val load = new OpenArrivals(sc, trace, "beside", headStartMs = 1, toEnd, afterMs)
      load.start()
      load.stop()
      load.join()
    }

  test("a background that goes on when the foreground has ended runs what comes meanwhile, and nothing after") {
    val trace = Trace(Seq(TraceJob(300, 2, 10), TraceJob(Late, 3, 10)))
    assert(stopped(trace, toEnd = false, afterMs = 5000).tasks.size == 2)
    assert(stopped(Trace(Seq(TraceJob(Late, 3, 10))), toEnd = false, afterMs = 0).tasks.isEmpty)
    assert(stopped(Trace(Seq(TraceJob(300, 2, 10))), toEnd = true, afterMs = 0).tasks.size == 2)
  }

  test("each task of a job that has begun takes what is left of it") {
    val begun = TraceJob(0, 3, 5, leftMs = Seq(300, 1, 600))
    val ran = stopped(Trace(Seq(begun)), toEnd = true, afterMs = 0).tasks.sortBy(_.index)
    assert(ran.map(_.index) == Seq(0, 1, 2))
    assert(ran.zip(begun.leftMs).forall { case (task, left) => task.finish - task.launch >= left })
  }
}
