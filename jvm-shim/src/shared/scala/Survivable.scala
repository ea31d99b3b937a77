package org.apache.spark.scheduler.holdfast.sparkline

import scala.util.control.NonFatal

/** What goes wrong in code of ours and must not become one of Spark's errors: on a patched Spark a class or a method may
  * be missing, too.
  */
private[sparkline] object Survivable {
  def unapply(e: Throwable): Option[Throwable] = e match {
    case NonFatal(_) | _: LinkageError => Some(e)
    case _ => None
  }
}
