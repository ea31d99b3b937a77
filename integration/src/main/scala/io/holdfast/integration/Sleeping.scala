package io.holdfast.integration

import java.util.SplittableRandom

import org.apache.spark.{HashPartitioner, SparkEnv}
import org.apache.spark.rdd.RDD

/** Programs whose tasks sleep: only slots are scarce, not the CPU, so their times say what a slot is worth. */
object Sleeping {
  private val Phases = 5
  private val MeanMs = 1000L
  private val WarmUpMs = 50L

  /** How much longer a task takes on an executor other than the one that has its partition cached. */
  private val RemotePenalty = 3

  /** One Spark job of five phases with shuffles between; each task sleeps 1 s +- 50 %. */
  def chain(context: Context): Unit = {
    val mean = meanOf(context)
    val seed = context.seed
    val first: RDD[Int] = context.spark.sparkContext
      .parallelize(0 until Workload.Partitions, Workload.Partitions)
      .mapPartitionsWithIndex { (i, rows) => sleep(mean, seed, 0, i); rows }
    (1 until Phases)
      .foldLeft(first) { (rdd, phase) =>
        rdd
          .map(k => (k, ()))
          .partitionBy(new HashPartitioner(Workload.Partitions))
          .keys
          .mapPartitionsWithIndex { (i, rows) => sleep(mean, seed, phase, i); rows }
      }
      .count()
  }

  /** An iterative program over a cached RDD: one Spark job fills the cache, then one per phase reads it. Each partition remembers the
    * executor that cached it; a task elsewhere sleeps three times as long.
    */
  def chainCached(context: Context): Unit = {
    val mean = meanOf(context)
    val seed = context.seed
    val cached = context.spark.sparkContext
      .parallelize(0 until Workload.Partitions, Workload.Partitions)
      .mapPartitionsWithIndex { (i, _) => sleep(mean, seed, 0, i); Iterator.single(SparkEnv.get.executorId) }
      .cache()
    cached.count()
    (1 until Phases).foreach { phase =>
      cached
        .mapPartitionsWithIndex { (i, home) =>
          sleep(if (home.next() == SparkEnv.get.executorId) mean else mean * RemotePenalty, seed, phase, i)
          Iterator.single(i)
        }
        .count()
    }
    cached.unpersist()
  }

  private def meanOf(context: Context): Long = if (context.warmUp) WarmUpMs else MeanMs

  private def sleep(mean: Long, seed: Long, phase: Int, index: Int): Unit =
    Thread.sleep((mean * (0.5 + new SplittableRandom(seed * 1000003 + phase * 1009 + index).nextDouble())).toLong)
}
