package io.holdfast.session;

import io.holdfast.bridge.NativeEngine;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The pools of Spark's fair scheduler, by name; none under FIFO. Callers hold the session's lock.
 */
public final class Pools {
  private static final int ROOT = 0;
  private static final String PROPERTY = "spark.scheduler.pool";
  private static final String DEFAULT = "default";

  private final Jobs.Steps steps;
  private final Map<String, Integer> ids = new HashMap<>();

  Pools(Jobs.Steps steps) {
    this.steps = steps;
  }

  /** Says what a pool is, and with the first one that they share fairly; later calls do nothing. */
  void define(String name, boolean fair, int weight, int minShare) {
    if (ids.containsKey(name)) return;
    if (ids.isEmpty()) define(ROOT, true, 1, 0);
    ids.put(name, ids.size() + 1);
    define(ids.get(name), fair, Math.max(weight, 1), Math.max(minShare, 0));
  }

  private void define(int id, boolean fair, int weight, int minShare) {
    steps.step(NativeEngine.POOL_DEFINED, id, fair ? 1 : 0, weight, minShare, 0, 0);
  }

  /** Id of the pool that Spark puts the jobs of a thread with these local properties into. */
  int of(Properties properties) {
    return ids.getOrDefault(name(properties), ROOT);
  }

  /** Its name, as Spark reads it. */
  public static String name(Properties properties) {
    return properties == null ? DEFAULT : properties.getProperty(PROPERTY, DEFAULT);
  }
}
