package io.holdfast;

/** A workflow as the engine knows it. */
final class WorkflowRef {
  final int id;
  final String name;

  /** Read by the order of task sets without a lock. */
  volatile int priority;

  /** Id of the pool of its latest job. */
  int pool;

  /** The user has said that no further job of it comes. */
  boolean closed;

  /** Spark jobs of it that have not ended. */
  int jobs;

  WorkflowRef(int id, String name) {
    this.id = id;
    this.name = name;
  }
}
