package io.holdfast.integration.measure

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
}
