package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.scheduler._

/** Ends of jobs and of SQL executions: only to clean up, since listeners hear late. */
private[spark] class HoldfastListener(scheduler: HoldfastOverrides) extends SparkListener {

  override def onJobEnd(end: SparkListenerJobEnd): Unit =
    try scheduler.jobEnded(end.jobId, end.jobResult == JobSucceeded)
    catch { case Survivable(e) => scheduler.session.fail("job ended", e) }

  // The classes of these events may be missing, so they are known by name only.
  override def onOtherEvent(event: SparkListenerEvent): Unit = {
    import HoldfastListener._
    val name = event.getClass.getName
    if (Heard(name))
      try
        name match {
          case ExecutionEnd => scheduler.session.executionEnded(of(event, "executionId").asInstanceOf[Long])
          case StatementStart =>
            scheduler.session.statement(text(event, "id"), text(event, "groupId"), text(event, "userName"))
          case OperationStart =>
            scheduler.session.operation(text(event, "operationId"), text(event, "jobTag"), text(event, "statementText"))
          case OperationClosed => scheduler.session.statement(text(event, "operationId"), null, null)
          case _ => scheduler.session.statement(text(event, "id"), null, null)
        }
      catch {
        case Survivable(e) => scheduler.session.fail(s"event $name", e)
      }
  }
}

private object HoldfastListener {
  val ExecutionEnd = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd"
  private val Thrift = "org.apache.spark.sql.hive.thriftserver.ui.SparkListenerThriftServerOperation"
  val StatementStart: String = Thrift + "Start"
  private val StatementClosed = Thrift + "Closed"
  private val Connect = "org.apache.spark.sql.connect.service.SparkListenerConnectOperation"
  val OperationStart: String = Connect + "Started"
  val OperationClosed: String = Connect + "Closed"
  val Heard: Set[String] = Set(ExecutionEnd, StatementStart, StatementClosed, OperationStart, OperationClosed)

  private def of(event: SparkListenerEvent, field: String): Any = event.getClass.getMethod(field).invoke(event)

  private def text(event: SparkListenerEvent, field: String): String = of(event, field).asInstanceOf[String]
}
