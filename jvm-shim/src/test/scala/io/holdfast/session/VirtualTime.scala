package io.holdfast.session

import java.util.concurrent.TimeUnit

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._

import io.holdfast.bridge.Wake
import io.holdfast.config.Settings
import io.holdfast.history.History
import org.apache.hadoop.conf.Configuration

/** A session in virtual time: nobody waits, and whoever drives it asks when something is due.
  *
  * @param lagMillis
  *   how late the ticker is
  */
final class VirtualTime(nanos: () => Long, lagMillis: Long) extends Timekeeper {
  private var kept = Option.empty[(Session, Wake)]
  private var history = Option.empty[History]

  override def nanoTime(): Long = nanos()

  override def keep(session: Session, wake: Wake): Unit = kept = Some((session, wake))

  /** Tests read whole logs, however busy the machine is. */
  override def patienceMillis(): Long = VirtualTime.LongestWriteMillis

  /** A session on this time, configured like an application. */
  def session(conf: Map[String, String], spark: SparkSide): Session = {
    val settings = Settings.parse(conf.asJava)
    val past = History.of(settings, VirtualTime.hadoop)
    history = Some(past)
    new Session(settings, "in the loop", past, spark, this)
  }

  /** Waits, in real time, for the thread that reads what earlier sessions have left. */
  def awaitHistory(): Unit = {
    val until = System.nanoTime() + VirtualTime.LongestReadNanos
    while (history.forall(_.known() == 0)) {
      if (System.nanoTime() > until) throw new IllegalStateException("there is no history")
      Thread.sleep(1)
    }
  }

  /** When the session has to be called at the latest, in whole milliseconds; `Long.MaxValue` for never. */
  def dueMillis: Long = kept match {
    case Some((_, wake)) if wake.deadline != Long.MaxValue =>
      Math.floorDiv(wake.deadline + VirtualTime.NanosPerMilli - 1, VirtualTime.NanosPerMilli) + lagMillis
    case _ => Long.MaxValue
  }

  /** Does what is due or wanted now, as the ticker does it. */
  def serve(): Unit = kept.foreach { case (session, wake) => serve(session, wake, VirtualTime.MostCalls) }

  @tailrec private def serve(session: Session, wake: Wake, calls: Int): Unit = {
    val call = wake.take(nanos() - lagMillis * VirtualTime.NanosPerMilli)
    if (call.due || call.reoffer) {
      if (calls == 0) throw new IllegalStateException("time stands still: there is always something due")
      Ticker.serve(session, call)
      serve(session, wake, calls - 1)
    }
  }
}

private object VirtualTime {
  lazy val hadoop = new Configuration
  val NanosPerMilli: Long = TimeUnit.MILLISECONDS.toNanos(1)

  /** One moment's: a call may make the next one due. */
  val MostCalls = 1000
  val LongestWriteMillis: Long = TimeUnit.MINUTES.toMillis(2)
  val LongestReadNanos: Long = TimeUnit.SECONDS.toNanos(30)
}
