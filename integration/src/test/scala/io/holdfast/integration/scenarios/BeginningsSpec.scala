package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.ChildJvmSpec
import org.scalatest.funsuite.AnyFunSuite

class BeginningsSpec extends AnyFunSuite {
  import BeginningsSpec._

  test("no two begin in the same second, also if one fails") {
    val file = newFile()
    val first = Beginnings.oneEachSecond(second(), file)
    var failed = 0L
    intercept[IllegalStateException](
      Beginnings.oneEachSecond({ failed = second(); throw new IllegalStateException("on purpose") }, file)
    )
    val last = Beginnings.oneEachSecond(second(), file)
    assert(first < failed && failed < last)
  }

  test("nor do three JVMs that begin at once") {
    val file = newFile()
    val java = Paths.get(sys.props("java.home"), "bin", "java").toString
    val command = Seq(java, "-Xmx64m", "-cp", sys.props("java.class.path"), ChildJvmSpec.nameOf(Begin), file.toString)
    val all = Seq.fill(3)(new ProcessBuilder(command: _*).redirectError(ProcessBuilder.Redirect.INHERIT).start())
    val began = all.map(process => new String(process.getInputStream.readAllBytes()).trim)
    assert(all.forall(_.waitFor() == 0) && began.distinct.size == 3, began)
  }
}

object BeginningsSpec {
  private def second(): Long = System.currentTimeMillis() / 1000
  private def newFile(): Path = Files.createTempDirectory("beginnings").resolve("file")
}

/** Prints the second in which it began. */
object Begin {
  def main(args: Array[String]): Unit =
    println(Beginnings.oneEachSecond(System.currentTimeMillis() / 1000, Paths.get(args(0))))
}
