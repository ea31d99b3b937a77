package org.apache.spark.scheduler.holdfast.sparkline

import java.lang.reflect.Method

/** The SQL executions that run. spark-sql may be missing, so its classes are not known here. */
private[holdfast] object Executions {
  private val Companion = "org.apache.spark.sql.execution.SQLExecution$"

  /** The companion and its method that finds an execution until it ends. */
  private lazy val find: Option[(AnyRef, Method)] =
    try {
      val companion = Class.forName(Companion, true, Thread.currentThread.getContextClassLoader)
      Some((companion.getField("MODULE$").get(null), companion.getMethod("getQueryExecution", java.lang.Long.TYPE)))
    } catch {
      case Survivable(_) => None
    }

  /** Returns whether it has not ended; true when that cannot be known. */
  def runs(id: Long): Boolean = find.forall { case (companion, method) =>
    method.invoke(companion, Long.box(id)) != null
  }
}
