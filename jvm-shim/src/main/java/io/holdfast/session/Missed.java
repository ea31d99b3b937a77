package io.holdfast.session;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Finds jobs and SQL executions that have ended unheard: Spark drops listener events when a queue
 * is full. What Spark does not know any more in two passes has ended. Only one thread passes at a
 * time.
 */
final class Missed {
  /** The listener's own word comes first: it knows whether a job has succeeded. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** So often even if Spark submits nothing and nobody waits. */
  private static final long LATEST_NANOS = TimeUnit.MINUTES.toNanos(1);

  private long lastPass = Long.MIN_VALUE;

  /** When each was missed first. */
  private final Map<Integer, Long> missedJobs = new HashMap<>();

  private final Map<Long, Long> missedExecutions = new HashMap<>();

  /**
   * Ends what Spark has ended, if it is time to look.
   *
   * @param often after the grace, not after a minute
   */
  void pass(Jobs jobs, long now, SparkSide spark, boolean often) {
    if (lastPass == Long.MIN_VALUE) lastPass = now;
    if (now - lastPass < (often ? GRACE_NANOS : LATEST_NANOS)) return;
    lastPass = now;
    // A cancelled job counts as a success here: what its workflow keeps ends with the linger.
    ended(missedJobs, jobs.known(), now, spark::runsJob).forEach(job -> jobs.ended(job, true));
    ended(missedExecutions, jobs.executions(), now, spark::runsExecution)
        .forEach(jobs::executionEnded);
  }

  private static <T> List<T> ended(Map<T, Long> missed, Set<T> known, long now, Predicate<T> runs) {
    missed.keySet().retainAll(known);
    for (T each : known) {
      if (runs.test(each)) missed.remove(each);
      else missed.putIfAbsent(each, now);
    }
    List<T> ended =
        missed.entrySet().stream()
            .filter(each -> now - each.getValue() >= GRACE_NANOS)
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    ended.forEach(missed::remove);
    return ended;
  }
}
