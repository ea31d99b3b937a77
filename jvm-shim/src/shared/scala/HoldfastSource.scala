package org.apache.spark.scheduler.holdfast.sparkline

import com.codahale.metrics.{Gauge, MetricRegistry}

import _root_.io.holdfast.Session
import org.apache.spark.metrics.source.Source

/** The session's counters in Spark's metrics system: `<application>.driver.holdfast.<counter>`. */
private[spark] class HoldfastSource(session: Session) extends Source {
  override val sourceName: String = "holdfast"
  override val metricRegistry: MetricRegistry = new MetricRegistry

  session.counters.keySet.forEach { name =>
    metricRegistry.register(
      name,
      new Gauge[Number] {
        override def getValue: Number = session.counters.get(name)
      }
    )
    ()
  }
}
