package org.apache.spark.scheduler.holdfast.sparkline

import scala.util.control.ControlThrowable

/** What goes wrong in code of ours and must not become one of Spark's errors. On a patched Spark a class or a method may be
  * missing; memory may be short for what we do and not for what Spark does.
  */
private[sparkline] object Survivable {
  def unapply(e: Throwable): Option[Throwable] = e match {
    case _: ControlThrowable | _: InterruptedException | _: ThreadDeath => None
    case _ => Some(e)
  }
}
