package org.apache.spark.scheduler.holdfast.sparkline

import java.math.RoundingMode.{CEILING, FLOOR}

/** CPUs that a task asks for and an executor has: down to billionths, since Spark 4.3. The engine counts thousandths, and
  * rather lets Spark refuse what does not fit than refuse what does.
  */
private[holdfast] object Cpus {
  type Cpus = BigDecimal

  /** What a task asks for, in thousandths: rounded down, but not to nothing. */
  def demand(cpus: Cpus): Int = math.max(1, milli(cpus, FLOOR))

  /** What an executor has free, in thousandths, rounded up. */
  def free(cpus: Cpus): Int = milli(cpus, CEILING)

  private def milli(cpus: Cpus, mode: java.math.RoundingMode): Int =
    cpus.bigDecimal.movePointRight(Line.MilliDigits).setScale(0, mode).intValueExact
}
