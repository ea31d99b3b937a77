package io.holdfast.approximate;

import io.holdfast.line.SparkLine;
import java.util.Iterator;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.rdd.RDD;

/**
 * Actions that answer by a deadline, or once enough partitions are done. What is left of their job
 * is cancelled then, and its slots are free. They work with Holdfast off, too: then Spark decides
 * which tasks run first.
 *
 * <p>An answer takes the partitions that are done for a sample of all. That is right where elements
 * lie in partitions by chance, and wrong where a partition's elements have something in common, as
 * in sorted or date-partitioned data: see docs/how-to/approximate-answers.md.
 */
public final class Approximate {
  private Approximate() {}

  /**
   * Counts the elements of an RDD.
   *
   * @param confidence from 0 to 1
   * @throws IllegalArgumentException if the confidence is not from 0 to 1
   * @throws InterruptedException if the calling thread is interrupted; the job is cancelled
   */
  public static Answer<Estimate> count(RDD<?> rdd, Bound bound, double confidence)
      throws InterruptedException {
    return jobs(rdd, confidence).count(rdd, bound, confidence);
  }

  /** As {@link #count}: the sum of an RDD of numbers. */
  public static Answer<Estimate> sum(RDD<?> rdd, Bound bound, double confidence)
      throws InterruptedException {
    return jobs(rdd, confidence).sum(rdd, bound, confidence);
  }

  /** As {@link #count}: the mean of an RDD of numbers. */
  public static Answer<Estimate> mean(RDD<?> rdd, Bound bound, double confidence)
      throws InterruptedException {
    return jobs(rdd, confidence).mean(rdd, bound, confidence);
  }

  /**
   * Aggregates the elements of each partition, and makes an answer of what partitions give.
   *
   * @param zero what each partition begins with; it must be serializable
   * @param evaluator makes the answer; see {@link Evaluator}
   */
  public static <T, U, R> Answer<R> aggregate(
      RDD<T> rdd,
      U zero,
      Function2<U, T, U> seqOp,
      Evaluator<U, R> evaluator,
      Bound bound,
      double confidence)
      throws InterruptedException {
    return jobs(rdd, confidence).run(rdd, folding(zero, seqOp), evaluator, bound, confidence);
  }

  /**
   * As {@link #aggregate}, where partitions' results are combined by {@code combOp} before the end.
   */
  public static <T, U> Answer<U> aggregate(
      RDD<T> rdd,
      U zero,
      Function2<U, T, U> seqOp,
      Function2<U, U, U> combOp,
      Bound bound,
      double confidence)
      throws InterruptedException {
    return aggregate(rdd, zero, seqOp, new Combined<>(zero, combOp), bound, confidence);
  }

  private static <T, U> PartitionFunction<T, U> folding(U zero, Function2<U, T, U> seqOp) {
    return elements -> {
      U sum = zero;
      for (Iterator<T> left = elements; left.hasNext(); ) sum = seqOp.call(sum, left.next());
      return sum;
    };
  }

  static PartialJobs jobs(RDD<?> rdd, double confidence) {
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("confidence " + confidence + " is not from 0 to 1");
    }
    return SparkLine.part(rdd.sparkContext().version(), "PartialActions", PartialJobs.class);
  }

  /** Combines what partitions give, in the order in which they end. */
  private static final class Combined<U> implements Evaluator<U, U> {
    private final Function2<U, U, U> combOp;
    private U sum;

    Combined(U zero, Function2<U, U, U> combOp) {
      this.sum = zero;
      this.combOp = combOp;
    }

    @Override
    public void merge(int partition, U result) {
      try {
        sum = combOp.call(sum, result);
      } catch (Exception e) {
        throw new IllegalStateException("combining partition " + partition + " failed: " + e, e);
      }
    }

    @Override
    public U result() {
      return sum;
    }
  }
}
