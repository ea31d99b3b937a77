package io.holdfast.approximate;

import java.time.Duration;

/**
 * What an approximate action is bounded by: time, or partitions that may be missing.
 *
 * @param deadlineMillis milliseconds from the call; {@link Long#MAX_VALUE} for none
 * @param error the share of partitions that may be missing, from 0 to 1
 */
public record Bound(long deadlineMillis, double error) {
  /**
   * Checks both.
   *
   * @throws IllegalArgumentException if the deadline is negative, or the error not from 0 to 1
   */
  public Bound {
    if (deadlineMillis < 0) {
      throw new IllegalArgumentException(
          "deadline " + deadlineMillis + " ms is negative: give the time from the call, or 0");
    }
    if (!(error >= 0 && error <= 1)) {
      throw new IllegalArgumentException("error " + error + " is not from 0 to 1: 0.1 is a tenth");
    }
  }

  /**
   * Takes as many partitions as are done by then.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static Bound deadline(Duration fromNow) {
    return new Bound(fromNow.toMillis(), 0);
  }

  /**
   * Waits until so many partitions are done that no more than this share is missing.
   *
   * @throws IllegalArgumentException if it is not from 0 to 1
   */
  public static Bound error(double share) {
    return new Bound(Long.MAX_VALUE, share);
  }

  /** Returns how many of so many partitions have to be done. */
  public int needed(int partitions) {
    // What is a whole number but for rounding stays that number.
    return (int) Math.ceil((1 - error) * partitions - 1e-9);
  }
}
