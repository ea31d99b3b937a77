package io.holdfast.integration.measure

import java.util.Locale

/** A median with what it is the median of. */
final case class Spread(values: Seq[Double]) {
  private val sorted = values.sorted
  def n: Int = values.size
  def min: Double = sorted.head
  def max: Double = sorted.last
  def median: Double = {
    val middle = n / 2
    if (n % 2 == 1) sorted(middle) else (sorted(middle - 1) + sorted(middle)) / 2
  }

  /** The median, and in brackets the least and the largest where they differ. */
  def shown(digits: Int): String = {
    def number(value: Double) = s"%.${digits}f".formatLocal(Locale.ROOT, value)
    if (n == 1 || number(min) == number(max)) number(median)
    else s"${number(median)} (${number(min)} to ${number(max)})"
  }
}
