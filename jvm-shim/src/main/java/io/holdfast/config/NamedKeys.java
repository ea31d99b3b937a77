// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
package io.holdfast.config;

import java.util.List;

/** The keys with a part that the user chooses, in the order of the documentation. */
final class NamedKeys {
  private NamedKeys() {}

  static List<Keys.Key> all() {
    return List.of(
        Keys.named(
            "group.<glob>.priority",
            Keys.Type.INTEGER,
            "0",
            "0.1.0",
            "Priority of job groups (`spark.jobGroup.id`) whose name matches. Larger is more"
                + " important; 0 is what everybody has. In a pattern `*` stands for any text, `?`"
                + " for one character; of several that match the one with the most literal"
                + " characters counts. The first of these that applies counts: the thread's local"
                + " property, job group, tag, description, session, user, pool."
                + " `Holdfast.setPriority` changes them while the application runs."),
        Keys.named(
            "tag.<glob>.priority",
            Keys.Type.INTEGER,
            "0",
            "0.1.0",
            "Priority of jobs with a tag (`addJobTag`, in Spark Connect `addTag`) that matches."),
        Keys.named(
            "description.<glob>.priority",
            Keys.Type.INTEGER,
            "0",
            "0.1.0",
            "Priority of jobs whose description (`setJobDescription`, a Thrift server's SQL text)"
                + " matches."),
        Keys.named(
            "session.<glob>.priority",
            Keys.Type.INTEGER,
            "0",
            "0.1.0",
            "Priority of Spark Connect sessions whose id matches."),
        Keys.named(
            "user.<glob>.priority",
            Keys.Type.INTEGER,
            "0",
            "0.1.0",
            "Priority of users of Spark Connect, a Thrift server or Kyuubi whose name matches."),
        Keys.named(
            "pool.<pool>.priority",
            Keys.Type.INTEGER,
            "0",
            "0.1.0",
            "Priority of what runs in this pool (`spark.scheduler.pool`)."),
        Keys.named(
            "group.<glob>.isolation",
            Keys.Type.FRACTION,
            "",
            "0.1.0",
            "Isolation of job groups (`spark.jobGroup.id`) whose name matches, instead of"
                + " `spark.holdfast.isolation`."),
        Keys.named(
            "tag.<glob>.isolation",
            Keys.Type.FRACTION,
            "",
            "0.1.0",
            "Isolation of jobs with a tag (`addJobTag`, in Spark Connect `addTag`) that matches,"
                + " instead of `spark.holdfast.isolation`."),
        Keys.named(
            "description.<glob>.isolation",
            Keys.Type.FRACTION,
            "",
            "0.1.0",
            "Isolation of jobs whose description (`setJobDescription`, a Thrift server's SQL text)"
                + " matches, instead of `spark.holdfast.isolation`."),
        Keys.named(
            "session.<glob>.isolation",
            Keys.Type.FRACTION,
            "",
            "0.1.0",
            "Isolation of Spark Connect sessions whose id matches, instead of"
                + " `spark.holdfast.isolation`."),
        Keys.named(
            "user.<glob>.isolation",
            Keys.Type.FRACTION,
            "",
            "0.1.0",
            "Isolation of users of Spark Connect, a Thrift server or Kyuubi whose name matches,"
                + " instead of `spark.holdfast.isolation`."),
        Keys.named(
            "pool.<pool>.isolation",
            Keys.Type.FRACTION,
            "",
            "0.1.0",
            "Isolation of what runs in this pool (`spark.scheduler.pool`), instead of"
                + " `spark.holdfast.isolation`."),
        Keys.named(
            "session.<glob>.priority.max",
            Keys.Type.INTEGER,
            "",
            "0.1.0",
            "The highest priority of Spark Connect sessions whose id matches, instead of"
                + " `spark.holdfast.priority.max`."),
        Keys.named(
            "user.<glob>.priority.max",
            Keys.Type.INTEGER,
            "",
            "0.1.0",
            "The highest priority of users of Spark Connect, a Thrift server or Kyuubi whose name"
                + " matches, instead of `spark.holdfast.priority.max`."),
        Keys.named(
            "user.<glob>.holds.max",
            Keys.Type.INTEGER,
            "",
            "0.1.0",
            "How many slots the workflows of each user whose name matches hold at once, together."
                + " What they run counts nothing. Unset: no limit."));
  }
}
