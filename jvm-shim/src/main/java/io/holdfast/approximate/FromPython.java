package io.holdfast.approximate;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.rdd.RDD;

/**
 * Approximate actions as the Python package calls them: a partition there ends in one element,
 * which Python has made.
 */
public final class FromPython {
  private FromPython() {}

  /** What a partition gave: its number, and bytes that Python reads. */
  public record Part(int partition, byte[] bytes) {}

  /** Counts by an RDD that has one number for each partition, its number of elements. */
  public static Answer<Estimate> count(RDD<?> counts, long millis, double error, double confidence)
      throws InterruptedException {
    return Approximate.jobs(counts, confidence)
        .counts(counts, new Bound(millis, error), confidence);
  }

  /** Counts the elements of an RDD of the JVM. */
  public static Answer<Estimate> rows(RDD<?> rows, long millis, double error, double confidence)
      throws InterruptedException {
    return Approximate.count(rows, new Bound(millis, error), confidence);
  }

  /** Adds the numbers of an RDD. */
  public static Answer<Estimate> sum(RDD<?> numbers, long millis, double error, double confidence)
      throws InterruptedException {
    return Approximate.sum(numbers, new Bound(millis, error), confidence);
  }

  /** Averages the numbers of an RDD. */
  public static Answer<Estimate> mean(RDD<?> numbers, long millis, double error, double confidence)
      throws InterruptedException {
    return Approximate.mean(numbers, new Bound(millis, error), confidence);
  }

  /** Collects an RDD's one element of each partition, in the order in which they end. */
  public static Answer<List<Part>> collect(
      RDD<byte[]> parts, long millis, double error, double confidence) throws InterruptedException {
    PartitionFunction<byte[], byte[]> only = elements -> elements.next();
    return Approximate.jobs(parts, confidence)
        .run(parts, only, new Parts(), new Bound(millis, error), confidence);
  }

  private static final class Parts implements Evaluator<byte[], List<Part>> {
    private final List<Part> parts = new ArrayList<>();

    @Override
    public void merge(int partition, byte[] result) {
      parts.add(new Part(partition, result));
    }

    @Override
    public List<Part> result() {
      return List.copyOf(parts);
    }
  }
}
