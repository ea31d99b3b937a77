package io.holdfast.session;

import io.holdfast.bridge.NativeEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The executors, what runs on them, and what is free in the current round of offers. */
final class Executors {
  private record Attempt(SetRef set, ExecutorRef executor) {}

  private final Map<String, ExecutorRef> byName = new HashMap<>();
  private final Map<Integer, int[]> profiles = new HashMap<>();
  private final Map<Long, Attempt> attempts = new HashMap<>();
  private final List<ExecutorRef> offered = new ArrayList<>();
  private final List<ExecutorRef> withPending = new ArrayList<>();
  private final Jobs.Steps steps;
  private final Jobs.Labels labels;
  private SetRef pendingOwner;
  private int next;

  Executors(Jobs.Steps steps, Jobs.Labels labels) {
    this.steps = steps;
    this.labels = labels;
  }

  private void step(int kind, int a, int b) {
    steps.step(kind, a, b, 0, 0, 0, 0);
  }

  void defineProfile(int profile, int cpu, int custom0, int custom1) {
    profiles.put(profile, new int[] {cpu, 0, custom0, custom1});
  }

  /** What one task of a profile asks for; null if it is not defined. */
  int[] demand(int profile) {
    return profiles.get(profile);
  }

  /** Null if it has not been offered yet, or is lost. */
  ExecutorRef find(String name) {
    return byName.get(name);
  }

  ExecutorRef add(String name, int profile) {
    ExecutorRef e = new ExecutorRef(next++, profile);
    byName.put(name, e);
    return e;
  }

  /** Forgets it and what runs on it; null if it is not known. */
  ExecutorRef remove(String name) {
    ExecutorRef e = byName.remove(name);
    if (e == null) return null;
    attempts.values().removeIf(a -> a.executor() == e);
    offered.remove(e);
    return e;
  }

  void beginRound() {
    offered.clear();
    dropPending();
  }

  /**
   * An executor in this round.
   *
   * @param cpu free, in thousandths of a core; custom resources likewise
   * @param barred whether Spark gives it nothing new
   */
  void offer(String name, int profile, int cpu, int custom0, int custom1, boolean barred) {
    ExecutorRef e = find(name);
    boolean isNew = e == null;
    if (isNew) {
      e = add(name, profile);
      labels.name(NativeEngine.NAME_EXECUTOR, e.id, name);
    }
    for (long attempt : unsent(e, cpu, custom0, custom1))
      step(NativeEngine.SLOT_FREED, (int) attempt, NativeEngine.NOT_FINISHED);
    if (e.offered(cpu, custom0, custom1) || isNew) {
      int[] c = e.capacity;
      steps.step(NativeEngine.EXECUTOR_ADDED, e.id, e.profile, c[0], c[1], c[2], c[3]);
    }
    bar(e, barred);
    offered.add(e);
  }

  private void bar(ExecutorRef e, boolean barred) {
    if (e.barred == barred) return;
    e.barred = barred;
    step(NativeEngine.EXECUTOR_BARRED, e.id, barred ? 1 : 0);
  }

  /** Gets no new tasks from now on. */
  void decommissioned(String name) {
    ExecutorRef e = find(name);
    if (e != null) bar(e, true);
  }

  /** Is gone, with all that ran on it. */
  void lost(String name) {
    ExecutorRef e = remove(name);
    if (e != null) step(NativeEngine.EXECUTOR_LOST, e.id, 0);
  }

  /** Those of this round that a set of this profile may use. */
  List<ExecutorRef> usableFor(int profile) {
    // Spark may run a set on executors of another profile when it asks for no resources of its own.
    boolean own = offered.stream().anyMatch(e -> e.profile == profile);
    return offered.stream().filter(e -> !e.barred && (!own || e.profile == profile)).toList();
  }

  void launched(SetRef set, long attempt, ExecutorRef e) {
    if (pendingOwner == set && withPending.remove(e))
      ExecutorRef.subtract(e.pending, set.shape.demand());
    ExecutorRef.add(e.running, set.shape.demand());
    ExecutorRef.subtract(e.free, set.shape.demand());
    attempts.put(attempt, new Attempt(set, e));
  }

  /** False if the attempt is not known: its executor may have taken it along. */
  boolean freed(long attempt) {
    Attempt a = attempts.remove(attempt);
    if (a == null) return false;
    ExecutorRef.subtract(a.executor().running, a.set().shape.demand());
    return true;
  }

  /**
   * Attempts that Spark has launched and never sent: it aborts the set of a task that is larger
   * than {@code spark.rpc.message.maxSize}, and says nothing of those. They are found when an
   * executor offers more than it has beside them. Called under Spark's lock.
   */
  List<Long> unsent(ExecutorRef e, int cpu, int custom0, int custom1) {
    if (!e.exceeds(cpu, custom0, custom1)) return List.of();
    List<Long> over = new ArrayList<>();
    attempts.forEach(
        (attempt, a) -> {
          if (a.executor() == e && (a.set().over || a.set().shape.zombie().getAsBoolean()))
            over.add(attempt);
        });
    Collections.sort(over);
    List<Long> unsent = new ArrayList<>();
    for (long attempt : over) {
      if (!e.exceeds(cpu, custom0, custom1)) break;
      freed(attempt);
      unsent.add(attempt);
    }
    return unsent;
  }

  /** A task of a barrier set has a slot that Spark may take back. */
  void pending(SetRef set, ExecutorRef e) {
    pendingOwner = set;
    withPending.add(e);
    ExecutorRef.add(e.pending, set.shape.demand());
  }

  /** A round serves one set after the other: what another one had pending is decided by now. */
  void asks(SetRef set) {
    if (pendingOwner != set) dropPending();
  }

  private void dropPending() {
    if (pendingOwner == null) return;
    for (ExecutorRef e : withPending) Arrays.fill(e.pending, 0);
    withPending.clear();
    pendingOwner = null;
  }
}
