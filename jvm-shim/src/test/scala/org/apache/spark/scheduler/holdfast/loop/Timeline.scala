package org.apache.spark.scheduler.holdfast.loop

import scala.collection.mutable

import org.apache.spark.util.ManualClock

/** Events in virtual time, in milliseconds; those of one moment in the order in which they were planned. */
private[loop] class Timeline {
  private class Event(val at: Long, val number: Long, val body: () => Unit)

  // Spark takes a time of 0 for "not yet".
  val clock = new ManualClock(1000L)
  private val events =
    mutable.PriorityQueue.empty[Event](Ordering.by[Event, (Long, Long)](e => (e.at, e.number)).reverse)
  private var planned = 0L

  def now: Long = clock.getTimeMillis()

  def after(millis: Long)(body: => Unit): Unit = {
    events += new Event(now + millis, planned, () => body)
    planned += 1
  }

  /** When the next event is; `Long.MaxValue` if nothing is planned. */
  def next: Long = if (events.isEmpty) Long.MaxValue else events.head.at

  def moveTo(millis: Long): Unit = if (millis > now) clock.setTime(millis)

  /** The next event happens. */
  def run(): Unit = {
    val event = events.dequeue()
    moveTo(event.at)
    event.body()
  }
}
