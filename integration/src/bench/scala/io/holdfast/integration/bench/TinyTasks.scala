package io.holdfast.integration.bench

import java.lang.management.ManagementFactory

import org.apache.spark.{SparkConf, SparkContext}

import io.holdfast.integration.measure.{HoldfastStatus, Spread}

/** Jobs of 10,000 tasks with next to nothing to do, one after the other, on `local[2]`: no network between driver and tasks, so that
  * what scheduling costs is not hidden behind it. Nothing competes.
  *
  *   - [[Setting.Holdfast]]: the plugin, and nothing configured
  *   - [[Setting.HoldfastPool]]: the jobs run in a pool that has a priority, so that slots are held between them
  */
object TinyTasks {
  private[bench] val Tasks = 10000
  private val WarmUpJobs = 2
  private val MeasuredJobs = 2
  private val Pool = "important"

  def main(args: Array[String]): Unit = BenchCell.main(args) { spec =>
    val sc = new SparkContext(conf(spec))
    try {
      sc.setLocalProperty("spark.scheduler.pool", Pool)
      val measured = measure(sc)
      if (spec.setting.usesHoldfast) checkOn(spec.setting)
      measured
    } finally sc.stop()
  }

  private def conf(spec: CellSpec): SparkConf = {
    val conf = new SparkConf().setAll(spec.conf).setMaster("local[2]").setAppName("tiny tasks")
    if (spec.setting.usesHoldfast) conf.set("spark.plugins", "io.holdfast.HoldfastPlugin")
    if (spec.setting == Setting.HoldfastPool) conf.set(s"spark.holdfast.pool.$Pool.priority", "10")
    conf
  }

  private def measure(sc: SparkContext): Measured = {
    val rdd = sc.parallelize(1 to Tasks, Tasks)
    def job(): (Double, Double) = {
      val started = System.nanoTime()
      val cpu = cpuOfThreads()
      val count = rdd.count()
      if (count != Tasks) throw new IllegalStateException(s"counted $count of $Tasks")
      ((System.nanoTime() - started) / 1e9, used(cpu) / 1e9)
    }
    (1 to WarmUpJobs).foreach(_ => job())
    val jobs = (1 to MeasuredJobs).map(_ => job())
    Map("tasks_per_s" -> Tasks / Spread(jobs.map(_._1)).median, "cpu_s" -> Spread(jobs.map(_._2)).median)
  }

  /** CPU time by thread id: those of Java only, since compiler and collector take what they take by chance. */
  private def cpuOfThreads(): Map[Long, Long] = {
    val threads = ManagementFactory.getThreadMXBean
    threads.getAllThreadIds.map(id => id -> threads.getThreadCpuTime(id)).toMap.filter(_._2 >= 0)
  }

  private def used(since: Map[Long, Long]): Double =
    cpuOfThreads().map { case (id, now) => (now - since.getOrElse(id, 0L)).toDouble }.sum

  /** A cell that should run with Holdfast and does not would report stock's numbers under its name. */
  private def checkOn(setting: Setting): Unit = {
    val made = HoldfastStatus.read().holds.made
    if ((setting == Setting.HoldfastPool) != (made > 0))
      throw new IllegalStateException(s"$made slots were held under ${setting.name}")
  }
}
