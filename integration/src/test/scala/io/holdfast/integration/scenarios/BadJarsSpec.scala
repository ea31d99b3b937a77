package io.holdfast.integration.scenarios

import java.lang.reflect.InvocationTargetException
import java.nio.file.{Files, Path}

import org.apache.spark.SPARK_VERSION

/** Jars, folders and class paths that are wrong: one sentence, and Spark's own scheduling. Each start has a class path of its
  * own.
  */
class BadJarsSpec extends Scenarios {
  private val on = "spark.plugins" -> Scenarios.Plugin
  private val Stock = "org.apache.spark.scheduler.TaskSchedulerImpl"
  private lazy val folder = Files.createTempDirectory("bad-jars")

  private def assertStock(outcome: Isolated.Outcome, sentence: String*): Unit = {
    assert(outcome.scheduler == Stock && outcome.master == "local[2]" && outcome.sum == "55.0")
    assert(outcome.warnings.size == 1, outcome.warnings)
    assert(outcome.warnings.head.startsWith("Holdfast is off, Spark's own scheduling goes on: "))
    assert(outcome.warnings.head.endsWith(outcome.reason) && outcome.reason.nonEmpty)
    sentence.foreach(part => assert(outcome.reason.contains(part), outcome.reason))
  }

  private def copy(name: String)(edit: (String, Array[Byte]) => Option[Array[Byte]]): Path =
    Isolated.copy(folder.resolve(name))(edit)

  test("the jar as it was built is on here") {
    val outcome = Isolated.start(Seq(Isolated.jar), on)
    assert(outcome.scheduler.startsWith("org.apache.spark.scheduler.holdfast.") && outcome.sum == "55.0")
    assert(outcome.warnings.isEmpty && outcome.reason.isEmpty)
  }

  test("two builds of the jar: both are named, in either order") {
    val other = copy("holdfast-other.jar") { (name, bytes) =>
      Some(if (name.endsWith("build.properties")) "version=0.0.9\nrevision=c0ffee\n".getBytes else bytes)
    }
    Seq(Seq(Isolated.jar, other), Seq(other, Isolated.jar)).foreach { jars =>
      assertStock(
        Isolated.start(jars, on),
        "two builds of Holdfast are on the driver's class path: ",
        s"0.0.9 (c0ffee) in $other",
        s" in ${Isolated.jar}",
        "remove one of the jars"
      )
    }
  }

  test("the same build twice is one") {
    val same = copy("holdfast-same.jar")((_, bytes) => Some(bytes))
    val outcome = Isolated.start(Seq(Isolated.jar, same), on)
    assert(outcome.scheduler.startsWith("org.apache.spark.scheduler.holdfast.") && outcome.warnings.isEmpty)
  }

  test("a jar that was packed without its service file") {
    val packed = copy("fat.jar")((name, bytes) => Option.when(!name.startsWith("META-INF/services/"))(bytes))
    assertStock(
      Isolated.start(Seq(packed), on),
      "META-INF/services/org.apache.spark.scheduler.ExternalClusterManager",
      "merge these files when packing"
    )
  }

  test("another Scala than this Spark's line has") {
    val other = if (SPARK_VERSION.startsWith("3.")) "2.11.12" else "2.12.18"
    // Scala's library reads its version from this file.
    Files.writeString(folder.resolve("library.properties"), s"version.number=$other\n")
    assertStock(Isolated.start(Seq(folder, Isolated.jar), on), s"with Scala $other is not supported")
  }

  test("no folder for temporary files") {
    // Below a file: Spark would make any other folder, and nothing is forbidden to root.
    val impossible = Files.createFile(folder.resolve("file")).resolve("tmp").toString
    val before = System.setProperty("java.io.tmpdir", impossible)
    val outcome =
      try Isolated.start(Seq(Isolated.jar), on, "spark.local.dir" -> folder.toString)
      finally System.setProperty("java.io.tmpdir", before)
    assertStock(outcome, impossible, "java.io.tmpdir")
  }

  test("a driver without the jar: Spark's own error names the class, and nothing of ours runs") {
    val error = intercept[InvocationTargetException](Isolated.start(Nil, on)).getCause
    assert(error.isInstanceOf[ClassNotFoundException] && error.getMessage.contains(Scenarios.Plugin))
  }
}
