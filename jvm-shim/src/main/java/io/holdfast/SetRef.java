package io.holdfast;

import java.util.function.BooleanSupplier;

/** A task set that the engine knows. */
public final class SetRef {
  final int id;
  final WorkflowRef workflow;
  final int profile;
  final int[] demand;
  final int tasks;
  final boolean barrier;
  final BooleanSupplier zombie;
  JobRef job;

  /** The engine has forgotten it, with its job. */
  boolean over;

  /** In which round a barrier set was last decided, and how. */
  long barrierRound = -1;

  boolean barrierFits;

  /** The last round that it sat out because no executor could allow it anything. */
  long refusedRound = -1;

  SetRef(
      int id,
      JobRef job,
      int profile,
      int[] demand,
      int tasks,
      boolean barrier,
      BooleanSupplier zombie) {
    this.id = id;
    this.job = job;
    this.workflow = job.workflow;
    this.profile = profile;
    this.demand = demand;
    this.tasks = tasks;
    this.barrier = barrier;
    this.zombie = zombie;
  }

  /** Priority of its workflow: larger is more important. */
  public int priority() {
    return workflow.priority;
  }
}
