package org.apache.spark.scheduler.holdfast.loop

/** The simulator's order of offers (`rust/sim/src/world/draw.rs`): a Feistel network over the executors' numbers.
  *
  * @param keys
  *   one for each round of the network
  * @param bits
  *   of half a place
  */
private[loop] class Shuffle(keys: Seq[Long], bits: Int) {
  private val mask = (1 << bits) - 1

  /** The place of an executor, by its number; some places have none. */
  def place(executor: Int): Int = {
    val (left, right) = keys.foldLeft((executor >>> bits, executor & mask)) { case ((left, right), key) =>
      (right, left ^ Shuffle.scramble(key, right) & mask)
    }
    left << bits | right
  }
}

private[loop] object Shuffle {
  private val Rounds = 4L
  private val LeastBits = 3
  private val MostBits = 15

  /** Drawn for a moment, in milliseconds since the run began, and numbers below `executors`. */
  def apply(draw: Draw, moment: Long, executors: Int): Shuffle =
    new Shuffle((0L until Rounds).map(round => draw.hash(Seq(Draw.Shuffle, moment, round))), halfBits(executors))

  private def halfBits(executors: Int): Int = {
    val bits = Integer.SIZE - Integer.numberOfLeadingZeros(math.max(executors - 1, 0))
    math.min(math.max((bits + 1) / 2, LeastBits), MostBits)
  }

  private def scramble(key: Long, half: Int): Int = (Draw.mix(key ^ half.toLong) >>> Integer.SIZE).toInt
}
