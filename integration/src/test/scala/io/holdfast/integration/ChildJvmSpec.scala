package io.holdfast.integration

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.TimeUnit

import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span => TimeSpan}

/** What becomes of children when their parent is ended, as by Ctrl-C. */
class ChildJvmSpec extends AnyFunSuite with Eventually {
  import ChildJvmSpec._
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(timeout = TimeSpan(60, Seconds))

  test("whoever is ended ends its children, and neither says that they failed nor begins the next") {
    val folder = Files.createTempDirectory("holdfast-children")
    val said = folder.resolve("said.txt")
    val java = ProcessHandle.current().info().command().get()
    val parent =
      new ProcessBuilder(java, "-Xmx64m", "-cp", sys.props("java.class.path"), nameOf(TwoInARow), folder.toString)
        .redirectErrorStream(true)
        .redirectOutput(said.toFile)
        .start()
    try {
      eventually(Seq("first", "beside").foreach(name => assert(isUp(folder, name), text(said))))
      val family = parent.descendants().toArray(new Array[ProcessHandle](_))
      assert(family.length == 2)
      parent.destroy()
      assert(parent.waitFor(60, TimeUnit.SECONDS))
      assert(text(said) == "first begins\n")
      eventually(assert(!family.exists(_.isAlive)))
    } finally {
      parent.destroyForcibly()
      ()
    }
  }
}

object ChildJvmSpec {
  private val Logging = "io/holdfast/integration/cell-log4j2.properties"

  def nameOf(main: AnyRef): String = main.getClass.getName.stripSuffix("$")
  def text(file: Path): String = if (Files.exists(file)) new String(Files.readAllBytes(file), UTF_8) else ""
  def isUp(folder: Path, name: String): Boolean = text(folder.resolve(name).resolve("console.log")).contains("up")
  def child(folder: Path, name: String): ChildJvm = ChildJvm(folder.resolve(name), Logging, Seq("-Xmx64m"))
}

/** One child after the other; beside them one that takes its time to end, like a cluster. */
object TwoInARow {
  import ChildJvmSpec._

  def main(args: Array[String]): Unit = {
    val folder = Paths.get(args.head)
    val beside = new Thread(() => {
      while (!isUp(folder, "first")) Thread.sleep(20)
      child(folder, "beside").start(nameOf(Sleeper), Seq("3000"))
      ()
    })
    beside.start()
    Seq("first", "second").foreach { name =>
      println(s"$name begins")
      println(s"$name: ${child(folder, name).run(nameOf(Sleeper), Seq("0"), limitS = 60)}")
    }
  }
}

/** Sleeps, and takes so many ms to end. */
object Sleeper {
  def main(args: Array[String]): Unit = ChildJvm.main {
    Runtime.getRuntime.addShutdownHook(new Thread(() => Thread.sleep(args.head.toLong)))
    println("up")
    Thread.sleep(60000)
  }
}
