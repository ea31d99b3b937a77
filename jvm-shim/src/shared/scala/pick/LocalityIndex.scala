package org.apache.spark.scheduler.holdfast.sparkline

import org.apache.spark.scheduler.TaskSetManager

/** Where delay scheduling stands. Spark keeps it to itself. */
private[holdfast] object LocalityIndex {
  val Name = "currentLocalityIndex"

  private lazy val field = {
    val field = classOf[TaskSetManager].getDeclaredField(Name)
    field.setAccessible(true)
    field
  }

  def readable: Boolean = field != null

  def of(manager: TaskSetManager): Int = field.getInt(manager)
}
