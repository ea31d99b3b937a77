package io.holdfast.approximate;

/**
 * Makes an answer of what partitions give. Called in one thread at a time, once for each partition.
 */
public interface Evaluator<U, R> {
  /** Takes what a partition gives. */
  void merge(int partition, U result);

  /** Returns the answer, of as many partitions as were merged. */
  R result();
}
