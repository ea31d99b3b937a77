package org.apache.spark.scheduler.holdfast.sparkline

import java.lang.reflect.Field

import _root_.io.holdfast.notice.Notices
import _root_.io.holdfast.session.Stragglers
import org.apache.spark.partial.ApproximateActionListener
import org.apache.spark.scheduler.JobListener

/** Until when Spark's own approximate actions wait, such as `countApprox`. Spark keeps it to itself. */
private[holdfast] object Approximate {
  private val Names = Seq("startTime", "timeout")

  private lazy val fields: Seq[Field] =
    try {
      val found = Names.map(classOf[ApproximateActionListener[_, _, _]].getDeclaredField)
      if (found.forall(field => field.getType == java.lang.Long.TYPE && field.trySetAccessible())) found else missing
    } catch {
      case _: NoSuchFieldException => missing
    }

  private def missing: Seq[Field] = {
    Notices.warnOnce(
      Notices.About.SELF,
      s"this Spark's approximate actions have no fields ${Names.mkString(" and ")}: their jobs are scheduled as others"
    )
    Nil
  }

  /** For how long the answer is waited for: not above 0 for one that nobody waits for any more. */
  def leftMillis(listener: JobListener): Long = listener match {
    case action: ApproximateActionListener[_, _, _] if fields.nonEmpty =>
      // As Spark adds them: with the longest timeout that there is it does not wait at all.
      math.max(0, fields.map(_.getLong(action)).sum) - System.currentTimeMillis()
    case _ => Stragglers.UNBOUNDED
  }
}
