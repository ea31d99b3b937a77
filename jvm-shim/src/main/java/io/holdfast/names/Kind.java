package io.holdfast.names;

import java.util.Locale;

/** What the configuration can name work by; the first that matches counts. */
public enum Kind {
  GROUP("glob", "job groups (`spark.jobGroup.id`) whose name matches"),
  TAG("glob", "jobs with a tag (`addJobTag`, in Spark Connect `addTag`) that matches"),
  DESCRIPTION(
      "glob", "jobs whose description (`setJobDescription`, a Thrift server's SQL text) matches"),
  SESSION("glob", "Spark Connect sessions whose id matches"),
  USER("glob", "users of Spark Connect, a Thrift server or Kyuubi whose name matches"),
  POOL("pool", "what runs in this pool (`spark.scheduler.pool`)");

  /** How the user's part is called: a pattern, or a name as it is. */
  public final String part;

  /** Whom a key of this kind speaks of. */
  public final String whom;

  Kind(String part, String whom) {
    this.part = part;
    this.whom = whom;
  }

  boolean isPattern() {
    return this != POOL;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
