package io.holdfast.integration.measure

import org.scalatest.funsuite.AnyFunSuite

class HoldfastStatusSpec extends AnyFunSuite {
  private def text(mode: String): String =
    s"""{"mode":"$mode","holds":{"made":5,"used":1,"moved":0,"expired":2,"overridden":0,"dropped":1,"left":1},"idle_slot_s":2.5,"vetoes":7}"""

  test("what Holdfast says is read") {
    val status = HoldfastStatus.parse(text("enforce"))
    assert(status == HoldfastStatus(HoldsResult(5, 1, 2, 0, 1, 1), 2.5, 7, "enforce"))
  }

  test("a cell in which it has never been on, or is on no more, is no cell of Holdfast") {
    Seq("""{"mode":"off","reason":"not switched on"}""", text("off")).foreach { off =>
      assert(intercept[IllegalStateException](HoldfastStatus.parse(off)).getMessage.contains("is off"))
    }
  }
}
