package io.holdfast.session;

import io.holdfast.bridge.Engine;
import io.holdfast.bridge.NativeEngine;

/**
 * What task sets ask the engine, and how often the answer was no. Callers hold the session's lock.
 */
public final class Asks {
  /** Go on as Spark would. */
  public static final int ALLOW = NativeEngine.ALLOW;

  /** As {@link #ALLOW}, and waiting for locality would idle a held slot. */
  public static final int ALLOW_HELD = NativeEngine.ALLOW_HELD;

  /** The set gets nothing there now. */
  public static final int VETO = NativeEngine.VETO_HELD;

  private final Executors executors;
  private long vetoes;
  private volatile long round;

  Asks(Executors executors) {
    this.executors = executors;
  }

  /** Refusals so far. */
  long vetoes() {
    return vetoes;
  }

  void beginRound() {
    round++;
    executors.beginRound();
  }

  /** Number of the current round of offers; needs no lock. */
  long round() {
    return round;
  }

  /** {@link #ALLOW}, {@link #ALLOW_HELD} or {@link #VETO}. */
  int ask(Engine engine, SetRef set, ExecutorRef e) {
    executors.asks(set);
    boolean fits = !set.shape.barrier() || barrierFits(engine, set);
    int answer =
        fits
            ? engine.verdict(set.id, e.id, e.usable(0), e.usable(1), e.usable(2), e.usable(3))
            : VETO;
    if (answer == ALLOW || answer == ALLOW_HELD) return answer;
    vetoes++;
    return VETO;
  }

  /** A barrier set is decided as a whole, once in a round. */
  private boolean barrierFits(Engine engine, SetRef set) {
    if (set.barrierRound == round) return set.barrierFits;
    long room = 0;
    for (ExecutorRef e : executors.usableFor(set.shape.profile()))
      room += engine.barrierRoom(set.id, e.id, e.usable(0), e.usable(1), e.usable(2), e.usable(3));
    set.barrierRound = round;
    set.barrierFits = room >= set.shape.tasks();
    return set.barrierFits;
  }

  /** Whether some executor could allow this set something now. */
  boolean admits(Engine engine, SetRef set) {
    boolean admitted = engine.admits(set.id);
    if (!admitted && set.refusedRound != round) {
      set.refusedRound = round; // Spark may ask several times in a round
      vetoes++;
    }
    return admitted;
  }
}
