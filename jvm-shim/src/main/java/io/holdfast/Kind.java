package io.holdfast;

import java.util.Locale;

/** What the configuration can name work by; the first that matches counts. */
enum Kind {
  GROUP("glob", "job groups (`spark.jobGroup.id`) whose name matches"),
  TAG("glob", "jobs with a tag (`addJobTag`, in Spark Connect `addTag`) that matches"),
  DESCRIPTION(
      "glob", "jobs whose description (`setJobDescription`, a Thrift server's SQL text) matches"),
  SESSION("glob", "Spark Connect sessions whose id matches"),
  USER("glob", "users of Spark Connect, a Thrift server or Kyuubi whose name matches"),
  POOL("pool", "what runs in this pool (`spark.scheduler.pool`)");

  /** How the user's part is called: a pattern, or a name as it is. */
  final String part;

  /** Whom a key of this kind speaks of. */
  final String whom;

  Kind(String part, String whom) {
    this.part = part;
    this.whom = whom;
  }

  boolean isPattern() {
    return this != POOL;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What its keys begin with. */
  String prefix() {
    return Keys.PREFIX + word() + ".";
  }
}
