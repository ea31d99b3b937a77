package io.holdfast.session;

import io.holdfast.identity.Identity;
import java.util.HashSet;
import java.util.Properties;
import java.util.Set;

/** A Spark job that the engine knows. */
final class JobRef {
  final int id;
  final WorkflowRef workflow;

  /** Local properties of the thread that submitted it, or null. */
  final Properties properties;

  /** What it says of its workflow; changes with the priorities of names. */
  Identity identity;

  /** Stages that the engine has a plan for. */
  final Set<Integer> planned = new HashSet<>();

  /** What bounds its answer has been looked at. */
  boolean bounded;

  /** Task sets that have not ended. */
  final Set<SetRef> sets = new HashSet<>();

  /** Spark has said that the job is over, while a set of it still runs for another job. */
  boolean ending;

  boolean succeeded;

  JobRef(int id, WorkflowRef workflow, Identity identity, Properties properties) {
    this.id = id;
    this.workflow = workflow;
    this.identity = identity;
    this.properties = properties;
  }
}
