package io.holdfast.boot

import java.net.URL
import java.nio.ByteBuffer
import java.nio.file.Files
import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._

import io.holdfast.{Holdfast, HoldfastPlugin}
import io.holdfast.notice.Heard
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.scalatest.funsuite.AnyFunSuite

/** Counts how often Spark has asked it. */
class OtherPlugin extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = new DriverPlugin {
    override def init(sc: SparkContext, context: PluginContext): java.util.Map[String, String] = {
      OtherPlugin.drivers.incrementAndGet()
      java.util.Map.of()
    }
  }
  override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
    override def init(context: PluginContext, extra: java.util.Map[String, String]): Unit =
      OtherPlugin.executors.incrementAndGet()
  }
}
object OtherPlugin {
  val drivers = new AtomicInteger
  val executors = new AtomicInteger
}

/** Real contexts on local masters: what is built, what is said, what still runs. */
class SwitchingOnSpec extends AnyFunSuite {
  private val plugin = classOf[HoldfastPlugin].getName
  private val ours = "org.apache.spark.scheduler.holdfast.spark40.HoldfastScheduler"
  private val stock = "org.apache.spark.scheduler.TaskSchedulerImpl"

  private def context[T](entries: (String, String)*)(body: SparkContext => T): T = {
    val conf = new SparkConf()
      .setMaster("local[2]")
      .setAppName("switching on")
      .set("spark.ui.enabled", "false")
      .setAll(entries)
    val sc = new SparkContext(conf)
    try body(sc)
    finally sc.stop()
  }

  private def scheduler(sc: SparkContext): String =
    classOf[SparkContext].getMethod("taskScheduler").invoke(sc).getClass.getName

  private def status: JsonNode = new ObjectMapper().readTree(Holdfast.status())

  private def runs(sc: SparkContext): Boolean =
    sc.parallelize(1 to 100, 4).map(i => (i % 3, i)).reduceByKey(_ + _, 4).values.sum() == 5050.0

  test("not switched on: the jar on the class path changes nothing") {
    context() { sc =>
      assert(scheduler(sc) == stock && sc.master == "local[2]" && runs(sc))
      assert(status.get("mode").asText == "off")
    }
  }

  test("switched on: our scheduler, the user's master, nothing held without a priority") {
    context("spark.plugins" -> plugin) { sc =>
      assert(scheduler(sc) == ours && sc.master == "local[2]" && sc.defaultParallelism == 2 && sc.isLocal)
      assert(!sc.getConf.contains("spark.plugins"))
      assert(runs(sc))
      assert(status.get("mode").asText == "enforce")
      assert(status.get("holds").get("made").asInt == 0)
    }
    assert(status.get("holds").get("left").asInt == 0)
  }

  test("an administrator's default list reaches executors without our name") {
    context("spark.plugins.defaultList" -> s"$plugin, ${classOf[OtherPlugin].getName}") { sc =>
      assert(scheduler(sc) == ours && runs(sc))
      assert(sc.getConf.get("spark.plugins.defaultList") == classOf[OtherPlugin].getName)
    }
  }

  test("an older Java: what Spark loads by itself runs there, says so, and Spark's own scheduling goes on") {
    Seq("HoldfastPlugin", "HoldfastPlugin$Driver", "HoldfastClusterManager", "entry/JavaVersion").foreach { name =>
      val bytes = classOf[HoldfastPlugin].getResourceAsStream(s"$name.class").readAllBytes()
      assert(ByteBuffer.wrap(bytes).getShort(6) == 52, s"$name is for Java 8")
    }
    Seq("11", "1.8").foreach { version =>
      val before = System.setProperty("java.specification.version", version)
      try {
        context("spark.plugins" -> plugin)(sc => assert(scheduler(sc) == stock && runs(sc)))
        val refusal = intercept[Exception](
          context("spark.plugins" -> plugin, "spark.holdfast.required" -> "true")(_ => fail("it started"))
        )
        assert(
          causes(refusal).exists(_.contains(s"it needs Java 17 or later in the driver, and this is Java $version"))
        )
      } finally System.setProperty("java.specification.version", before)
    }
  }

  private def causes(e: Throwable): Seq[String] =
    Iterator.iterate(e)(_.getCause).takeWhile(_ != null).map(_.getMessage).toSeq

  test("every local master gets what Spark gives it") {
    Seq("local" -> 1, "local[3]" -> 3, "local[2, 4]" -> 2, "local[*]" -> Runtime.getRuntime.availableProcessors)
      .foreach { case (master, cores) =>
        context("spark.plugins" -> plugin, "spark.master" -> master) { sc =>
          assert(scheduler(sc) == ours && sc.master == master && sc.defaultParallelism == cores && runs(sc))
        }
      }
  }

  test("a prioritised pool holds its slots across barriers, and lets go of them") {
    context(
      "spark.plugins" -> plugin,
      "spark.holdfast.pool.important.priority" -> "10",
      "spark.holdfast.linger.first" -> "10ms",
      "spark.holdfast.linger.max" -> "10ms"
    ) { sc =>
      sc.setLocalProperty("spark.scheduler.pool", "important")
      assert(runs(sc))
      val holds = status.get("holds")
      assert(holds.get("made").asInt > 0 && holds.get("used").asInt > 0)
      awaitNoHolds()
    }
    val holds = status.get("holds")
    val ends = Seq("used", "moved", "expired", "overridden", "dropped", "left").map(holds.get(_).asInt)
    assert(holds.get("made").asInt == ends.sum && holds.get("left").asInt == 0)
  }

  private def awaitNoHolds(): Unit = {
    val limit = System.nanoTime() + 20000000000L
    while (status.get("holds").get("left").asInt > 0 && System.nanoTime() < limit) Thread.sleep(10)
    assert(status.get("holds").get("left").asInt == 0)
  }

  /** With a context class loader that finds these files where cluster managers are listed. */
  private def listing[T](found: URL => Seq[URL])(body: => T): T = {
    val thread = Thread.currentThread
    val before = thread.getContextClassLoader
    thread.setContextClassLoader(new ClassLoader(before) {
      override def getResources(name: String): java.util.Enumeration[URL] = {
        val all = super.getResources(name).asScala.toSeq
        (if (name.endsWith("ExternalClusterManager")) all.flatMap(found) else all).iterator.asJavaEnumeration
      }
    })
    try body
    finally thread.setContextClassLoader(before)
  }

  test("a jar that has lost the list of cluster managers leaves Spark as it is, and says so") {
    listing(_ => Nil) {
      context("spark.plugins" -> plugin) { sc =>
        assert(scheduler(sc) == stock && sc.master == "local[2]" && runs(sc))
        assert(
          status.get("reason").asText.contains("META-INF/services/org.apache.spark.scheduler.ExternalClusterManager")
        )
      }
      val failed = intercept[IllegalStateException] {
        context("spark.plugins" -> plugin, "spark.holdfast.required" -> "true")(_ => ())
      }
      assert(failed.getMessage.contains("META-INF/services"))
    }
  }

  test("a stranger that claims our masters, or a cluster manager that cannot be loaded, is named") {
    def listed(names: String): URL = {
      val file = Files.createTempFile("services", "")
      Files.writeString(file, names).toUri.toURL
    }
    for (
      (name, said) <- Seq(
        "org.apache.spark.scheduler.holdfast.Claimant" -> "claim Holdfast's masters",
        "no.such.Manager" -> "no.such.Manager"
      )
    )
      listing(url => Seq(url, listed(name))) {
        context("spark.plugins" -> plugin) { sc =>
          assert(scheduler(sc) == stock && runs(sc))
          assert(status.get("reason").asText.contains(said))
        }
      }
  }

  test("beside another plugin") {
    OtherPlugin.drivers.set(0)
    OtherPlugin.executors.set(0)
    val other = classOf[OtherPlugin].getName
    context("spark.plugins" -> s"$other, $plugin") { sc =>
      assert(scheduler(sc) == ours && sc.getConf.get("spark.plugins") == other && runs(sc))
      assert(OtherPlugin.drivers.get == 1 && OtherPlugin.executors.get == 1)
    }
  }

  test("listed twice is listed once") {
    context("spark.plugins" -> s"$plugin,$plugin") { sc =>
      assert(scheduler(sc) == ours && sc.master == "local[2]" && runs(sc))
    }
  }

  test("mode off is Spark's own scheduler") {
    context("spark.plugins" -> plugin, "spark.holdfast.mode" -> "off") { sc =>
      assert(scheduler(sc) == stock && !sc.getConf.contains("spark.plugins") && runs(sc))
      assert(status.get("reason").asText == "spark.holdfast.mode=off")
    }
  }

  test("holds that may outlive their idle executors: one warning, with both times; else none") {
    val dynamic = "spark.dynamicAllocation.enabled" -> "true"
    val idle = "spark.dynamicAllocation.executorIdleTimeout"
    val longest = "spark.holdfast.hold.max"
    def said(entries: (String, String)*) =
      Heard.during(context(("spark.plugins" -> plugin) +: entries: _*)(sc => assert(scheduler(sc) == ours && runs(sc))))
    Seq(Seq(dynamic, idle -> "30s"), Seq(dynamic, longest -> "61s"), Seq(dynamic, longest -> "3s", idle -> "2"))
      .foreach { entries =>
        val warnings = said(entries: _*)
        assert(warnings.size == 1, entries)
        def ms(key: String) = entries.collectFirst { case (`key`, value) => value.stripSuffix("s") + "000ms" }
        assert(warnings.head.contains(s"$longest=${ms(longest).getOrElse("60000ms")} is longer than"), warnings)
        assert(warnings.head.contains(s"$idle=${ms(idle).getOrElse("60000ms")}: executors"), warnings)
      }
    assert(said(dynamic).isEmpty, "both are 60 s")
    assert(said(dynamic, longest -> "30s", idle -> "30s").isEmpty)
    assert(said(idle -> "1s").isEmpty, "executors stay")
  }

  test("mode observe decides and vetoes nothing") {
    context(
      "spark.plugins" -> plugin,
      "spark.holdfast.mode" -> "observe",
      "spark.holdfast.pool.important.priority" -> "10"
    ) { sc =>
      sc.setLocalProperty("spark.scheduler.pool", "important")
      assert(scheduler(sc) == ours && runs(sc))
      assert(status.get("mode").asText == "observe")
      assert(status.get("holds").get("made").asInt > 0 && status.get("vetoes").asInt == 0)
    }
  }

  test("a bad key is named with the nearest, and Spark's own scheduling goes on") {
    context("spark.plugins" -> plugin, "spark.holdfast.hold.mx" -> "5s") { sc =>
      assert(scheduler(sc) == stock && sc.master == "local[2]" && runs(sc))
      val reason = status.get("reason").asText
      assert(reason == "spark.holdfast.hold.mx=5s is not a key of Holdfast; the nearest is spark.holdfast.hold.max")
    }
  }

  test("required: a bad key, an unsupported master fail the application with the reason") {
    val required = "spark.holdfast.required" -> "true"
    val bad = intercept[IllegalStateException] {
      context("spark.plugins" -> plugin, required, "spark.holdfast.grow" -> "maybe")(_ => ())
    }
    assert(bad.getMessage.contains("spark.holdfast.grow=maybe is neither true nor false"))
    val master = intercept[IllegalStateException] {
      context("spark.plugins" -> plugin, required, "spark.master" -> "mesos://somewhere")(_ => ())
    }
    assert(master.getMessage.contains("mesos://somewhere"))
    // Neither is on the class path of these tests.
    Seq("yarn", "k8s://http://somewhere").foreach { missing =>
      val delegated = intercept[IllegalStateException] {
        context("spark.plugins" -> plugin, required, "spark.master" -> missing)(_ => ())
      }
      val sentence = s"Spark's own cluster manager for the master $missing is not on the class path"
      assert(delegated.getMessage.contains(sentence))
    }
  }

  test("a driver in a pod may be told to run its tasks itself") {
    context("spark.kubernetes.driver.master" -> "local[3]") { sc =>
      assert(ClusterManagers.whereTasksRun(sc, "k8s://http://somewhere") == "local[3]")
      assert(ClusterManagers.whereTasksRun(sc, "local[2]") == "local[2]")
    }
    context("spark.kubernetes.driver.master" -> "https://kubernetes.default.svc") { sc =>
      assert(ClusterManagers.whereTasksRun(sc, "k8s://http://somewhere") == "k8s://http://somewhere")
    }
  }

  test("an unknown scheduling mode is Spark's to refuse, in Spark's words") {
    val refused = intercept[Exception] {
      context("spark.plugins" -> plugin, "spark.scheduler.mode" -> "LIFO")(_ => ())
    }
    assert(Iterator.iterate[Throwable](refused)(_.getCause).takeWhile(_ != null).exists(_.getMessage.contains("LIFO")))
  }

  test("a panic in the engine: one reason, the job finishes") {
    context(
      "spark.plugins" -> plugin,
      "spark.holdfast.pool.important.priority" -> "10",
      "spark.holdfast.test.panic.after" -> "12"
    ) { sc =>
      sc.setLocalProperty("spark.scheduler.pool", "important")
      assert(runs(sc) && runs(sc))
      assert(status.get("mode").asText == "off" && status.get("reason").asText.contains("panicked"))
      assert(status.get("holds").get("left").asInt == 0)
    }
  }

  test("a decision log is written for the application") {
    val folder = Files.createTempDirectory("holdfast-log")
    val id = context("spark.plugins" -> plugin, "spark.holdfast.log.dir" -> folder.toString) { sc =>
      assert(runs(sc))
      sc.applicationId
    }
    assert(Files.list(folder).iterator.asScala.map(_.getFileName.toString).toSeq == Seq(s"$id.hflog"))
    assert(Files.size(folder.resolve(s"$id.hflog")) > 0)
  }
}
