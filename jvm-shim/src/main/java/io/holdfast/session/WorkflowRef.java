package io.holdfast.session;

import io.holdfast.history.History;
import io.holdfast.report.Accounts;
import java.util.ArrayList;
import java.util.List;

/** A workflow as the engine knows it. */
final class WorkflowRef {
  final int id;
  final String name;

  /** Its name without the number that tells it from other runs at the same time. */
  final String base;

  /** The name of what it repeats, see {@link io.holdfast.identity.Identity#lasting}. */
  final String lasting;

  /** Another one knows what it repeats. */
  boolean akin;

  /** Read by the order of task sets without a lock. */
  volatile int priority;

  /** Who submitted its latest job to a server; null for nobody. Read without a lock. */
  volatile String user;

  /**
   * What a client chose and gave it something, see {@link io.holdfast.identity.Identity#claim};
   * null for nothing.
   */
  String claim;

  /** The engine knows whose it is, and how much those hold at most. */
  boolean bounded;

  /**
   * Micro-batch, statement or query of its latest job, see {@link
   * io.holdfast.identity.Identity#run}; null for others.
   */
  String run;

  /** When its latest run has ended, among all ends; 0 if none has. */
  long ended;

  /** The end of its run does not close it, see {@link io.holdfast.identity.Identity#bridged}. */
  boolean bridged;

  /** Id of the pool of its latest job. */
  int pool;

  /** The user has said that no further job of it comes. */
  boolean closed;

  /** Spark jobs of it that have not ended, in the order in which they came. */
  final List<JobRef> jobs = new ArrayList<>();

  /** Whether another application may use the name, too. */
  final boolean recurs;

  /**
   * What is noted of it for other applications; null before its first plan, and when nothing is.
   */
  History.Seen seen;

  WorkflowRef(int id, String name, String base, String lasting, boolean recurs) {
    this.id = id;
    this.name = name;
    this.base = base;
    this.lasting = lasting;
    this.recurs = recurs;
  }

  /** Returns what its account says of it. */
  Accounts.Workflow shown() {
    return new Accounts.Workflow(name, user, recurs);
  }

  /** The job that speaks for it: of those with the largest priority the latest; null without. */
  JobRef first() {
    JobRef first = null;
    for (JobRef job : jobs)
      if (first == null || job.identity.priority() >= first.identity.priority()) first = job;
    return first;
  }
}
