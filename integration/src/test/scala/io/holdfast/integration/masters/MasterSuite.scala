package io.holdfast.integration.masters

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.holdfast.integration.cluster.{Cluster, Shape, SparkHome, SparkSubmit}
import io.holdfast.integration.run.SparkKeys
import io.holdfast.integration.scenarios.Launches
import io.holdfast.integration.{ChildJvm, Json}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** The same scenarios on one master, with the driver here and in the cluster. One cluster lives at a time, for all of them. */
trait MasterSuite[C <: Cluster] extends AnyFunSuite with BeforeAndAfterAll {
  import MasterSuite._

  private lazy val root = Files.createTempDirectory(Root, getClass.getSimpleName + "-")
  private lazy val ofCluster = Files.createDirectory(root.resolve("cluster"))
  protected lazy val cluster: C = start(ofCluster)

  protected def start(folder: Path): C

  /** What Spark has for this master. */
  protected def expectedScheduler(mode: String): String
  protected def expectedBackend(mode: String): String

  /** The steps that this master has beyond those of all. */
  protected def further: Seq[String] = Nil

  /** How an application in this mode names a file of this machine. */
  protected def named(mode: String, file: String): String = file

  private val Executors = 2
  private val SlotsEach = 2
  private val Slots = Executors * SlotsEach
  protected val shape: Shape = Shape(workers = Executors, executorsPerWorker = 1, slots = SlotsEach, memoryMb = 512)

  override protected def afterAll(): Unit = cluster.close()

  private val ofAll = Seq("used", "expired", "executor", "decommissioned")

  for (mode <- Seq("client", "cluster")) {
    test(s"$mode mode: holds are made, used, expire, end with their executor; the log replays") {
      val outcome = run(mode, ofAll ++ further)
      assertMaster(outcome, mode)
      val steps = outcome.steps
      assertUsed(steps("used"))
      val expired = steps("expired")
      assert(expired.launched == Slots && expired.stolen == 0)
      assert(expired.holds.made == Slots && expired.holds.expired == Slots)
      assertLost(steps("executor"))
      val decommissioned = steps("decommissioned")
      assert(decommissioned.holds.dropped >= 1 && decommissioned.elsewhere == 0)
      assertFurther(steps)
    }

    beside(mode)

    test(s"$mode mode: with dynamic allocation executors come and go, and what is held is used; the log replays") {
      val outcome = run(mode, Seq("dynamic"), dynamic)
      assertMaster(outcome, mode)
      assertUsed(outcome.steps("dynamic"))
      assert(outcome.cores.size > Executors, "none came back")
    }
  }

  /** Tests of this master alone. */
  protected def beside(mode: String): Unit = ()

  protected def assertFurther(steps: Map[String, Step]): Unit = ()

  /** What was lost with an executor ran again, elsewhere, and nothing else did. */
  protected def assertLost(step: Step): Unit = {
    assert(step.holds.dropped >= SlotsEach && step.elsewhere == 0)
    assert(step.launched == 2 * Slots + SlotsEach): Unit
  }

  private def assertMaster(outcome: Outcome, mode: String): Unit = {
    assert(outcome.master == cluster.target(mode).master)
    assert(Paths.get(outcome.driverFolder).startsWith(ofCluster) == (mode == "cluster"))
    def short(name: String) = name.substring(name.lastIndexOf('.') + 1)
    assert(short(outcome.scheduler) == expectedScheduler(mode) && short(outcome.backend) == expectedBackend(mode))
    assert(outcome.cores.distinct == Seq(SlotsEach))
  }

  private def assertUsed(step: Step): Unit = {
    assert(step.launched == 4 * Slots && step.stolen == 0)
    assert(step.holds.used > 0 && step.holds.left == 0)
  }

  private def dynamic = Map(
    "spark.dynamicAllocation.enabled" -> "true",
    "spark.dynamicAllocation.shuffleTracking.enabled" -> "true",
    "spark.dynamicAllocation.shuffleTracking.timeout" -> "5s",
    "spark.dynamicAllocation.initialExecutors" -> "1",
    "spark.dynamicAllocation.maxExecutors" -> Executors.toString,
    "spark.dynamicAllocation.executorIdleTimeout" -> "5s"
  )

  /** Runs an application of these steps to its end. */
  protected def run(
      mode: String,
      steps: Seq[String],
      conf: Map[String, String] = Map.empty,
      meanwhile: Path => Unit = _ => ()
  ): Outcome = {
    val folder = Files.createTempDirectory(root, s"$mode-")
    val there = cluster.target(mode)
    val target = if (conf.isEmpty) there else there.copy(conf = there.conf - "spark.executor.instances")
    val submit = SparkSubmit(home, Files.createDirectory(folder.resolve("submit")), target, mode)
    val jar = named(mode, property("holdfast.integration.jar"))
    val jars = Seq(named(mode, property("holdfast.jar")))
    val args = Seq(folder.toString, Executors.toString, SlotsEach.toString, steps.mkString(","))
    val begun = System.nanoTime()
    val process = submit.start(Program, jar, jars, common(folder) ++ conf, args)
    val exit =
      try { meanwhile(folder); submit.waitFor(process, LimitS) }
      finally submit.waitFor(process, 0): Unit
    val outcome = folder.resolve(MasterProgram.OutcomeFile)
    assert(exit == 0 && Files.exists(outcome), s"${failure(folder)}\n${submit.lastWords}")
    val text = Files.readString(outcome)
    val took = (System.nanoTime() - begun) / 1000000000L
    println(s"$mode ${steps.mkString(",")}: $took s, ${Json.write(Json.tree(text))}")
    assert(logs(folder).size == 1)
    logs(folder).foreach(replay)
    Json.read[Outcome](text)
  }

  private def failure(folder: Path): String = {
    val file = folder.resolve(MasterProgram.FailureFile)
    if (Files.exists(file)) Files.readString(file) else "the program has said nothing"
  }

  private def logs(folder: Path): Seq[Path] = {
    val logs = folder.resolve("logs")
    if (!Files.exists(logs)) Nil else Using.resource(Files.list(logs))(_.iterator.asScala.toSeq)
  }

  private def replay(log: Path): Unit = {
    val process = new ProcessBuilder(property("holdfast.cli"), "replay", log.toString).redirectErrorStream(true).start()
    val said = new String(process.getInputStream.readAllBytes())
    assert(process.waitFor() == 0, s"the replay of $log: $said")
    println(said.trim)
  }

  private def common(folder: Path): Map[String, String] = SparkKeys.plugin ++ Map(
    "spark.extraListeners" -> classOf[Launches].getName,
    "spark.holdfast.log.dir" -> folder.resolve("logs").toString,
    // A task that waits for a gate is no straggler.
    "spark.holdfast.copies" -> "off",
    // Longer than a slow machine takes from one action to the next.
    "spark.holdfast.linger.first" -> "5s",
    "spark.decommission.enabled" -> "true",
    "spark.driver.memory" -> "512m",
    "spark.driver.extraJavaOptions" -> ChildJvm.QuietJvm.mkString(" "),
    "spark.executor.extraJavaOptions" -> ChildJvm.QuietJvm.mkString(" "),
    "spark.ui.enabled" -> "false"
  )
}

object MasterSuite {
  private val Program = "io.holdfast.integration.masters.MasterProgram"
  private val LimitS = 600L

  def property(name: String): String = sys.props.getOrElse(
    name,
    throw new IllegalStateException(s"system property $name is not set: see integration/masters.gradle")
  )

  private lazy val Root = Files.createDirectories(Paths.get(property("holdfast.masters.dir")))
  lazy val home: SparkHome = SparkHome(Paths.get(property("holdfast.spark.home")))
}
