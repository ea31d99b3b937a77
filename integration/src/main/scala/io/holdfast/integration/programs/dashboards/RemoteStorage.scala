package io.holdfast.integration.programs.dashboards

import java.util.SplittableRandom

import org.apache.spark.TaskContext
import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{Cast, Expression, ExpressionInfo, ScalaUDF}
import org.apache.spark.sql.types.{DoubleType, LongType}

/** Gives every session the SQL function `remote_read(value, least, most)`: `value`, a whole number, as from a remote store. The first
  * row of each task waits for a time between the two, in seconds; it needs a slot and no processor meanwhile.
  */
final class RemoteStorage extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    val name = RemoteStorage.Name
    val info = new ExpressionInfo(classOf[RemoteStorage].getName, name)
    extensions.injectFunction((FunctionIdentifier(name), info, RemoteStorage.expression))
  }
}

object RemoteStorage {
  private val Name = "remote_read"

  /** The attempt whose first row has been read, in each of an executor's threads. */
  private val waited = ThreadLocal.withInitial[java.lang.Long](() => -1L)

  private val read: (Long, Double, Double) => Long = (value, least, most) => {
    val task = TaskContext.get()
    if (task != null && task.taskAttemptId() != waited.get) {
      waited.set(task.taskAttemptId())
      val drawn = new SplittableRandom(task.stageId() * 1000003L + task.partitionId()).split().nextDouble()
      Thread.sleep(math.round(1000 * (least + (most - least) * drawn)))
    }
    value
  }

  private def expression(arguments: Seq[Expression]): Expression = {
    require(arguments.size == 3, s"$Name takes a value and two times in seconds, such as $Name(l_orderkey, 2, 5)")
    val typed = arguments.zip(Seq(LongType, DoubleType, DoubleType)).map { case (a, t) => Cast(a, t) }
    // Not a constant, and not to be pushed below what it reads.
    ScalaUDF(read, LongType, typed, udfDeterministic = false, udfName = Some(Name))
  }
}
