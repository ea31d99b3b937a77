package io.holdfast.approximate;

import org.apache.spark.rdd.RDD;

/** What a Spark line does for approximate actions. */
public interface PartialJobs {
  /**
   * Runs a job until its bound is reached, and cancels what is left of it.
   *
   * @throws InterruptedException if the calling thread is interrupted; the job is cancelled
   */
  <T, U, R> Answer<R> run(
      RDD<T> rdd,
      PartitionFunction<T, U> each,
      Evaluator<U, R> evaluator,
      Bound bound,
      double confidence)
      throws InterruptedException;

  /** Counts elements, by Spark's own evaluator. */
  Answer<Estimate> count(RDD<?> rdd, Bound bound, double confidence) throws InterruptedException;

  /** As {@link #count}, of an RDD that has one number for each partition: how many it counted. */
  Answer<Estimate> counts(RDD<?> counts, Bound bound, double confidence)
      throws InterruptedException;

  /** Adds numbers, by Spark's own evaluator. */
  Answer<Estimate> sum(RDD<?> rdd, Bound bound, double confidence) throws InterruptedException;

  /** Averages numbers, by Spark's own evaluator. */
  Answer<Estimate> mean(RDD<?> rdd, Bound bound, double confidence) throws InterruptedException;
}
