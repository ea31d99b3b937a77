package io.holdfast.bridge

import io.holdfast.{Holdfast, HoldfastPlugin}
import org.apache.spark.{SparkConf, SparkContext}
import org.scalatest.funsuite.AnyFunSuite

/** In a JVM of its own: whether there is a library is decided once. */
class NoNativeLibrarySpec extends AnyFunSuite {
  private def conf = new SparkConf()
    .setMaster("local[2]")
    .setAppName("no native library")
    .set("spark.ui.enabled", "false")
    .set("spark.plugins", classOf[HoldfastPlugin].getName)
    .set("spark.holdfast.native.path", "/nowhere/libholdfast_jni.so")

  test("without a native library: one reason, Spark's own scheduling") {
    val sc = new SparkContext(conf)
    try {
      val scheduler = classOf[SparkContext].getMethod("taskScheduler").invoke(sc).getClass.getName
      assert(scheduler == "org.apache.spark.scheduler.TaskSchedulerImpl" && sc.master == "local[2]")
      assert(sc.parallelize(1 to 10, 4).sum() == 55.0)
      assert(Holdfast.status().contains("/nowhere/libholdfast_jni.so is not a file"))
    } finally sc.stop()
  }

  test("required: the application fails with the reason") {
    val failed = intercept[IllegalStateException](new SparkContext(conf.set("spark.holdfast.required", "true")))
    assert(failed.getMessage.contains("/nowhere/libholdfast_jni.so is not a file"))
  }
}
