package io.holdfast.suites

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.{AtomicInteger, LongAdder}

/** What the suites do with our classes. Called by the code that [[Instrument]] puts into copies of them. */
object Calls {

  /** Every so many asks of our task set manager are refused: the negative control. */
  val Veto = "holdfast.suites.veto"

  private val counts = new ConcurrentHashMap[String, LongAdder]
  private val vetoEvery: Int = Integer.getInteger(Veto, 0)
  private val asks = new AtomicInteger

  /** @param what [[Instrument.Built]] and a class, or a method of ours */
  def count(what: String): Unit = counts.computeIfAbsent(what, _ => new LongAdder).increment()

  def vetoes(): Boolean = vetoEvery > 0 && asks.incrementAndGet() % vetoEvery == 0

  /** What Spark's task set manager answers for an excluded executor. */
  def refusal(): (Option[Nothing], Boolean, Int) = (None, false, -1)

  def snapshot(): Map[String, Long] = {
    var all = Map.empty[String, Long]
    counts.forEach((what, n) => all += what -> n.sum())
    all
  }
}
