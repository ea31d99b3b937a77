package io.holdfast;

import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Which workflow a Spark job belongs to, and how important it is. The outermost name wins: the
 * scope API or local property, streaming query, job group, a pool with a priority, SQL execution,
 * the Spark session of Spark Connect, else the Spark job by itself.
 *
 * @param name unique in the application
 * @param named false when the workflow is no more than one Spark job
 * @param isolation in millionths
 * @param parallelism of what it runs next, as the user has declared it; 0 for none
 * @param run the SQL execution with which the workflow ends until another one begins: of a
 *     streaming query the micro-batch, of a group that a SQL server made up its statement; else
 *     null
 * @param recurs whether another application may give the same name to the same work
 */
record Identity(
    String name,
    boolean named,
    int priority,
    int isolation,
    int parallelism,
    String run,
    boolean recurs) {
  private static final String ROOT_EXECUTION = "spark.sql.execution.root.id";
  private static final String EXECUTION = "spark.sql.execution.id";
  private static final String STREAM = "sql.streaming.queryId";

  /** An id that programs make up for each run, as a SQL server does for each statement's group. */
  private static final Pattern MADE_UP =
      Pattern.compile("(?i)[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}");

  /** Name of the workflow of a SQL execution. */
  static String ofExecution(String executionId) {
    return "sql:" + executionId;
  }

  /**
   * Returns the outermost SQL execution of a job, or null.
   *
   * @param properties local properties of the submitting thread; may be null
   */
  static Long executionId(Properties properties) {
    String id = properties == null ? null : execution(properties);
    try {
      return id == null ? null : Long.valueOf(id);
    } catch (NumberFormatException e) { // not Spark's
      return null;
    }
  }

  /**
   * @param properties local properties of the submitting thread; may be null
   */
  static Identity of(Properties properties, int job, Settings settings) {
    Names names = Names.of(properties);
    Properties own = properties == null ? new Properties() : properties;
    String name = name(own, names, settings);
    boolean streams = Names.get(own, Keys.LOCAL_WORKFLOW) == null && Names.get(own, STREAM) != null;
    return new Identity(
        name == null ? "job:" + job : name,
        name != null,
        priority(own, names, settings),
        isolation(own, names, settings),
        parallelism(own),
        streams || isStatement(own, names) ? execution(own) : null,
        recurs(own, name, streams));
  }

  private static String name(Properties properties, Names names, Settings settings) {
    String workflow = Names.get(properties, Keys.LOCAL_WORKFLOW);
    if (workflow != null) return workflow;
    // A streaming query sets a job group of its own, another one with each start.
    String stream = Names.get(properties, STREAM);
    if (stream != null) return "stream:" + stream;
    String group = names.one(Kind.GROUP);
    if (group != null) return "group:" + group;
    String pool = names.one(Kind.POOL);
    if (settings.priorities().has(Kind.POOL, pool)) return "pool:" + pool;
    String execution = execution(properties);
    if (execution != null) return ofExecution(execution);
    String session = names.one(Kind.SESSION);
    return session == null ? null : "session:" + session;
  }

  /** Nobody uses such a group again: that another job of it follows is no reason to hold slots. */
  private static boolean isStatement(Properties properties, Names names) {
    String group = names.one(Kind.GROUP);
    return group != null
        && Names.get(properties, Keys.LOCAL_WORKFLOW) == null
        && MADE_UP.matcher(group).matches();
  }

  /** SQL executions are numbered anew, sessions get new ids; a query keeps its id by checkpoint. */
  private static boolean recurs(Properties properties, String name, boolean streams) {
    if (name == null || streams) return streams;
    boolean given =
        Names.get(properties, Keys.LOCAL_WORKFLOW) != null
            || name.startsWith("group:")
            || name.startsWith("pool:");
    return given && !MADE_UP.matcher(name).find();
  }

  private static String execution(Properties properties) {
    String root = Names.get(properties, ROOT_EXECUTION);
    return root != null ? root : Names.get(properties, EXECUTION);
  }

  private static int priority(Properties properties, Names names, Settings settings) {
    String local = Names.get(properties, Keys.LOCAL_PRIORITY);
    if (local != null) {
      try {
        return Integer.parseInt(local);
      } catch (NumberFormatException e) {
        ignored(Keys.LOCAL_PRIORITY, local, "a whole number");
      }
    }
    Integer priority = settings.priorities().of(names);
    return priority != null ? priority : 0;
  }

  private static int isolation(Properties properties, Names names, Settings settings) {
    String local = Names.get(properties, Keys.LOCAL_ISOLATION);
    Integer isolation = local == null ? null : Settings.millionths(local);
    if (isolation != null) return isolation;
    if (local != null) ignored(Keys.LOCAL_ISOLATION, local, "a number from 0 to 1");
    return settings.isolation(names);
  }

  private static int parallelism(Properties properties) {
    String local = Names.get(properties, Keys.LOCAL_PARALLELISM);
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
}
