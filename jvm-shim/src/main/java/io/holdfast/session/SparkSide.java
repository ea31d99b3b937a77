package io.holdfast.session;

/** What a session asks of the Spark that it schedules. */
public interface SparkSide {
  /**
   * Asks Spark to offer all free slots again. Called without any lock.
   *
   * @throws Exception what Spark throws, checked or not, for instance when its backend has stopped
   */
  void revive() throws Exception;

  /**
   * Returns whether Spark still runs a job. Reliable on the DAG scheduler's own thread; elsewhere a
   * single "no" may be wrong, as another thread changes what is read.
   */
  default boolean runsJob(int job) {
    return true;
  }

  /** Returns whether a SQL execution has not ended. Any thread may ask. */
  default boolean runsExecution(long execution) {
    return true;
  }
}
