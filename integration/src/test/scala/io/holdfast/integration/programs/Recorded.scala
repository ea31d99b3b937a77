package io.holdfast.integration.programs

import io.holdfast.integration.measure.{Listeners, Recorder, Timeline}
import org.apache.spark.{SparkConf, SparkContext}

/** Something that runs in the foreground's pool of a Spark of four slots, and what came of it. */
private[integration] object Recorded {
  def apply(widest: Int)(run: SparkContext => Unit): Timeline = {
    val conf = new SparkConf(false)
      .setMaster("local[4]")
      .setAppName("recorded")
      .set("spark.ui.enabled", "false")
      .set("spark.extraListeners", classOf[Recorder].getName)
    val sc = new SparkContext(conf)
    try {
      sc.setLocalProperty("spark.scheduler.pool", Recorder.Foreground)
      val arrived = System.currentTimeMillis()
      run(sc)
      val ended = System.currentTimeMillis()
      Listeners.drain(sc)
      Recorder.current.awaitQuiet()
      Recorder.current.timeline(widest, arrived, ended)
    } finally sc.stop()
  }
}
