package org.apache.spark.scheduler.holdfast.loop

import scala.collection.mutable

import org.apache.spark.util.ManualClock

/** Events in virtual time, in milliseconds; those of one moment in the order in which they were planned. */
private[loop] class Timeline {
  final class Event private[Timeline] (val at: Long, val number: Long, val body: () => Unit) {
    private[Timeline] var cancelled = false

    /** It does not happen. */
    def cancel(): Unit = cancelled = true
  }

  val clock = new ManualClock(Timeline.Start)
  private val events =
    mutable.PriorityQueue.empty[Event](Ordering.by[Event, (Long, Long)](e => (e.at, e.number)).reverse)
  private var planned = 0L

  def now: Long = clock.getTimeMillis()

  /** Since the run began. */
  def elapsed: Long = now - Timeline.Start

  def after(millis: Long)(body: => Unit): Event = {
    val event = new Event(now + millis, planned, () => body)
    events += event
    planned += 1
    event
  }

  /** When the next event is; `Long.MaxValue` if nothing is planned. */
  def next: Long = {
    while (events.nonEmpty && events.head.cancelled) events.dequeue()
    if (events.isEmpty) Long.MaxValue else events.head.at
  }

  def moveTo(millis: Long): Unit = if (millis > now) clock.setTime(millis)

  /** The next event happens: the one of [[next]]. */
  def run(): Unit = {
    val event = events.dequeue()
    moveTo(event.at)
    event.body()
  }
}

private[loop] object Timeline {

  /** Spark takes a time of 0 for "not yet". */
  val Start = 1000L
}
