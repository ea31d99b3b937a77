package io.holdfast.integration.scenarios

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

class BeginningsSpec extends AnyFunSuite {
  test("no two begin in the same second, also if one fails") {
    val file = Files.createTempDirectory("beginnings").resolve("file")
    def second(): Long = System.currentTimeMillis() / 1000
    val first = Beginnings.oneEachSecond(second(), file)
    var failed = 0L
    intercept[IllegalStateException](
      Beginnings.oneEachSecond({ failed = second(); throw new IllegalStateException("on purpose") }, file)
    )
    val last = Beginnings.oneEachSecond(second(), file)
    assert(first < failed && failed < last)
  }
}
