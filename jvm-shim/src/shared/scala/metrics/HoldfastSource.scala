package org.apache.spark.scheduler.holdfast.sparkline

import java.util.concurrent.TimeUnit

import com.codahale.metrics.{Gauge, MetricRegistry}

import _root_.io.holdfast.session.Session
import org.apache.spark.metrics.source.Source

/** The session's counters in Spark's metrics system, `<application>.driver.holdfast.<counter>`, and the sums of
  * workflows and users. Reading a counter finds the workflows that are new, so that nothing is done where nobody reads.
  */
private[spark] class HoldfastSource(session: Session) extends Source {
  override val sourceName: String = "holdfast"
  override val metricRegistry: MetricRegistry = new MetricRegistry

  /** Of workflows and users, by their metrics' names; as read last, which is at most once a second. */
  @volatile private var sums = java.util.Map.of[String, Number]()
  private var readAt = System.nanoTime()

  session.counters.keySet.forEach { name =>
    show(
      name, {
        refresh()
        session.counters.get(name)
      }
    )
  }

  private def show(name: String, value: => Number): Unit = {
    metricRegistry.register(
      name,
      new Gauge[Number] {
        // A reporter shows all sources in one go: an error here would take Spark's own from it.
        override def getValue: Number =
          try value
          catch { case Survivable(_) => 0 }
      }
    )
    ()
  }

  private def refresh(): Unit = synchronized {
    val now = System.nanoTime()
    if (now - readAt >= TimeUnit.SECONDS.toNanos(1)) {
      readAt = now
      val (before, latest) = (sums, session.sums)
      // At the end the last ones stay.
      if (!latest.isEmpty) {
        sums = latest
        before.keySet.forEach(name => if (!latest.containsKey(name)) metricRegistry.remove(name): Unit)
        latest.keySet.forEach(name => if (!before.containsKey(name)) show(name, sums.getOrDefault(name, 0)))
      }
    }
  }
}
