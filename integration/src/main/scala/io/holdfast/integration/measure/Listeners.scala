package io.holdfast.integration.measure

import org.apache.spark.SparkContext

object Listeners {

  /** Waits until the listeners have seen every event; the method is Spark's own and private to it in Scala only. */
  def drain(sc: SparkContext): Unit = {
    val bus = sc.getClass.getMethod("listenerBus").invoke(sc)
    bus.getClass.getMethod("waitUntilEmpty").invoke(bus)
    ()
  }
}
