package io.holdfast.integration.run

import java.util.concurrent.{CountDownLatch, ExecutionException, FutureTask, TimeUnit}
import java.util.concurrent.atomic.AtomicReference

import io.holdfast.integration.measure.Recorder
import io.holdfast.integration.plan.Preemption
import org.apache.spark.{SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite

class PreemptorSpec extends AnyFunSuite {
  import PreemptorSpec._

  test("a round in which a task that was due could not be killed does not count, also if that was the last look") {
    val closer = new AtomicReference[Thread]
    val sc = new SparkContext(conf) {
      override def killTaskAttempt(task: Long, interruptThread: Boolean, reason: String): Boolean = {
        asked.countDown()
        while (!Option(closer.get).exists(t => !t.isAlive || t.getState == Thread.State.TIMED_WAITING)) Thread.sleep(1)
        throw new IllegalStateException(s"task $task stays")
      }
    }
    try {
      val preemptor = new Preemptor(sc, Preemption(threshold = 0.5, timeoutS = 0.01, intervalS = 0.01), slots = 1)
      val crowd = sc.parallelize(Seq(1), 1).foreachAsync { _ => running.countDown(); end.await() }
      assert(running.await(60, TimeUnit.SECONDS))
      sc.setLocalProperty("spark.scheduler.pool", Recorder.Foreground)
      val starved = sc.parallelize(Seq(1), 1).countAsync()
      assert(asked.await(60, TimeUnit.SECONDS))
      val closed = new FutureTask(() => preemptor.close())
      val thread = new Thread(closed)
      thread.start()
      closer.set(thread)
      val said = intercept[ExecutionException](closed.get(60, TimeUnit.SECONDS)).getCause
      end.countDown()
      crowd.get()
      assert(starved.get() == 1)
      assert(said.getMessage.contains("does not count") && said.getCause.getMessage == "task 0 stays")
    } finally {
      end.countDown()
      sc.stop()
    }
  }
}

object PreemptorSpec {
  private val running, asked, end = new CountDownLatch(1)

  private def conf =
    new SparkConf(false).setMaster("local[1]").setAppName("preemptor").set("spark.ui.enabled", "false")
}
