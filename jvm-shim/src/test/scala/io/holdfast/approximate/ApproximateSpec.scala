package io.holdfast.approximate

import java.time.Duration
import java.util.concurrent.CountDownLatch

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.{SparkConf, SparkContext, SparkException}
import org.apache.spark.rdd.RDD
import org.scalatest.BeforeAndAfterAll
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span}

/** Approximate actions on a Spark in this process. */
class ApproximateSpec extends AnyFunSuite with BeforeAndAfterAll with Eventually {
  import ApproximateSpec._

  private var sc: SparkContext = _

  override protected def beforeAll(): Unit = {
    val conf = new SparkConf().setMaster("local[2]").setAppName("approximate").set("spark.ui.enabled", "false")
    sc = new SparkContext(conf)
    sc.setLogLevel("OFF")
  }

  override protected def afterAll(): Unit = sc.stop()

  private def numbers(perPartition: Seq[Int]): RDD[Double] =
    sc.parallelize(perPartition, perPartition.length).flatMap(n => Iterator.fill(n)(1.0))

  test("with every partition the answer is exact") {
    val answer = Approximate.count(numbers(Seq(3, 0, 4)), Bound.error(0), 0.95)
    assert(answer.value == new Estimate(7, 7, 7))
    assert(answer.share == 1 && answer.missing.isEmpty && answer.partitions == 3)
    assert(Approximate.sum(numbers(Seq(3, 0, 4)), Bound.error(0), 0.95).value == new Estimate(7, 7, 7))
    assert(Approximate.mean(numbers(Seq(3, 0, 4)), Bound.error(0), 0.95).value.value == 1)
  }

  test("an error bound leaves out so many partitions at most, and each counts once") {
    (1 to 20).foreach { _ =>
      val merged = new Once
      val answer = Approximate.aggregate(numbers(Seq.fill(10)(5)), zero, add, merged, Bound.error(0.3), 0.95)
      assert(answer.missing.size <= 3 && answer.value == 10 - answer.missing.size)
      assert(merged.seen.intersect(answer.missing.asScala.map(_.intValue).toSet).isEmpty)
    }
  }

  test("a deadline leaves out what is not done, and cancels it") {
    val slow = sc.parallelize(0 until 4, 4).map { i =>
      if (i == 3) Gate.await()
      1.0
    }
    val answer = Approximate.sum(slow, Bound.deadline(Duration.ofSeconds(3)), 0.95)
    assert(answer.missing.asScala == Seq(3) && answer.share == 0.75)
    assert(answer.value.low <= answer.value.value && answer.value.value <= answer.value.high)
    eventually(timeout(Span(20, Seconds)))(assert(sc.statusTracker.getActiveJobIds().isEmpty))
    eventually(timeout(Span(20, Seconds)))(assert(Gate.interrupted.getCount == 0, "its slot is free at once"))
  }

  test("a deadline that has passed, and an error of 1, answer without any partition") {
    for (bound <- Seq(Bound.deadline(Duration.ZERO), Bound.error(1))) {
      val answer = Approximate.count(numbers(Seq.fill(4)(5)), bound, 0.95)
      assert(answer.value.low == 0 && answer.value.high.isInfinite || answer.share > 0)
    }
    assert(Approximate.count(sc.emptyRDD[Int], Bound.error(0), 0.95).value == new Estimate(0, 0, 0))
  }

  test("local properties are as before") {
    sc.setLocalProperty("spark.job.interruptOnCancel", "false")
    try {
      Approximate.count(numbers(Seq(1)), Bound.error(0.5), 0.95)
      assert(sc.getLocalProperty("spark.job.interruptOnCancel") == "false")
      assert(Seq("deadline", "error", "partial").forall(key => sc.getLocalProperty(s"holdfast.$key") == null))
    } finally sc.setLocalProperty("spark.job.interruptOnCancel", null)
  }

  test("combined by a function; what a task throws is thrown") {
    val sum = Approximate.aggregate[Double, java.lang.Double](
      numbers(Seq(1, 2, 3)),
      0.0,
      (sum, x) => sum + x,
      (a, b) => a + b,
      Bound.error(0),
      0.95
    )
    assert(sum.value == 6)
    val failing = sc.parallelize(0 until 2, 2).map[Double](_ => sys.error("no such number"))
    val thrown = intercept[SparkException](Approximate.sum(failing, Bound.error(0.4), 0.95))
    assert(thrown.getMessage.contains("no such number"))
  }

  test("an interrupted caller cancels its job") {
    val gate = new CountDownLatch(1)
    val caller = Thread.currentThread
    val other = new Thread(() => {
      while (sc.statusTracker.getActiveJobIds().isEmpty) Thread.sleep(10)
      caller.interrupt()
      gate.countDown()
    })
    other.start()
    val slow = sc.parallelize(0 until 2, 2).map { _ =>
      Gate.forever()
      1.0
    }
    intercept[InterruptedException](Approximate.sum(slow, Bound.error(0), 0.95))
    gate.await()
    eventually(timeout(Span(20, Seconds)))(assert(sc.statusTracker.getActiveJobIds().isEmpty))
  }

  test("bad bounds are refused by what is wrong with them") {
    for (bad <- Seq(-0.1, 1.1, Double.NaN))
      assert(intercept[IllegalArgumentException](Bound.error(bad)).getMessage.contains(s"error $bad"))
    val past = intercept[IllegalArgumentException](Bound.deadline(Duration.ofMillis(-5)))
    assert(past.getMessage.contains("deadline -5 ms"))
    val rdd = numbers(Seq(1))
    val confidence = intercept[IllegalArgumentException](Approximate.count(rdd, Bound.error(0), 2))
    assert(confidence.getMessage.contains("confidence 2"))
  }

  test("the interval holds the true value about as often as it says, where elements lie by chance") {
    val (runs, partitions, left) = (1000, 10, 0.4)
    val random = new Random(1)
    val held = Array(0, 0, 0)
    (1 to runs).foreach { _ =>
      // Elements go to partitions by chance.
      val elements = Seq.fill(300)(random.nextGaussian() * 2 + 10)
      val parts = elements.groupBy(_ => random.nextInt(partitions))
      val rdd = sc.parallelize(0 until partitions, partitions).flatMap(i => parts.getOrElse(i, Nil))
      val bound = Bound.error(left)
      val answers = Seq(
        Approximate.count(rdd, bound, 0.95) -> elements.length.toDouble,
        Approximate.sum(rdd, bound, 0.95) -> elements.sum,
        Approximate.mean(rdd, bound, 0.95) -> elements.sum / elements.length
      )
      answers.zipWithIndex.foreach { case ((answer, truth), i) =>
        if (answer.value.low <= truth + 1e-9 && truth - 1e-9 <= answer.value.high) held(i) += 1
      }
    }
    info(s"count, sum, mean: ${held.mkString(", ")} of $runs")
    assert(held.forall(_ >= 0.93 * runs), held.mkString(", "))
  }
}

private object ApproximateSpec {
  val zero: java.lang.Integer = 0
  val add: org.apache.spark.api.java.function.Function2[java.lang.Integer, Double, java.lang.Integer] = (n, _) => n + 1

  /** Counts partitions, and fails on one that comes twice. */
  class Once extends Evaluator[java.lang.Integer, Int] {
    var seen: Set[Int] = Set.empty

    override def merge(partition: Int, result: java.lang.Integer): Unit = {
      require(!seen(partition), s"partition $partition comes twice")
      seen += partition
    }

    override def result(): Int = seen.size
  }
}

/** Where tasks of this process wait. */
private object Gate {
  val interrupted = new CountDownLatch(1)

  def await(): Unit =
    try Thread.sleep(60000)
    catch {
      case e: InterruptedException =>
        interrupted.countDown()
        throw e
    }

  def forever(): Unit = Thread.sleep(60000)
}
