package io.holdfast.bridge;

/** Tells the time, and how long an end may take. */
public interface Clock {
  /** A time in nanoseconds, of any origin. */
  long nanoTime();

  /** How long a session that closes waits for each of its decision log and its history. */
  default long patienceMillis() {
    return 1000;
  }
}
