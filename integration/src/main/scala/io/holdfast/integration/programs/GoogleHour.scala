package io.holdfast.integration.programs

import java.util.SplittableRandom

/** Jobs as an hour of the Google trace has them (ClusterData2011-2), run times divided by ten as in the paper: drawn from published
  * quantiles, between which the logarithm is linear. The trace itself is [[ClusterData]].
  */
object GoogleHour {

  /** Seconds between two arrivals: median 1.5, 90 % within 10, at most 55.6. */
  private val BetweenArrivals = Quantiles(0.0 -> 0.05, 0.5 -> 1.5, 0.9 -> 10.0, 1.0 -> 55.6)

  /** Seconds of a task. */
  private val TaskTimes =
    Quantiles(0.0 -> 1.6, 0.1 -> 2.7, 0.25 -> 6.2, 0.5 -> 12.6, 0.75 -> 24.6, 0.9 -> 50.9, 1.0 -> 351.0)

  /** 78 of 100 jobs have one task, 4 have two, 11 from 3 to 20, 4 from 21 to 100, 3 more, the largest 303. */
  private val Widths =
    Quantiles(0.0 -> 1.0, 0.78 -> 1.0, 0.78 -> 2.0, 0.82 -> 2.0, 0.82 -> 3.0, 0.93 -> 21.0, 0.97 -> 101.0, 1.0 -> 304.0)

  /** So many jobs; equal seeds give equal ones. */
  def sample(jobs: Int, seed: Long): Trace = {
    require(jobs > 0, s"$jobs jobs; give 1 or more")
    val random = new SplittableRandom(seed)
    val arrivals = Iterator.iterate(0L)(_ + millis(BetweenArrivals.at(random.nextDouble())))
    Trace(
      arrivals
        .take(jobs)
        .map { arrival =>
          val tasks = Widths.at(random.nextDouble()).toInt
          TraceJob(arrival, tasks, millis(TaskTimes.at(random.nextDouble())))
        }
        .toSeq
    )
  }

  private def millis(seconds: Double): Long = math.round(seconds * 1000)
}

/** A distribution by some of its quantiles (share, value), in ascending order from 0 to 1. */
private final case class Quantiles(points: (Double, Double)*) {

  /** The value below which a share of the draws lies. */
  def at(share: Double): Double = {
    val ((from, low), (to, high)) = points.zip(points.tail).find { case (_, (to, _)) => share < to }.get
    low * math.pow(high / low, (share - from) / (to - from))
  }
}
