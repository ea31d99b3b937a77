package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import io.holdfast.Holdfast
import io.holdfast.integration.measure.HoldfastStatus
import io.holdfast.integration.run.ClassArchives
import io.holdfast.integration.{ChildJvm, Json}
import org.apache.spark.{SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite

/** A suite whose tests run on a real Spark. One context lives at a time. When one ends, no hold may be left and the decision log
  * must replay to the same decisions.
  */
trait Scenarios extends AnyFunSuite {
  import Scenarios._

  /** The same scenario without the mechanism that it is about: that would go unnoticed if the scenario proved nothing. Only in
    * the nightly run.
    */
  protected def without(mechanism: String)(body: => Any): Unit =
    nightly(s"without $mechanism")(body)

  /** A scenario that takes long beside what it adds to the others. Only in the nightly run. */
  protected def nightly(name: String)(body: => Any): Unit = if (Nightly) test(name) { body; () }

  /** An application with Holdfast switched on. */
  protected def withHoldfast[T](master: String, conf: (String, String)*)(body: App => T): T =
    withSpark(master, Seq("spark.plugins" -> Plugin) ++ conf: _*) { app =>
      val result = body(app)
      val lingers = app.sc.getConf.getAll.map(_._1).filter(_.startsWith("spark.holdfast.linger."))
      assertNothingLeft((lingers.map(app.sc.getConf.getTimeAsMs) :+ HoldfastStatus.LongestLingerMs).max)
      result
    }

  /** An application with just these keys. */
  protected def withSpark[T](master: String, conf: (String, String)*)(body: App => T): T = {
    val app = start(master, conf: _*)
    val result =
      try body(app)
      finally app.sc.stop()
    replay(app)
    result
  }

  protected def start(master: String, more: (String, String)*): App = {
    val folder = Files.createTempDirectory(Root, getClass.getSimpleName + "-")
    val keys = common(folder) ++ Map("spark.holdfast.log.dir" -> logs(folder).toString) ++ more
    val conf = new SparkConf(false).setAll(keys).setMaster(master).setAppName(getClass.getSimpleName)
    def begin(): SparkContext = new SparkContext(conf)
    val sc = if (master.startsWith("local-cluster")) Beginnings.oneEachSecond(begin()) else begin()
    new App(sc, Launches.current, folder)
  }

  /** Waits for the longest linger, in ms, then nothing may be held. */
  protected def assertNothingLeft(longestLingerMs: Long = HoldfastStatus.LongestLingerMs): Unit = {
    val status = HoldfastStatus.readWhenIdle(longestLingerMs)
    assert(status.holds.left == 0, Holdfast.status())
  }

  protected def holds: JsonNode = Json.tree(Holdfast.status()).required("holds")

  protected def held: Long = holds.required("left").asLong

  protected def made: Long = holds.required("made").asLong

  /** How many decision logs the application wrote; each must be whole and lead to the same decisions again. */
  protected def replay(app: App): Int = {
    awaitFiles()
    val found = if (Files.exists(logs(app.folder))) Files.list(logs(app.folder)).iterator.asScala.toSeq else Nil
    found.foreach(replay)
    found.size
  }

  /** The stop waits for the files of log and history only a little. */
  private def awaitFiles(): Unit = {
    val writers = Thread.getAllStackTraces.keySet.asScala.filter(thread => Scenarios.Writers(thread.getName))
    writers.foreach(_.join(Scenarios.LongestWriteMillis))
  }

  private def logs(folder: Path): Path = folder.resolve("logs")

  private def replay(log: Path): Unit = {
    val process = new ProcessBuilder(Cli, "replay", log.toString).redirectErrorStream(true).start()
    val said = new String(process.getInputStream.readAllBytes())
    assert(process.waitFor() == 0, s"the replay of $log: $said")
  }
}

/** Several scenarios in one application, each beside what those before it left behind. */
trait SharedApplication extends Scenarios {
  protected def master: String
  protected def conf: Seq[(String, String)]

  private lazy val shared = start(master, Seq("spark.plugins" -> Scenarios.Plugin) ++ conf: _*)

  protected def scenario(name: String)(body: App => Unit): Unit = test(name) {
    body(shared)
    assertNothingLeft()
  }

  /** To be called last. */
  protected def end(): Unit = test("the application ends, and its decision log replays to the same decisions") {
    shared.sc.stop()
    assert(replay(shared) == 1)
  }
}

object Scenarios {
  val Plugin = "io.holdfast.HoldfastPlugin"
  private val Writers = Set("holdfast-log", "holdfast-history")
  private val LongestWriteMillis = 60000L

  /** Whether what takes longer is run, too. */
  val Nightly: Boolean = java.lang.Boolean.getBoolean("holdfast.scenarios.nightly")

  private def property(name: String): String =
    sys.props.getOrElse(
      name,
      throw new IllegalStateException(s"system property $name is not set: see integration/build.gradle")
    )

  private lazy val archives = ClassArchives(Paths.get(property("holdfast.class.archives")))
  lazy val Cli: String = property("holdfast.cli")
  private lazy val Root = Files.createDirectories(Paths.get(property("holdfast.scenarios.dir")))

  /** Executors that sleep most of their time need little. */
  private def common(folder: Path): Map[String, String] = Map(
    "spark.extraListeners" -> classOf[Launches].getName,
    "spark.executor.extraClassPath" -> property("holdfast.executor.classpath"),
    "spark.executor.extraJavaOptions" -> (ChildJvm.QuietJvm ++ archives.executorOptions :+ "-Xss512k").mkString(" "),
    "spark.executor.memory" -> "512m",
    "spark.ui.enabled" -> "false",
    // A task that waits for a gate is no straggler: a copy of it would use a hold that a scenario looks at.
    "spark.holdfast.copies" -> "off",
    "spark.local.dir" -> folder.resolve("local").toString
  )
}
