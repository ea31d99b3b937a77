package org.apache.spark.scheduler.holdfast.loop

import org.scalatest.funsuite.AnyFunSuite

/** The same numbers as in the simulator's `tests/draw.rs`. */
class DrawSpec extends AnyFunSuite {
  private val draw = new Draw(7)

  test("draws are the simulator's") {
    assert(draw.hash(Seq(Draw.Duration, 3L)) == 0x831172f7811ce06fL)
    assert(draw.upTo(99)(Draw.Duration, 3L) == 51)
  }

  test("orders of offers are the simulator's") {
    val few = Shuffle(draw, moment = 1234, executors = 10)
    assert((0 until 10).map(few.place) == Seq(63, 13, 23, 29, 16, 40, 24, 43, 55, 47))
    val many = Shuffle(draw, moment = 1234, executors = 100)
    assert((0 until 100).sortBy(many.place).take(10) == Seq(87, 36, 1, 61, 0, 91, 6, 42, 21, 12))
  }
}
