package io.holdfast;

/** A workflow as the engine knows it. */
final class WorkflowRef {
  final int id;
  final String name;

  /** Read by the order of task sets without a lock. */
  volatile int priority;

  /** Who submitted its latest job by Spark Connect; null for nobody. Read without a lock. */
  volatile String user;

  /** Micro-batch or statement of its latest job, see {@link Identity#run}; null for others. */
  String run;

  /** Id of the pool of its latest job. */
  int pool;

  /** The user has said that no further job of it comes. */
  boolean closed;

  /** Spark jobs of it that have not ended. */
  int jobs;

  /** Whether another application may use the name, too. */
  final boolean recurs;

  /**
   * What is noted of it for other applications; null before its first plan, and when nothing is.
   */
  History.Seen seen;

  WorkflowRef(int id, String name, boolean recurs) {
    this.id = id;
    this.name = name;
    this.recurs = recurs;
  }
}
