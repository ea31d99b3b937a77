package org.apache.spark.scheduler.holdfast.loop

import java.util.Properties

import scala.util.Random

import _root_.io.holdfast.notice.Heard
import _root_.io.holdfast.session.{Session, SparkSide, VirtualTime}
import org.apache.spark.{JobArtifactSet, TaskContext}
import org.apache.spark.resource.ResourceProfile
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.TaskLocality._
import org.apache.spark.scheduler.holdfast.spark40._
import org.apache.spark.sql.hive.thriftserver.ui.SparkListenerThriftServerOperationStart
import org.scalatest.funsuite.AnyFunSuite

/** Single overrides, without a run. */
class OverridesSpec extends AnyFunSuite with LoopFixture {
  import OverridesSpec._

  private class Scheduler extends HoldfastScheduler(context.sc, Looped.TaskFailures, Looped.IsLocal) {
    override private[holdfast] def newSession(spark: SparkSide): Session =
      new VirtualTime(() => 0L, lagMillis = 0).session(Map.empty, spark)
    override private[holdfast] def planOf(taskSet: TaskSet): Plan = Plan.Empty
    override private[holdfast] def fillsCache(taskSet: TaskSet): Boolean = false
  }

  private def withScheduler(body: Scheduler => Unit): Unit = {
    val scheduler = new Scheduler
    try {
      scheduler.session.open("overrides")
      body(scheduler)
    } finally {
      scheduler.stop(0)
      val bus = context.sc.listenerBus
      bus.findListenersByClass[HoldfastListener]().foreach(bus.removeListener)
    }
  }

  test("after an error delay scheduling goes on from where Spark is") {
    withScheduler { scheduler =>
      val manager = scheduler.createTaskSetManager(taskSet(1), Looped.TaskFailures)
      manager.myLocalityLevels = Array(PROCESS_LOCAL, NODE_LOCAL, ANY)
      widen(manager)
      manager.resetDelayScheduleTimer(Some(ANY))
      assert(localityIndex(manager) == 0, "it did not have to wait for that launch")
      scheduler.session.fail("a round", null)
      manager.resetDelayScheduleTimer(Some(ANY))
      assert(localityIndex(manager) == 2)
    }
  }

  test("a server's event that cannot be read is named once, and switches nothing off") {
    withScheduler { scheduler =>
      val listener = new HoldfastListener(scheduler)
      val event = new SparkListenerThriftServerOperationStart
      context.sc.setLogLevel("WARN")
      val said =
        try Heard.during((1 to 3).foreach(_ => listener.onOtherEvent(event)))
        finally context.sc.setLogLevel("OFF")
      assert(said.size == 1 && said.head.contains(event.getClass.getName), said)
      assert(scheduler.session.live)
    }
  }

  test("task sets are in order also while their priorities change") {
    withScheduler { scheduler =>
      val managers = (1 to 100).map(job => new Fickle(scheduler, taskSet(job)))
      managers.foreach(scheduler.rootPool.addSchedulable(_))
      val queue = scheduler.rootPool.getSortedTaskSetQueue.collect { case fickle: Fickle => fickle }
      assert(queue.size == managers.size)
      val keys = queue.map(fickle => (-fickle.said, fickle.priority))
      assert(keys == keys.sorted)
      assert(managers.map(_.reads).max <= 2, "to see whether there are any, and to sort")
    }
  }
}

private object OverridesSpec {
  private val random = new Random(1)

  /** Another priority each time. */
  private class Fickle(scheduler: HoldfastScheduler, set: TaskSet)
      extends HoldfastTaskSetManager(scheduler, set, Looped.TaskFailures) {
    var reads = 0
    var said = 0
    override private[holdfast] def workflowPriority: Int = {
      reads += 1
      said = 1 + random.nextInt(3)
      said
    }
  }

  private class Idle(job: Int)
      extends Task[Int](job, 0, 0, 1, JobArtifactSet.emptyJobArtifactSet, new Properties, null) {
    override def runTask(context: TaskContext): Int = 0
  }

  private def taskSet(job: Int): TaskSet =
    new TaskSet(Array(new Idle(job)), job, 0, job, new Properties, ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID, None)

  /** As a launch does that had not to wait for locality. */
  private def widen(manager: TaskSetManager): Unit =
    field(classOf[HoldfastTaskSetManager], "hasWidened").setBoolean(manager, true)

  private def localityIndex(manager: TaskSetManager): Int =
    field(classOf[TaskSetManager], "currentLocalityIndex").getInt(manager)

  private def field(of: Class[_], name: String): java.lang.reflect.Field = {
    val found = of.getDeclaredField(name)
    found.setAccessible(true)
    found
  }
}
