package org.apache.spark.scheduler.holdfast.bench

import java.lang.management.ManagementFactory

import org.apache.spark.{SparkConf, SparkContext}
import org.apache.spark.scheduler.WorkerOffer
import org.apache.spark.scheduler.holdfast.bench.RefusedRound._
import _root_.io.holdfast.integration.measure.{HoldfastStatus, Spread}
import _root_.io.holdfast.integration.bench.{BenchCell, CellSpec, Measured, Setting}

/** One `resourceOffers` round in which 50 waiting task sets get nothing of 1000 executors with 4 slots.
  *
  *   - Holdfast: a workflow of priority 10 is at the barrier of a stage of 4000 tasks that 4000 more will follow. One task still
  *     runs; the 3999 other slots are free, offered, and held. The decision log is on.
  *   - stock: it refuses no free slot, so its round in which nobody gets anything is the one with nothing free. The same stage runs
  *     its 4000 tasks; the 1000 executors are offered with 0 free cores.
  *   - stock without the important job ([[Setting.StockIdle]]): the same offers, and nothing else runs.
  *
  * The scheduler, the DAG scheduler, jobs and task sets are real; executors are only offers.
  */
object RefusedRound {
  private[bench] val Executors = 1000
  private[bench] val Slots = 4
  private[bench] val WaitingSets = 50
  private[bench] val TasksPerSet = 100
  private val WarmUpRounds = 2000
  private val MeasuredRounds = 200
  private val AskedRounds = 50

  /** Rounds with one executor are short: more of them. */
  private val Shorter = 100

  private val Important = "important"
  private val Waiting = "waiting"

  def main(args: Array[String]): Unit = BenchCell.main(args) { spec =>
    val sc = new SparkContext(conf(spec))
    try new RefusedRound(sc, spec).run()
    finally sc.stop()
  }

  private def conf(spec: CellSpec): SparkConf = {
    val conf = new SparkConf().setAll(spec.conf).setMaster(PuppetManager.Master).setAppName("refused round")
    if (spec.setting.usesHoldfast) {
      conf
        .set(PuppetManager.SchedulerKey, spec.scheduler)
        .set(s"spark.holdfast.pool.$Important.priority", "10")
        .set("spark.holdfast.hold.max", "1h") // no hold may end while rounds are measured
        .set("spark.holdfast.copies", "off") // nor be used for a copy of the task that runs on
        .set("spark.holdfast.log.dir", spec.folder)
    } else conf.set(PuppetManager.SchedulerKey, "stock")
  }
}

private class RefusedRound(sc: SparkContext, spec: CellSpec) {
  private val cluster = new PuppetCluster(sc)
  private val width = Executors * Slots
  private val holding = spec.setting.usesHoldfast

  def run(): Measured = {
    val occupied = if (spec.setting == Setting.StockIdle) 0 else occupy()
    submitWaiting()
    val offers = (0 until Executors).map(i => cluster.offer(i, if (holding) free(i) else 0))
    val all = measure(offers, WarmUpRounds, MeasuredRounds)
    val one = measure(offers.take(1), MeasuredRounds * Shorter, MeasuredRounds * Shorter)
    val asked = if (holding) askedForEach(offers) else Map.empty[String, Double]
    checkHeld(occupied)
    named("all", all) ++ named("one_executor", one) ++ named("asked", asked)
  }

  private def named(phase: String, values: Measured): Measured = values.map { case (k, v) => s"${phase}_$k" -> v }

  /** The executor with the one task that still runs. */
  private def free(executor: Int): Int = if (executor == Executors - 1) Slots - 1 else Slots

  /** The important stage takes every slot; under Holdfast all of its tasks but one end. Answers the slots it keeps. */
  private def occupy(): Int = {
    sc.setLocalProperty("spark.scheduler.pool", Important)
    sc.parallelize(1 to width, width).map(i => (i, i)).groupByKey(width).countAsync()
    sc.setLocalProperty("spark.scheduler.pool", null)
    await("the important task set")(cluster.sets == 1)
    val launched = cluster.round((0 until Executors).map(cluster.offer(_, Slots)))
    check(launched.size == width, s"${launched.size} of $width tasks launched")
    if (holding) {
      val straggler = launched.find(_.executorId == cluster.offer(Executors - 1, 0).executorId).get
      launched.filter(_ ne straggler).foreach(cluster.finishMapTask(_, width))
      await("results")(cluster.succeeded(straggler.name.toStage) == width - 1)
      width - 1
    } else width
  }

  private implicit class StageOfTask(name: String) {

    /** Of "task 0.0 in stage 3.0 (TID 17)". */
    def toStage: Int = name.split("stage ")(1).takeWhile(_.isDigit).toInt
  }

  private def submitWaiting(): Unit = {
    val before = cluster.sets
    sc.setJobGroup(Waiting, "waits for a slot")
    val rdd = sc.parallelize(1 to TasksPerSet, TasksPerSet)
    (1 to WaitingSets).foreach(_ => rdd.countAsync())
    sc.clearJobGroup()
    await("the waiting task sets")(cluster.sets == before + WaitingSets)
  }

  /** Holdfast's dearest refusal: a slot that nobody holds is free on an executor outside the round, so that no set can leave the
    * round as a whole and each is refused executor by executor, locality level by locality level.
    */
  private def askedForEach(offers: IndexedSeq[WorkerOffer]): Measured = {
    val before = cluster.sets - WaitingSets
    sc.cancelJobGroup(Waiting)
    await("the waiting task sets' end")(cluster.sets == before)
    check(cluster.round(IndexedSeq(cluster.offer(Executors, Slots))).isEmpty, "nobody should wait now")
    submitWaiting()
    measure(offers, AskedRounds, AskedRounds) // 100,000 asks in each
  }

  private def measure(offers: IndexedSeq[WorkerOffer], warmUp: Int, rounds: Int): Measured = {
    val threads = ManagementFactory.getThreadMXBean
    val nanos = new Array[Double](rounds)
    (1 to warmUp).foreach(_ => refused(offers))
    val cpu = threads.getCurrentThreadCpuTime
    nanos.indices.foreach { i =>
      val started = System.nanoTime()
      refused(offers)
      nanos(i) = (System.nanoTime() - started).toDouble
    }
    val used = threads.getCurrentThreadCpuTime - cpu
    Map("us" -> Spread(nanos.toSeq).median / 1e3, "cpu_us" -> used / 1e3 / rounds)
  }

  private def refused(offers: IndexedSeq[WorkerOffer]): Unit = {
    val launched = cluster.round(offers)
    if (launched.nonEmpty) throw new IllegalStateException(s"not refused: ${launched.head.name}")
  }

  private def checkHeld(expected: Int): Unit = if (holding) {
    val holds = HoldfastStatus.read().holds
    check(holds.left == expected && holds.made == expected, s"holds are $holds instead of $expected")
  }

  private def await(what: String)(done: => Boolean): Unit = {
    val until = System.nanoTime() + 60L * 1000 * 1000 * 1000
    while (!done) {
      check(System.nanoTime() < until, s"$what did not appear within a minute")
      Thread.sleep(5)
    }
  }

  private def check(holds: Boolean, message: => String): Unit = if (!holds) throw new IllegalStateException(message)
}
