package org.apache.spark.scheduler.holdfast.sparkline

/** CPUs that a task asks for and an executor has: whole ones, in this Spark line. */
private[holdfast] object Cpus {
  type Cpus = Int

  /** What a task asks for, in thousandths. */
  def demand(cpus: Cpus): Int = cpus * Line.Milli

  /** What an executor has free, in thousandths. */
  def free(cpus: Cpus): Int = cpus * Line.Milli
}
