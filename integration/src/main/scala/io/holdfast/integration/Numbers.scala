package io.holdfast.integration

/** Numbers as readers write them. */
object Numbers {

  /** Without decimals where there are none. */
  def plain(value: Double): String = if (value == math.rint(value)) value.toLong.toString else value.toString
}
