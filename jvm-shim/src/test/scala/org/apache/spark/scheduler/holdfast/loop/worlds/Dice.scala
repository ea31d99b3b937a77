package org.apache.spark.scheduler.holdfast.loop

import scala.util.Random

/** What random worlds are made with. */
abstract private[loop] class Dice(seed: Long) {
  // Random makes of neighbouring seeds nearly the same first number.
  private val random = new Random(Draw.mix(seed))

  protected def from[T](values: T*): T = values(random.nextInt(values.size))
  protected def between(least: Int, most: Int): Int = least + random.nextInt(most - least + 1)
  protected def chance(share: Double): Boolean = random.nextDouble() < share

  /** Small ones as likely as large ones. */
  protected def spread(least: Double, most: Double): Double =
    least * math.pow(most / least, random.nextDouble())
}
