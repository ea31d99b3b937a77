package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.scheduler._

/** Ends of jobs and of SQL executions: only to clean up, since listeners hear late. */
private[spark] class HoldfastListener(scheduler: HoldfastOverrides) extends SparkListener {

  override def onJobEnd(end: SparkListenerJobEnd): Unit =
    scheduler.jobEnded(end.jobId, end.jobResult == JobSucceeded)

  override def onOtherEvent(event: SparkListenerEvent): Unit =
    if (event.getClass.getName == HoldfastListener.ExecutionEnd) {
      // spark-sql may be missing, so the class is not known here.
      try {
        val id = event.getClass.getMethod("executionId").invoke(event).asInstanceOf[Long]
        scheduler.session.executionEnded(id)
      } catch {
        case Survivable(e) => scheduler.session.fail("end of a SQL execution", e)
      }
    }
}

private object HoldfastListener {
  val ExecutionEnd = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd"
}
