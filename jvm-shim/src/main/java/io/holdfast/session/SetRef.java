package io.holdfast.session;

import io.holdfast.bridge.NativeEngine;
import java.util.function.BooleanSupplier;

/** A task set that the engine knows. */
public final class SetRef {
  /**
   * What stays as it was submitted.
   *
   * @param demand what one task asks for, in the engine's units
   * @param kind of its stage, as {@link NativeEngine} names it
   * @param zombie whether Spark launches nothing of the set any more
   */
  record Shape(int tasks, int profile, int[] demand, int kind, BooleanSupplier zombie) {
    boolean barrier() {
      return kind == NativeEngine.BARRIER;
    }
  }

  final int id;
  final JobRef job;
  final Shape shape;

  /** The engine has forgotten it, with its job. */
  boolean over;

  /** In which round a barrier set was last decided, and how. */
  long barrierRound = -1;

  boolean barrierFits;

  /** The last round that it sat out because no executor could allow it anything. */
  long refusedRound = -1;

  SetRef(int id, JobRef job, Shape shape) {
    this.id = id;
    this.job = job;
    this.shape = shape;
  }

  /** Priority of its workflow: larger is more important. */
  public int priority() {
    return job.workflow.priority;
  }
}
