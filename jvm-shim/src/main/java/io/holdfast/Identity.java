package io.holdfast;

import java.util.Properties;

/**
 * Which workflow a Spark job belongs to, and how important it is. The outermost name wins: the
 * scope API or local property, job group, a pool with a priority, SQL execution, the Spark session
 * of Spark Connect, else the Spark job by itself.
 *
 * @param name unique in the application
 * @param named false when the workflow is no more than one Spark job
 */
record Identity(String name, boolean named, int priority) {
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
    if (properties == null) return new Identity("job:" + job, false, 0);
    int priority = priority(properties, settings);
    String name = name(properties, settings);
    return name == null
        ? new Identity("job:" + job, false, priority)
        : new Identity(name, true, priority);
  }

  private static String name(Properties properties, Settings settings) {
    String workflow = get(properties, Keys.LOCAL_WORKFLOW);
    if (workflow != null) return workflow;
    String group = get(properties, GROUP);
    if (group != null) return "group:" + group;
    String pool = get(properties, POOL);
    if (settings.poolPriority(pool) != null) return "pool:" + pool;
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
        Notices.warnOnce(
            "local property "
                + Keys.LOCAL_PRIORITY
                + "="
                + local
                + " is not a whole number: it is ignored");
      }
    }
    Integer group = settings.groupPriority(get(properties, GROUP));
    if (group != null) return group;
    Integer pool = settings.poolPriority(get(properties, POOL));
    return pool != null ? pool : 0;
  }

  private static String get(Properties properties, String name) {
    String value = properties.getProperty(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
