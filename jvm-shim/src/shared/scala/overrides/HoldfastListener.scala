package org.apache.spark.scheduler.holdfast.sparkline

import io.holdfast.notice.Notices
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
            for (Seq(id, group, user) <- texts(event, "id", "groupId", "userName"))
              scheduler.session.statement(id, group, user)
          case OperationStart =>
            for (Seq(id, tag, plan) <- texts(event, "operationId", "jobTag", "statementText"))
              scheduler.session.operation(id, tag, plan)
          case OperationClosed =>
            for (Seq(id) <- texts(event, "operationId")) scheduler.session.statement(id, null, null)
          case _ => for (Seq(id) <- texts(event, "id")) scheduler.session.statement(id, null, null)
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

  /** What names a statement, for which nothing else is given up: a vendor's event may not have it. */
  private def texts(event: SparkListenerEvent, fields: String*): Option[Seq[String]] =
    try Some(fields.map(of(event, _).asInstanceOf[String]))
    catch {
      case Survivable(e) =>
        val what = s"this Spark's ${event.getClass.getName} cannot be read ($e)"
        Notices.warnOnce(Notices.About.SELF, s"$what: Holdfast does not know its statements by user and text")
        None
    }
}
