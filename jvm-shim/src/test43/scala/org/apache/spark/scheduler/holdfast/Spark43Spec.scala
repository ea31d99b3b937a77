package org.apache.spark.scheduler.holdfast

import java.util.Properties

import io.holdfast.Holdfast
import org.apache.spark.{JobArtifactSet, SparkConf, SparkContext, TaskContext}
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.holdfast.spark43._
import org.scalatest.funsuite.AnyFunSuite

/** What Spark 4.3 has and no line before it, on a real Spark 4.3. */
class Spark43Spec extends AnyFunSuite {
  private val Slots = 4

  private def withContext(settings: (String, String)*)(body: (SparkContext, HoldfastScheduler) => Unit): Unit = {
    val conf = new SparkConf(false)
      .setMaster(s"local[$Slots]")
      .setAppName("4.3")
      .set("spark.ui.enabled", "false")
      .set("spark.plugins", "io.holdfast.HoldfastPlugin")
      .set("spark.holdfast.required", "true")
      .setAll(settings)
    val sc = new SparkContext(conf)
    try body(sc, sc.taskScheduler.asInstanceOf[HoldfastScheduler])
    finally sc.stop()
  }

  private def taskSet(properties: Properties, pipelined: Boolean): TaskSet = {
    val task = new Task[Int](0, 0, 0, 1, JobArtifactSet.emptyJobArtifactSet, properties) {
      override def runTask(context: TaskContext): Int = 0
    }
    new TaskSet(Array(task), 0, 0, 0, properties, 0, None, pipelined)
  }

  test("a task set of a pipelined group is Spark's own, any other is ours") {
    withContext() { (_, scheduler) =>
      def manager(pipelined: Boolean) = scheduler.createTaskSetManager(taskSet(new Properties, pipelined), 4)
      assert(manager(pipelined = true).getClass == classOf[TaskSetManager])
      assert(manager(pipelined = false).getClass == classOf[HoldfastTaskSetManager])
    }
  }

  test("the check of a pipelined group's slots is told what is held") {
    withContext("spark.holdfast.pool.important.priority" -> "10", "spark.holdfast.linger.first" -> "60s") {
      (sc, scheduler) =>
        def outstanding = scheduler.outstandingTasksForOtherWorkInProfile(0, Set.empty)
        assert(outstanding == 0)
        sc.setLocalProperty("spark.scheduler.pool", "important")
        sc.parallelize(1 to 100, Slots).count()
        sc.parallelize(1 to 100, Slots).count()
        assert(Holdfast.status().contains(s""""left":$Slots"""), Holdfast.status())
        assert(outstanding == Slots, "slots that linger are free, and not to be had")
    }
  }

  test("what a streaming query's task set logs names the query, as with Spark's own") {
    withContext() { (_, scheduler) =>
      val properties = new Properties
      properties.setProperty("sql.streaming.queryId", "0f3a9c1e-0000-0000-0000-000000000000")
      scheduler.createTaskSetManager(taskSet(properties, pipelined = false), 4) match {
        case streaming: StreamingTaskSetManager => assert(streaming.properties eq properties)
        case other => fail(s"$other")
      }
    }
  }

  test("thousandths of fractional CPUs: what fits in Spark fits in the engine") {
    val third = BigDecimal("0.333333333")
    assert(Cpus.demand(third) == 333 && Cpus.free(BigDecimal(1) - third) == 667)
    assert(Cpus.demand(BigDecimal("0.666666667")) == 666 && Cpus.free(BigDecimal("0.666666667")) == 667)
    assert(Cpus.demand(BigDecimal("0.000000001")) == 1, "never nothing")
    assert(Cpus.demand(BigDecimal(2)) == 2000 && Cpus.free(BigDecimal(0)) == 0)
  }
}
