package io.holdfast;

import org.apache.spark.SparkContext;

/** The local properties of a workflow scope: set when it opens, put back when it closes. */
final class Scope implements AutoCloseable {
  private final SparkContext sc;
  private final String outerName;
  private final String outerPriority;
  private final String name;

  /** What stands for "no priority given": job group or pool decide. */
  static final int INHERIT = Integer.MIN_VALUE;

  Scope(String name, int priority) {
    if (name == null || name.isBlank())
      throw new IllegalArgumentException("a workflow needs a name");
    this.name = name.trim();
    sc = activeContext();
    outerName = sc.getLocalProperty(Keys.LOCAL_WORKFLOW);
    outerPriority = sc.getLocalProperty(Keys.LOCAL_PRIORITY);
    if (outerName != null) return; // the outermost name wins, and its priority
    sc.setLocalProperty(Keys.LOCAL_WORKFLOW, this.name);
    if (priority != INHERIT) sc.setLocalProperty(Keys.LOCAL_PRIORITY, Integer.toString(priority));
  }

  @Override
  public void close() {
    if (outerName != null) return;
    sc.setLocalProperty(Keys.LOCAL_WORKFLOW, null);
    sc.setLocalProperty(Keys.LOCAL_PRIORITY, outerPriority);
    Session session = Status.session();
    if (session != null) session.closeWorkflow(name);
  }

  private static SparkContext activeContext() {
    var active = org.apache.spark.SparkContext$.MODULE$.getActive();
    if (active.isEmpty())
      throw new IllegalStateException("a workflow needs an active SparkContext");
    return active.get();
  }
}
