package io.holdfast.integration.bench

import java.lang.management.ManagementFactory

import org.apache.spark.{SparkConf, SparkContext}

/** How long a driver takes until its SparkContext is there, in a JVM that does nothing else; and its constructor alone. On a busy
  * machine these scatter by more than the difference: so also the CPU time of the constructor's thread, on which all of ours runs.
  */
object StartUp {
  def main(args: Array[String]): Unit = BenchCell.main(args) { spec =>
    val conf = new SparkConf().setAll(spec.conf).setMaster("local[2]").setAppName("start-up")
    if (spec.setting.usesHoldfast) conf.set("spark.plugins", "io.holdfast.HoldfastPlugin")
    val threads = ManagementFactory.getThreadMXBean
    val (begun, used) = (System.nanoTime(), threads.getCurrentThreadCpuTime)
    val sc = new SparkContext(conf)
    val (constructor, cpu) = (System.nanoTime() - begun, threads.getCurrentThreadCpuTime - used)
    val all = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean.getStartTime
    try {
      val scheduler = sc.getClass.getMethod("taskScheduler").invoke(sc).getClass.getName
      val expected = if (spec.setting.usesHoldfast) spec.scheduler else "org.apache.spark.scheduler.TaskSchedulerImpl"
      if (scheduler != expected) throw new IllegalStateException(s"$scheduler schedules under ${spec.settingName}")
    } finally sc.stop()
    Map("ready_ms" -> all.toDouble, "constructor_ms" -> constructor / 1e6, "constructor_cpu_ms" -> cpu / 1e6)
  }
}
