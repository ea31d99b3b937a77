package org.apache.spark.scheduler.holdfast.loop

import java.util.Properties

import scala.collection.mutable.ArrayBuffer

import _root_.io.holdfast.session.Stragglers
import org.apache.spark.{InternalAccumulator, JobArtifactSet, TaskContext}
import org.apache.spark.partial.{ApproximateActionListener, CountEvaluator}
import org.apache.spark.resource.ResourceProfile
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.TaskLocality._
import org.apache.spark.scheduler.holdfast.spark40._
import org.apache.spark.util.LongAccumulator
import org.scalatest.funsuite.AnyFunSuite

/** What tasks read, and how that orders and measures them. */
class PicksSpec extends AnyFunSuite with LoopFixture {
  import PicksSpec._

  private def withManager(body: (TaskSetManager, TaskSchedulerImpl) => Unit): Unit = {
    val scheduler = new TaskSchedulerImpl(context.sc, Looped.TaskFailures, Looped.IsLocal)
    try body(new TaskSetManager(scheduler, taskSet, Looped.TaskFailures), scheduler)
    finally scheduler.stop(0)
  }

  /** The tasks in the order in which Spark takes them from the end of a list. */
  private def order(units: Array[Int], largest: Boolean, most: Long): Seq[Int] = {
    val taken = ArrayBuffer.empty[Int]
    withManager { (manager, scheduler) =>
      val bySize = new BySize(manager, scheduler, units)
      val anywhere = manager.pendingTasks.noPrefs
      while (anywhere.nonEmpty) {
        bySize.arrange("e", "h", ANY, largest, most)
        taken += anywhere.remove(anywhere.length - 1)
      }
    }
    taken.toSeq
  }

  test("the smallest comes first, of equal ones the first") {
    assert(order(Array(30, 10, 20, 10), largest = false, 0) == Seq(1, 3, 2, 0))
  }

  test("the largest of at most so many units comes first, then the smallest of the others") {
    assert(order(Array(30, 10, 20, 40), largest = true, 30) == Seq(0, 2, 1, 3))
    assert(order(Array(30, 10, 20, 10), largest = true, 0xffffffffL) == Seq(0, 2, 1, 3))
    assert(order(Array(30, 20, 40, 20), largest = true, 10) == Seq(1, 3, 0, 2))
  }

  test("a nearer list decides before size, and only within it is there another order") {
    withManager { (manager, scheduler) =>
      val pending = manager.pendingTasks
      pending.forExecutor("e") = ArrayBuffer(2, 0)
      new BySize(manager, scheduler, Array(10, 1, 5, 2)).arrange("e", "h", ANY, largest = false, 0)
      assert(pending.forExecutor("e") == ArrayBuffer(0, 2))
      assert(pending.all.last == 0, "as Spark has it")
      manager.successful(2) = true
      new BySize(manager, scheduler, Array(10, 1, 5, 2)).arrange("e", "h", ANY, largest = false, 0)
      assert(pending.forExecutor("e").last == 0, "what has ended does not count")
      pending.forExecutor.clear()
      new BySize(manager, scheduler, Array(10, 1, 5, 2)).arrange("e", "h", PROCESS_LOCAL, largest = false, 0)
      assert(pending.all.last == 0, "what is too far away stays as it is")
    }
  }

  test("units keep proportions, a small task does not count nothing, and equal tasks have none") {
    assert(Sizes.units(Array(5, 5, 5)).isEmpty && Sizes.units(Array()).isEmpty)
    assert(Sizes.units(Array(100, 300, 200)).map(_.toSeq).contains(Seq(5000, 15000, 10000)))
    assert(Sizes.units(Array(0, 200, 100)).map(_.toSeq).contains(Seq(1000, 20000, 10000)))
    assert(Sizes.units(Array(Long.MaxValue, Long.MaxValue / 2)).exists(_.forall(_ > 0)))
  }

  test("an attempt is as far as it has read of what finished tasks of its size have") {
    val progress = new Progress(Array(100, 200, 100))
    progress.launched(7, 1)
    assert(progress.share(7, Seq(records(50))).isEmpty, "no task has finished")
    progress.finished(0, Seq(records(1000)))
    assert(progress.share(7, Seq(records(500), bytes(200))).contains(250000))
    assert(progress.share(7, Seq(records(5000))).contains(990000), "more than expected")
    assert(progress.share(7, Nil).isEmpty && progress.share(8, Seq(records(1))).isEmpty)
    progress.ended(7)
    assert(progress.share(7, Seq(records(500))).isEmpty, "its attempt has ended")
  }

  test("where records are not counted bytes are") {
    val progress = new Progress(Array(100, 200, 100))
    progress.launched(7, 1)
    progress.finished(0, Seq(bytes(100)))
    assert(progress.share(7, Seq(bytes(50))).contains(250000))
    val unsized = new Progress(Sizes.Unknown)
    unsized.launched(7, 1)
    unsized.finished(0, Seq(bytes(100)))
    assert(unsized.share(7, Seq(bytes(50))).isEmpty)
  }

  test("an approximate action says for how long it waits, as Spark adds it up; others wait for ever") {
    val rdd = context.sc.parallelize(0 until 10, 2)
    val count = (_: TaskContext, rows: Iterator[Int]) => rows.size.toLong
    def waiting(timeout: Long): Long =
      Approximate.leftMillis(new ApproximateActionListener(rdd, count, new CountEvaluator(2, 0.9), timeout))
    val hour = 3600000L
    assert(waiting(hour) > 0 && waiting(hour) <= hour)
    assert(Seq(0L, -1L, Long.MaxValue).forall(waiting(_) <= 0))
    assert(Approximate.leftMillis(null) == Stragglers.UNBOUNDED)
  }

  private def records(n: Long): LongAccumulator = counter(InternalAccumulator.input.RECORDS_READ, n)
  private def bytes(n: Long): LongAccumulator = counter(InternalAccumulator.input.BYTES_READ, n)

  private def counter(name: String, n: Long): LongAccumulator = {
    val counter = new LongAccumulator
    counter.register(context.sc, Some(name))
    counter.add(n)
    counter
  }
}

private object PicksSpec {
  private class Idle(partition: Int)
      extends Task[Int](1, 0, partition, 4, JobArtifactSet.emptyJobArtifactSet, new Properties, null) {
    override def runTask(context: TaskContext): Int = 0
  }

  private def taskSet: TaskSet = {
    val tasks = (0 until 4).map(new Idle(_): Task[_]).toArray
    new TaskSet(tasks, 1, 0, 1, new Properties, ResourceProfile.DEFAULT_RESOURCE_PROFILE_ID, None)
  }
}
