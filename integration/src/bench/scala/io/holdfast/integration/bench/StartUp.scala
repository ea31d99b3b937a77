package io.holdfast.integration.bench

import java.lang.management.ManagementFactory

import org.apache.spark.{SparkConf, SparkContext}

/** How long a driver takes until its SparkContext is there, in a JVM that does nothing else; and its constructor alone. */
object StartUp {
  def main(args: Array[String]): Unit = BenchCell.main(args) { spec =>
    val conf = new SparkConf().setAll(spec.conf).setMaster("local[2]").setAppName("start-up")
    if (spec.setting.usesHoldfast) conf.set("spark.plugins", "io.holdfast.HoldfastPlugin")
    val begun = System.nanoTime()
    val sc = new SparkContext(conf)
    val constructor = System.nanoTime() - begun
    val all = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean.getStartTime
    try {
      val scheduler = sc.getClass.getMethod("taskScheduler").invoke(sc).getClass.getName
      val expected = if (spec.setting.usesHoldfast) spec.scheduler else "org.apache.spark.scheduler.TaskSchedulerImpl"
      if (scheduler != expected) throw new IllegalStateException(s"$scheduler schedules under ${spec.settingName}")
    } finally sc.stop()
    Map("ready_ms" -> all.toDouble, "constructor_ms" -> constructor / 1e6)
  }
}
