package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import io.holdfast.Holdfast
import io.holdfast.integration.{HoldfastStatus, Json}
import org.apache.spark.{SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite

/** A suite whose tests run on a real Spark. One context lives at a time. When one ends, no hold may be left and the decision log
  * must replay to the same decisions.
  */
trait Scenarios extends AnyFunSuite {
  import Scenarios._

  /** An application with Holdfast switched on. */
  protected def withHoldfast[T](master: String, conf: (String, String)*)(body: App => T): T =
    withSpark(master, Seq("spark.plugins" -> Plugin) ++ conf: _*) { app =>
      assert(Holdfast.status().contains("\"holds\""), Holdfast.status())
      val result = body(app)
      assertNothingLeft()
      result
    }

  /** An application with just these keys. */
  protected def withSpark[T](master: String, conf: (String, String)*)(body: App => T): T = {
    val folder = Files.createTempDirectory(Root, getClass.getSimpleName + "-")
    val logs = Files.createDirectory(folder.resolve("logs"))
    val keys = common(folder) ++ Map("spark.holdfast.log.dir" -> logs.toString) ++ conf
    val sc = new SparkContext(new SparkConf(false).setAll(keys).setMaster(master).setAppName(getClass.getSimpleName))
    val result =
      try {
        sc.setLogLevel("INFO")
        body(new App(sc, Launches.current, folder))
      } finally sc.stop()
    replay(logs)
    result
  }

  /** Waits for the longest linger, then nothing may be held. */
  protected def assertNothingLeft(): Unit = {
    val status = HoldfastStatus.readWhenIdle(LingerPatienceMs)
    assert(status.holds.left == 0, Holdfast.status())
  }

  protected def holds: JsonNode = Json.tree(Holdfast.status()).required("holds")

  protected def held: Long = holds.required("left").asLong

  protected def made: Long = holds.required("made").asLong

  private def replay(logs: Path): Unit = Files.list(logs).iterator.asScala.foreach { log =>
    val process = new ProcessBuilder(Cli, "replay", log.toString).redirectErrorStream(true).start()
    val said = new String(process.getInputStream.readAllBytes())
    assert(process.waitFor() == 0, s"the replay of $log: $said")
  }
}

object Scenarios {
  val Plugin = "io.holdfast.HoldfastPlugin"

  private val LingerPatienceMs = 15000L

  private def property(name: String): String =
    sys.props.getOrElse(name, throw new IllegalStateException(s"system property $name is not set: see integration/build.gradle"))

  private lazy val Cli = property("holdfast.cli")
  private lazy val Root = Files.createDirectories(Paths.get(property("holdfast.scenarios.dir")))

  /** Executors that sleep most of their time need little. */
  private def common(folder: Path): Map[String, String] = Map(
    "spark.extraListeners" -> classOf[Launches].getName,
    "spark.executor.extraClassPath" -> sys.props("java.class.path"),
    "spark.executor.extraJavaOptions" -> "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss512k",
    "spark.executor.memory" -> "512m",
    "spark.ui.enabled" -> "false",
    "spark.local.dir" -> folder.resolve("local").toString
  )
}
