package io.holdfast.approximate;

import java.util.List;

/**
 * An answer that may lack partitions.
 *
 * @param value what the partitions that are there say of all
 * @param confidence with which probability the interval holds the true value
 * @param partitions how many there are
 * @param missing the numbers of those that are not part of the answer, from 0
 */
public record Answer<R>(R value, double confidence, int partitions, List<Integer> missing) {
  /** Returns the share of the partitions that the answer is made of; 1 if there are none. */
  public double share() {
    return partitions == 0 ? 1 : 1 - (double) missing.size() / partitions;
  }
}
