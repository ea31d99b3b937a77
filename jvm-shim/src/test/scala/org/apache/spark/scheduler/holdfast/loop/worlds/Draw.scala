package org.apache.spark.scheduler.holdfast.loop

/** Random numbers that follow from what they are for: in whatever order two runs draw them, they are the same. */
private[loop] class Draw(seed: Long) {

  /** From 0 (inclusive) to 1 (exclusive). */
  def apply(what: Long*): Double = (hash(what) >>> 11) * Draw.Ulp

  /** From 0 to `most`, both inclusive. */
  def upTo(most: Int)(what: Long*): Int = (apply(what: _*) * (most + 1)).toInt

  def hash(what: Seq[Long]): Long = what.foldLeft(Draw.mix(seed))((h, n) => Draw.mix(h + Draw.Golden ^ n))
}

private object Draw {
  val Golden: Long = 0x9e3779b97f4a7c15L
  val Ulp: Double = 1.0 / (1L << 53)

  /** The finisher of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
  def mix(n: Long): Long = {
    val a = (n ^ (n >>> 30)) * 0xbf58476d1ce4e5b9L
    val b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL
    b ^ (b >>> 31)
  }

  // What numbers are drawn for.
  val Duration = 1L
  val Failure = 2L
  val FailurePoint = 3L
  val Kill = 4L
  val Result = 5L
  val Shuffle = 6L
  val Preference = 7L
  val LostOutput = 8L
}
