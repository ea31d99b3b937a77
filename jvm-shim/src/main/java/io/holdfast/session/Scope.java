package io.holdfast.session;

import io.holdfast.approximate.Bound;
import io.holdfast.config.Keys;
import org.apache.spark.SparkContext;

/** The local properties of a workflow scope: set when it opens, put back when it closes. */
public final class Scope implements AutoCloseable {
  private final SparkContext sc;
  private final String outerName;
  private final String outerPriority;
  private final String outerIsolation;
  private final String outerParallelism;
  private final String outerDeadline;
  private final String outerError;
  private final String name;

  /** What stands for "no priority given": job group or pool decide. */
  public static final int INHERIT = Integer.MIN_VALUE;

  /**
   * @param isolation from 0 to 1, or NaN for that of job group, pool or configuration
   * @param parallelism of the workflow's next job, or 0 when it is not known
   */
  public Scope(String name, int priority, double isolation, int parallelism) {
    this(name, priority, isolation, parallelism, null);
  }

  /**
   * As the first, with what bounds the answers of the jobs, each from its own submission on.
   *
   * @param bound or null for none
   */
  public Scope(String name, int priority, double isolation, int parallelism, Bound bound) {
    if (name == null || name.isBlank())
      throw new IllegalArgumentException("a workflow needs a name");
    if (isolation < 0 || isolation > 1)
      throw new IllegalArgumentException(
          "the isolation of workflow " + name + " is " + isolation + ": give 0 to 1");
    if (parallelism < 0)
      throw new IllegalArgumentException(
          "the parallelism of workflow " + name + " is " + parallelism + ": give 1 or more");
    this.name = name.trim();
    sc = activeContext();
    String own = sc.getLocalProperty(Keys.LOCAL_WORKFLOW);
    outerName = own != null ? own : sc.getLocalProperty(Keys.alias(Keys.LOCAL_WORKFLOW));
    outerPriority = sc.getLocalProperty(Keys.LOCAL_PRIORITY);
    outerIsolation = sc.getLocalProperty(Keys.LOCAL_ISOLATION);
    outerParallelism = sc.getLocalProperty(Keys.LOCAL_PARALLELISM);
    outerDeadline = sc.getLocalProperty(Keys.LOCAL_DEADLINE);
    outerError = sc.getLocalProperty(Keys.LOCAL_ERROR);
    if (outerName != null) return; // the outermost name wins, and its priority
    sc.setLocalProperty(Keys.LOCAL_WORKFLOW, this.name);
    if (priority != INHERIT) sc.setLocalProperty(Keys.LOCAL_PRIORITY, Integer.toString(priority));
    if (!Double.isNaN(isolation))
      sc.setLocalProperty(Keys.LOCAL_ISOLATION, Double.toString(isolation));
    if (parallelism > 0) sc.setLocalProperty(Keys.LOCAL_PARALLELISM, Integer.toString(parallelism));
    if (bound != null) say(bound);
  }

  private void say(Bound bound) {
    boolean timed = bound.deadlineMillis() != Long.MAX_VALUE;
    String deadline = timed ? bound.deadlineMillis() + "ms" : null;
    sc.setLocalProperty(Keys.LOCAL_DEADLINE, deadline);
    sc.setLocalProperty(Keys.LOCAL_ERROR, timed ? null : Double.toString(bound.error()));
  }

  @Override
  public void close() {
    if (outerName != null) return;
    sc.setLocalProperty(Keys.LOCAL_WORKFLOW, null);
    sc.setLocalProperty(Keys.LOCAL_PRIORITY, outerPriority);
    sc.setLocalProperty(Keys.LOCAL_ISOLATION, outerIsolation);
    sc.setLocalProperty(Keys.LOCAL_PARALLELISM, outerParallelism);
    sc.setLocalProperty(Keys.LOCAL_DEADLINE, outerDeadline);
    sc.setLocalProperty(Keys.LOCAL_ERROR, outerError);
    Status.closeWorkflow(name);
  }

  private static SparkContext activeContext() {
    var active = org.apache.spark.SparkContext$.MODULE$.getActive();
    if (active.isEmpty())
      throw new IllegalStateException("a workflow needs an active SparkContext");
    return active.get();
  }
}
