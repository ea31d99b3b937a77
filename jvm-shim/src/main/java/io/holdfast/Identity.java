package io.holdfast;

import java.util.Properties;

/**
 * Which workflow a Spark job belongs to, and how important it is. The outermost name wins: the
 * scope API or local property, job group, a pool with a priority, SQL execution, the Spark session
 * of Spark Connect, else the Spark job by itself.
 *
 * @param name unique in the application
 * @param named false when the workflow is no more than one Spark job
 * @param isolation in millionths
 * @param parallelism of what it runs next, as the user has declared it; 0 for none
 */
record Identity(String name, boolean named, int priority, int isolation, int parallelism) {
  private static final String GROUP = "spark.jobGroup.id";
  private static final String POOL = "spark.scheduler.pool";
  private static final String ROOT_EXECUTION = "spark.sql.execution.root.id";
  private static final String EXECUTION = "spark.sql.execution.id";
  private static final String TAGS = "spark.job.tags";
  private static final String SESSION_TAG = "spark-session-";

  /** Name of the workflow of a SQL execution. */
  static String ofExecution(String executionId) {
    return "sql:" + executionId;
  }

  /**
   * @param properties local properties of the submitting thread; may be null
   */
  static Identity of(Properties properties, int job, Settings settings) {
    if (properties == null)
      return new Identity("job:" + job, false, 0, settings.isolation(null, null), 0);
    int priority = priority(properties, settings);
    int isolation = isolation(properties, settings);
    int parallelism = parallelism(properties);
    String name = name(properties, settings);
    return name == null
        ? new Identity("job:" + job, false, priority, isolation, parallelism)
        : new Identity(name, true, priority, isolation, parallelism);
  }

  private static String name(Properties properties, Settings settings) {
    String workflow = get(properties, Keys.LOCAL_WORKFLOW);
    if (workflow != null) return workflow;
    String group = get(properties, GROUP);
    if (group != null) return "group:" + group;
    String pool = get(properties, POOL);
    if (settings.priorities().ofPool(pool) != null) return "pool:" + pool;
    String root = get(properties, ROOT_EXECUTION);
    String execution = root != null ? root : get(properties, EXECUTION);
    if (execution != null) return ofExecution(execution);
    String tags = get(properties, TAGS);
    if (tags != null) {
      for (String tag : tags.split(",")) if (tag.startsWith(SESSION_TAG)) return "session:" + tag;
    }
    return null;
  }

  private static int priority(Properties properties, Settings settings) {
    String local = get(properties, Keys.LOCAL_PRIORITY);
    if (local != null) {
      try {
        return Integer.parseInt(local);
      } catch (NumberFormatException e) {
        ignored(Keys.LOCAL_PRIORITY, local, "a whole number");
      }
    }
    Integer priority = settings.priorities().of(get(properties, GROUP), get(properties, POOL));
    return priority != null ? priority : 0;
  }

  private static int isolation(Properties properties, Settings settings) {
    String local = get(properties, Keys.LOCAL_ISOLATION);
    Integer isolation = local == null ? null : Settings.millionths(local);
    if (isolation != null) return isolation;
    if (local != null) ignored(Keys.LOCAL_ISOLATION, local, "a number from 0 to 1");
    return settings.isolation(get(properties, GROUP), get(properties, POOL));
  }

  private static int parallelism(Properties properties) {
    String local = get(properties, Keys.LOCAL_PARALLELISM);
    if (local == null) return 0;
    try {
      int parallelism = Integer.parseInt(local);
      if (parallelism > 0) return parallelism;
    } catch (NumberFormatException e) {
      // Said below.
    }
    ignored(Keys.LOCAL_PARALLELISM, local, "a whole number above 0");
    return 0;
  }

  private static void ignored(String property, String value, String wanted) {
    Notices.warnOnce(
        "local property " + property + "=" + value + " is not " + wanted + ": it is ignored");
  }

  private static String get(Properties properties, String name) {
    String value = properties.getProperty(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
