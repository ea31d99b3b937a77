package io.holdfast.integration.programs

import java.util.SplittableRandom

import org.apache.spark.{HashPartitioner, SparkEnv, TaskContext}
import org.apache.spark.rdd.RDD

/** Programs whose tasks sleep: only slots are scarce, not the CPU, so their times say what a slot is worth. */
object Sleeping {
  private val Phases = 5
  private val Three = 3
  private val ManyPhases = 12

  /** Four waves on the half of eight slots. */
  val PhasesWidth = 16
  private val MeanMs = 1000L
  private val WarmUpMs = 50L

  /** Of task durations with stragglers. */
  private val LeastMs = 300L
  private val ShortMs = 150L
  private val Alpha = 1.6
  private val Cap = 20.0
  private val MarathonS = 330L
  private val PauseS = 600L

  /** How much longer a task takes on an executor other than the one that has its partition cached. */
  private val RemotePenalty = 3

  /** One Spark job of five phases with shuffles between; each task sleeps 1 s +- 50 %. */
  def chain(context: Context): Unit = {
    val mean = meanOf(context)
    val seed = context.seed
    shuffled(context)((phase, i) => sleep(mean, seed, phase, i))
  }

  /** Three phases with a shuffle between, each task sleeps 1 s (Fig. 13 of ICDCS'17 has such a job). */
  def phases(context: Context): Unit = {
    val mean = meanOf(context)
    shuffled(context, Three, PhasesWidth)((_, _) => Thread.sleep(mean))
  }

  /** The same with durations as production clusters have them: Pareto, at least 300 ms, at most 20 times that. An attempt draws
    * its own, so that a copy of a straggler is as good as any other task.
    */
  def stragglers(context: Context): Unit = withStragglers(context, Phases, LeastMs)

  /** Twelve shorter phases of such tasks, so that one run shows what it costs to lose one barrier or many. */
  def barriers(context: Context): Unit = withStragglers(context, ManyPhases, ShortMs)

  private def withStragglers(context: Context, phases: Int, leastMs: Long): Unit = {
    val least = if (context.warmUp) WarmUpMs else leastMs
    val seed = context.seed
    shuffled(context, phases, context.width) { (phase, i) =>
      val draw = uniform(seed, phase, i + 1000 * TaskContext.get().attemptNumber())
      Thread.sleep((least * math.min(Cap, math.pow(1 - draw, -1 / Alpha))).toLong)
    }
  }

  /** That again and again, for longer than five minutes. */
  def marathon(context: Context): Unit = {
    val until = System.nanoTime() + (if (context.warmUp) 0L else MarathonS * 1000000000L)
    Iterator
      .from(0)
      .map(round => stragglers(context.copy(seed = context.seed + 100 * round)))
      .takeWhile(_ => System.nanoTime() < until)
      .foreach(identity)
  }

  /** Half an hour in which each of the three comes once: the important job of a cluster that has others to do, too. */
  def occasional(context: Context): Unit =
    Seq[Context => Unit](chain, stragglers, chainCached).foreach { program =>
      val next = System.nanoTime() + (if (context.warmUp) 0L else PauseS * 1000000000L)
      program(context)
      Thread.sleep(math.max(0L, next - System.nanoTime()) / 1000000L)
    }

  /** Phases with shuffles between, of `work` by phase and partition. */
  private def shuffled(context: Context, phases: Int = Phases, width: Int = Workload.Partitions)(
      work: (Int, Int) => Unit
  ): Unit = {
    val first: RDD[Int] = context.spark.sparkContext
      .parallelize(0 until width, width)
      .mapPartitionsWithIndex { (i, rows) => work(0, i); rows }
    (1 until phases)
      .foldLeft(first) { (rdd, phase) =>
        rdd
          .map(k => (k, ()))
          .partitionBy(new HashPartitioner(width))
          .keys
          .mapPartitionsWithIndex { (i, rows) => work(phase, i); rows }
      }
      .count()
    ()
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
    Thread.sleep((mean * (0.5 + uniform(seed, phase, index))).toLong)

  private def uniform(seed: Long, phase: Int, index: Int): Double =
    new SplittableRandom(seed * 1000003 + phase * 1009 + index).nextDouble()
}
