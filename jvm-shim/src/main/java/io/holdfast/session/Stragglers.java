package io.holdfast.session;

import io.holdfast.bridge.Engine;
import io.holdfast.bridge.NativeEngine;
import io.holdfast.bridge.Pick;
import io.holdfast.config.Keys;
import io.holdfast.history.History;
import io.holdfast.history.Sample;
import io.holdfast.identity.JobBound;
import java.util.Properties;

/**
 * What the engine is asked about copies, and, where it says which task is next, is told and asked
 * for that: bounds, sizes, progress, picks. Any thread may call it; it takes the session's lock.
 */
public final class Stragglers {
  /** For how long the answer of an ordinary job is waited for. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  /** The rule that goes by samples. */
  private static final String LEARNS = "grass";

  private final Session session;
  private final Lifecycle life;
  private final Jobs jobs;
  private final Executors executors;
  private final History history;

  Stragglers(Session session, Lifecycle life, Jobs jobs, Executors executors, History history) {
    this.session = session;
    this.life = life;
    this.jobs = jobs;
    this.executors = executors;
    this.history = history;
  }

  /** Whether the engine says which task is next, and has to be told more for it. Needs no lock. */
  public boolean told() {
    if (!life.live()) return false;
    Engine engine = life.engine();
    return engine != null && engine.picks();
  }

  /** Whether what it says counts. Needs no lock. */
  public boolean picking() {
    return told() && session.enforcing();
  }

  /**
   * A job begins: says, once, what bounds its answer. After a deadline the job is an ordinary one.
   *
   * @param stage its result stage: only of that tasks may be missing
   * @param barrier whether that stage's tasks run all at once
   * @param leftMillis for how long an approximate action of Spark's waits; {@link #UNBOUNDED} for
   *     other jobs
   * @param local properties of the submitting thread, or null
   */
  public void bounded(int jobId, int stage, boolean barrier, long leftMillis, Properties local) {
    synchronized (session) {
      JobRef job = life.live() ? jobs.find(jobId) : null;
      if (job == null || job.bounded) return;
      job.bounded = true;
      recall();
      JobBound bound = JobBound.of(local, session.settings());
      if (!bound.some() && leftMillis == UNBOUNDED) return;
      String ignored = ignored(barrier, local);
      if (ignored != null && bound.some()) bound.ignored(ignored);
      if (ignored == null) bound(jobId, stage, bound, leftMillis);
    }
  }

  /** Returns why a bound changes nothing, or null. */
  private String ignored(boolean barrier, Properties local) {
    if (!told())
      return Keys.STRAGGLERS.name() + "=" + session.settings().stragglers() + "; use grass";
    if (barrier) return "a barrier stage needs all of its tasks; unset it for such jobs";
    if (JobBound.isStreaming(local))
      return "a streaming batch needs all of its tasks; unset it there";
    return null;
  }

  /** Tells what jobs of earlier applications taught, once that is read. */
  private void recall() {
    if (!session.settings().stragglers().equals(LEARNS)) return;
    for (Sample s : history.recallSamples())
      life.step(
          NativeEngine.SAMPLED,
          s.kind(),
          s.tasks(),
          s.value(),
          s.utilization(),
          s.accuracy(),
          s.score());
  }

  private void bound(int job, int stage, JobBound bound, long leftMillis) {
    long left = bound.deadlineMillis() == null ? leftMillis : bound.deadlineMillis();
    left = Math.min(left, leftMillis);
    if (left <= 0) return; // Spark's action does not wait: whoever does wants the whole answer
    if (left != UNBOUNDED) {
      int millis = (int) Math.min(left, Integer.MAX_VALUE);
      life.step(NativeEngine.STAGE_BOUNDED, job, stage, NativeEngine.DEADLINE, millis, 0, 0);
      return;
    }
    boolean exact = bound.error() > 0 && !bound.partial();
    if (exact) bound.ignored("the job's action waits for all partitions, as with 0");
    int error = exact ? 0 : bound.error();
    life.step(NativeEngine.STAGE_BOUNDED, job, stage, NativeEngine.ERROR, error, 0, 0);
  }

  /** How much each task of a set reads, in any unit; before its first launch. */
  public void sized(SetRef set, int[] units) {
    synchronized (session) {
      if (!told() || set.over) return;
      for (int task = 0; task < units.length; task++)
        life.step(NativeEngine.TASK_SIZED, set.id, task, units[task], 0, 0, 0);
    }
  }

  /** An attempt has read this share of its input, in millionths; unknown ones are ignored. */
  public void progressed(long attempt, int share) {
    synchronized (session) {
      if (told()) life.step(NativeEngine.PROGRESSED, (int) attempt, share, 0, 0, 0, 0);
    }
  }

  /** What the set launches next on this executor: {@link Pick} reads it. */
  public long pick(SetRef set, String executor) {
    synchronized (session) {
      ExecutorRef e = executors.find(executor);
      if (!picking() || set.over || e == null) return Pick.HOST;
      long pick = life.engine().pick(set.id, e.id);
      life.checkFailure();
      return pick;
    }
  }

  /** Whether {@link #copy} could name a task of some set. */
  public boolean mayCopy() {
    return picking() || session.asking();
  }

  /** Whether {@link #copy} could name a task of this set on some executor. */
  public boolean wantsCopies(SetRef set) {
    synchronized (session) {
      boolean wanted = mayCopy() && !set.over && life.engine().wantsCopies(set.id);
      life.checkFailure();
      return wanted;
    }
  }

  /** The task of this set that should get a copy on this executor now, or -1. */
  public int copy(SetRef set, String executor) {
    synchronized (session) {
      ExecutorRef e = executors.find(executor);
      if (!life.live() || set.over || e == null) return -1;
      int task = life.engine().copy(set.id, e.id);
      life.checkFailure();
      return task;
    }
  }
}
