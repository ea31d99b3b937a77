package io.holdfast.approximate;

import java.io.Serializable;
import java.util.Iterator;

/** What is done with one partition, on an executor. */
@FunctionalInterface
public interface PartitionFunction<T, U> extends Serializable {
  /** Returns what the partition gives. It may throw what it likes: the task fails then. */
  U apply(Iterator<T> elements) throws Exception;
}
