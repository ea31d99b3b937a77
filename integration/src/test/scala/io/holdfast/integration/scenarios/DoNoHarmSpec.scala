package io.holdfast.integration.scenarios

import java.nio.file.Files

import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration._

import org.apache.spark.{HashPartitioner, SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite

/** Whatever of ours fails, wherever Spark is at that moment: it starts, its jobs end with the right results, and it stops. */
class DoNoHarmSpec extends AnyFunSuite {
  import DoNoHarmSpec._

  /** A context of its own on classes of its own. */
  private def application(conf: SparkConf, program: SparkContext => Unit): Unit = {
    val thread = Thread.currentThread
    val before = thread.getContextClassLoader
    thread.setContextClassLoader(new Faulty(getClass.getClassLoader))
    try {
      val sc = new SparkContext(conf)
      try program(sc)
      finally Await.result(Future(sc.stop()), Patience)
    } finally thread.setContextClassLoader(before)
  }

  /** What Spark was hit by. */
  private def harm(conf: SparkConf, program: SparkContext => Unit): Option[String] =
    try {
      application(conf, program)
      None
    } catch { case e: Throwable => Some(e.toString) }

  private def conf: SparkConf = {
    val folder = Files.createTempDirectory("do-no-harm")
    new SparkConf(false)
      .setMaster("local[4]")
      .setAppName("do no harm")
      .set("spark.ui.enabled", "false")
      .set("spark.plugins", Scenarios.Plugin)
      .set("spark.executor.heartbeatInterval", "100ms")
      .set("spark.scheduler.mode", "FAIR")
      .set("spark.holdfast.pool.important.priority", "10")
      .set("spark.holdfast.hold.max", "1s")
      .set("spark.holdfast.log.dir", folder.toString)
      .set("spark.holdfast.history.dir", folder.toString)
  }

  private def crowded(sc: SparkContext): Unit = {
    val crowd = Future((1 to 3).map(_ => sc.parallelize(1 to 8, 8).map { i => Thread.sleep(5); i }.sum()).sum)
    val important = Future {
      sc.setLocalProperty("spark.scheduler.pool", "important")
      sc.setJobGroup("report", "a report")
      val cached = sc.parallelize(1 to 8, 4).cache()
      (1 to 2).map { _ =>
        cached.map(i => (i, i)).partitionBy(new HashPartitioner(4)).values.map { i => Thread.sleep(2); i }.sum()
      }.sum
    }
    val cancelled = Future {
      sc.setJobGroup("cancelled", "", interruptOnCancel = true)
      sc.parallelize(1 to 2, 2).foreach(_ => Thread.sleep(60000))
    }
    assert(Await.result(crowd, Patience) == 108.0 && Await.result(important, Patience) == 72.0)
    while (!cancelled.isCompleted) {
      sc.cancelJobGroup("cancelled")
      Thread.sleep(5)
    }
  }

  /** All slots are held for the next job when the crowd comes, and only then the timer begins to fail. */
  private def refused(sc: SparkContext): Unit = {
    def job() = sc.parallelize(1 to 4, 4).map { i => Thread.sleep(50); i }.sum()
    val important = Future {
      sc.setLocalProperty("spark.scheduler.pool", "important")
      sc.setJobGroup("report", "a report")
      job()
    }
    assert(Await.result(important, Patience) == 10.0)
    val crowd = Future {
      sc.setLocalProperty("spark.scheduler.pool", null) // the thread may be the one from before
      sc.clearJobGroup()
      job()
    }
    Wait.until("the crowd's job")(sc.statusTracker.getActiveJobIds().nonEmpty)
    Thread.sleep(200) // its offers have been refused
    assert(!crowd.isCompleted)
    Faults.arm("Ticker.serve", Faults.Kinds.head)
    assert(Await.result(crowd, Patience) == 10.0)
  }

  test("the timer fails while all slots are held: who was refused runs all the same") {
    val long = conf.set("spark.holdfast.hold.max", "60s").set("spark.holdfast.linger.first", "60s")
    val outcome = harm(long, refused)
    val thrown = Faults.thrown
    Faults.disarm()
    assert(outcome.isEmpty && thrown > 0)
  }

  test("each of our methods fails once, in an application of its own") {
    Faults.disarm()
    application(conf, crowded)
    val reached = Faults.reached
    assert(Entries.forall(entry => reached.exists(_.startsWith(entry))), reached.mkString(" "))
    // The thread of a session that could not close goes on, and would fail beside the next ones.
    val (last, first) = reached.filter(ours).partition(Set("Trouble.attempt", "Session.close", "Lifecycle.close"))
    val chosen = (first ++ last).zipWithIndex.filter { case (name, i) => i % Every == 0 || Always(name) }
    println(s"${chosen.size} of ${reached.size} methods")
    var stuck = false // the context of one run is then in the way of the next
    val harmed = for ((name, i) <- chosen if !stuck) yield {
      Faults.arm(name, Faults.Kinds((i / Every) % Faults.Kinds.size))
      val (outcome, warnings) = Warnings.during(harm(conf, crowded))
      val thrown = Faults.thrown
      Faults.disarm()
      println(s"$name: thrown $thrown times, ${warnings.size} warnings, ${outcome.getOrElse("well")}")
      stuck = outcome.exists(_.contains("TimeoutException"))
      // Two threads may run into the fault at once, and each names what it was about.
      val more = warnings.size > 2
      Option.when(outcome.nonEmpty || more)(s"$name, thrown $thrown times: $outcome, $warnings")
    }
    assert(!stuck && harmed.flatten.isEmpty, harmed.flatten.mkString("\n"))
  }
}

private object DoNoHarmSpec {
  private val Patience = 60.seconds

  /** What Spark constructs itself, before any statement of ours could guard it. */
  private val MadeBySpark = Set(
    "HoldfastPlugin.<clinit>",
    "HoldfastPlugin.<init>",
    "HoldfastPlugin$Driver.<init>",
    "HoldfastClusterManager.<init>"
  )

  /** Makes one object: nothing in it can fail. */
  private val Harmless = Set("Status.<clinit>")

  /** The guards themselves, which do nothing but guard. */
  private val Guards =
    Set("HoldfastOverrides.tell", "Notices.say") ++ Set("tell", "guarded", "failed", "widened").map(
      "HoldfastTaskSetManager." + _
    )

  /** A call of Spark's own method from a trait is a method of ours for the JVM only. */
  private val Super = "$super$"

  /** Of these something was wrong once. */
  private val Always = Set("SchedulerBuilder.apply", "Ticker.serve")

  /** All of them in the nightly run. */
  private val Every = if (Scenarios.Nightly) 1 else 32

  private def ours(name: String): Boolean =
    !MadeBySpark(name) && !Harmless(name) && !Guards(name) && !name.contains(Super)

  /** Classes in which Spark enters ours, some of them by reflection; so that none is missed. */
  private val Entries =
    Seq("HoldfastPlugin", "SwitchingOn", "HoldfastClusterManager", "SchedulerBuilder", "Session", "Ticker")
}
