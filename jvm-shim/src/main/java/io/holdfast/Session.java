package io.holdfast;

import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * One application's conversation with its engine: translates Spark's names into ids and Spark's
 * calls into events. It decides nothing. Any thread may call it; nobody waits for Spark in here. It
 * passes through (and {@link #live} is false) until {@link #open}, after {@link #close}, and after
 * the first error.
 */
public final class Session {
  private final Settings settings;
  private final boolean enforces; // asked for each set in each round
  private final Timekeeper time;
  private final Wake wake = new Wake();
  private final SparkSide spark;
  private final Report report;
  private final History history;
  private final Jobs jobs;
  private final Executors executors;
  private final Asks asks;
  private final Missed missed = new Missed();
  private Engine engine;
  private volatile boolean live;
  private boolean closed;
  private volatile boolean failed; // and that has been said
  private volatile boolean off; // it cannot be opened, and that has been said
  private byte[] lastPatterns;
  private volatile long round;

  /**
   * @param version of Spark, for banner and log
   * @param history of earlier applications; begun and ended by the session
   */
  public Session(Settings settings, String version, History history, SparkSide spark) {
    this(settings, version, history, spark, Timekeeper.REAL);
  }

  Session(Settings settings, String version, History history, SparkSide spark, Timekeeper time) {
    this.settings = settings;
    enforces = settings.enforces();
    this.history = history;
    this.spark = spark;
    this.time = time;
    Jobs.Labels labels = (kind, id, name) -> engine.name(kind, id, name);
    jobs = new Jobs(this::step, labels, history);
    executors = new Executors(this::step, labels);
    asks = new Asks(executors);
    report = new Report(settings, version);
  }

  /** The parsed configuration. */
  public Settings settings() {
    return settings;
  }

  /**
   * Starts the engine; later calls do nothing.
   *
   * @throws HoldfastRequired if it cannot start and is required
   */
  public synchronized void open(String applicationId) {
    if (!unopened()) return;
    try {
      NativeLoader.load(settings.nativePath());
      engine = Engine.open(report, applicationId, time.log(settings, applicationId), time, wake);
      if (settings.panicAfter() > 0) engine.panicAfter(settings.panicAfter());
      history.start(applicationId, this);
      String banner = report.banner();
      live = true;
      Status.on(this);
      time.keep(this, wake);
      Notices.show(banner);
    } catch (Throwable e) {
      live = false;
      closed = true;
      attempt(wake::close);
      if (engine != null) attempt(engine::close);
      engine = null;
      unavailable(e);
    }
  }

  /**
   * It cannot even be opened: Spark goes on without it. Said once, though each task set tries.
   *
   * @throws HoldfastRequired if it is required
   */
  public void unavailable(Throwable cause) {
    close();
    if (off && !settings.required()) return;
    off = true;
    try {
      Notices.unavailable(settings, cause);
    } catch (HoldfastRequired e) {
      throw e;
    } catch (Throwable e) {
      if (settings.required()) throw new HoldfastRequired(cause.toString(), cause);
    }
  }

  /** What is over anyway must not fail because of one part of it. */
  private void attempt(Runnable part) {
    try {
      part.run();
    } catch (Throwable e) {
      if (!failed) Notices.warn("Holdfast could not end in order", e);
      failed = true;
    }
  }

  /** Whether {@link #open} has still to be called. */
  public synchronized boolean unopened() {
    return engine == null && !closed && settings.problems().isEmpty();
  }

  /** Whether events are wanted. */
  public boolean live() {
    return live;
  }

  /** Whether answers may differ from "allow". */
  public boolean enforcing() {
    return live && enforces;
  }

  /** Number of the current round of offers. */
  public long round() {
    return round;
  }

  /**
   * An exception of the translation itself counts like one of the engine. Throws nothing, whatever
   * else fails.
   */
  public void fail(String where, Throwable cause) {
    boolean before = live;
    try {
      synchronized (this) {
        if (engine == null) return;
        engine.fail(where, cause);
        checkFailure();
      }
    } catch (Throwable e) {
      live = false;
    }
    failed = true;
    // Not by the ticker: it may be what has failed.
    if (before && !live) attempt(this::revive);
  }

  private void step(int kind, int a, int b, int c, int d, int e, int f) {
    if (!live) return;
    engine.step(kind, a, b, c, d, e, f);
    checkFailure();
  }

  private void step(int kind, int a, int b) {
    step(kind, a, b, 0, 0, 0, 0);
  }

  private void checkFailure() {
    if (live && engine.failure() != null) {
      live = false;
      wake.reoffer(); // who was refused may launch now, and a local master offers nothing by itself
      Status.failed(this, engine.failure());
    }
  }

  /** Whether {@link #defineProfile} has been called for it. */
  public synchronized boolean knowsProfile(int profile) {
    return executors.demand(profile) != null;
  }

  /**
   * A resource profile: what one task asks for, in thousandths, and whose executors it runs on. The
   * engine forgets one that nothing names for long: it is said again before each task set.
   */
  public synchronized void defineProfile(
      int profile, int runsOn, int cpu, int custom0, int custom1) {
    if (!live) return;
    executors.defineProfile(profile, cpu, custom0, custom1);
    step(NativeEngine.PROFILE_DEFINED, profile, runsOn, cpu, 0, custom0, custom1);
  }

  /** A pool that shares fairly with others; only the first time counts. */
  public synchronized void definePool(Properties local, boolean fair, int weight, int minShare) {
    if (live) jobs.pools().define(Pools.name(local), fair, weight, minShare);
  }

  /** Begins a round of offers, over all executors or some; {@link #offer} follows for each. */
  public synchronized void beginRound(boolean ofAll) {
    round++;
    if (ofAll) wake.roundBegins();
    executors.beginRound();
    // What is over is over in this round, whether or not the ticker has come to it.
    if (live && engine.overdue()) tick();
  }

  /**
   * An executor in this round.
   *
   * @param profile its resource profile, defined before
   * @param cpu free, in thousandths of a core; custom resources likewise
   * @param barred whether Spark gives it nothing new (excluded after failures)
   */
  public synchronized void offer(
      String name, int profile, int cpu, int custom0, int custom1, boolean barred) {
    if (live) executors.offer(name, profile, cpu, custom0, custom1, barred);
  }

  /** The executor gets no new tasks from now on. */
  public synchronized void decommissioned(String name) {
    executors.decommissioned(name);
  }

  /** The executor is gone, with all that ran on it. */
  public synchronized void executorLost(String name) {
    executors.lost(name);
  }

  /** Whether a plan is wanted with the next task set of this stage. */
  public synchronized boolean wantsPlan(int job, int stage) {
    if (!live) return false;
    JobRef known = jobs.find(job);
    return known == null || !known.planned.contains(stage);
  }

  /**
   * A task set begins; says before it what the engine needs to know of its job.
   *
   * @param kind of the stage, as {@link NativeEngine} names it
   * @param properties local properties of the submitting thread, or null
   * @param endsInShuffle whether the job's final stage is a shuffle map stage: another job follows
   * @param plan stage, tasks, tasks and profile of what follows it, signature; again and again
   * @param zombie whether Spark launches nothing of the set any more
   * @return null if the session is not live
   */
  public synchronized SetRef submitted(
      int jobId,
      int stage,
      int tasks,
      int profile,
      int kind,
      boolean fillsCache,
      Properties properties,
      boolean endsInShuffle,
      int[] plan,
      BooleanSupplier zombie) {
    if (!live) return null;
    JobRef job = jobs.find(jobId);
    if (job == null) {
      Identity identity = Identity.of(properties, jobId, settings);
      job = jobs.submit(jobId, identity, properties, identity.named() || endsInShuffle);
    }
    jobs.planned(job, plan);
    SetRef.Shape shape = new SetRef.Shape(tasks, profile, executors.demand(profile), kind, zombie);
    SetRef set = jobs.begin(job, stage, fillsCache, shape);
    return live ? set : null;
  }

  /** The task set launches nothing any more. */
  public synchronized void ended(SetRef set) {
    jobs.ended(set);
  }

  /** Spark has said that a job is over. */
  public synchronized void jobEnded(int jobId, boolean succeeded) {
    jobs.ended(jobId, succeeded);
  }

  /** A SQL execution is over, and with it the workflow that it names, or a run of another one. */
  public synchronized void executionEnded(long execution) {
    jobs.executionEnded(execution);
  }

  /** A SQL server begins a user's statement in this group, or, without both, has closed it. */
  public synchronized void statement(String id, String group, String user) {
    if (group == null || user == null) settings.clients().closed(id);
    else if (settings.clients().started(id, group, user) && live) jobs.reprioritise(settings);
  }

  /** The user said that no further job of this scope comes. */
  public synchronized void closeWorkflow(String scope) {
    jobs.closeWorkflow(Identity.ofScope(scope));
  }

  /** A name has another priority from now on, for what runs already, too. */
  synchronized void reprioritise(Kind kind, String name, int priority) {
    settings.priorities().put(kind, name, priority);
    if (live) jobs.reprioritise(settings);
  }

  /** Spark has committed a launch; local: its input is as near as it gets, or does not matter. */
  public synchronized void launched(
      SetRef set, long attempt, int task, String executor, boolean local) {
    ExecutorRef e = executors.find(executor);
    if (!live || set.over || e == null) return;
    executors.launched(set, attempt, e);
    step(NativeEngine.LAUNCHED, (int) attempt, set.id, task, e.id, local ? 1 : 0, 0);
  }

  /** An attempt has left its slot, with one of {@link NativeEngine}'s outcomes; before an offer. */
  public synchronized void freed(long attempt, int outcome) {
    if (executors.freed(attempt)) step(NativeEngine.SLOT_FREED, (int) attempt, outcome);
  }

  /** A finished task has to run again. */
  public synchronized void unfinished(SetRef set, int task) {
    if (!set.over) step(NativeEngine.UNFINISHED, set.id, task);
  }

  /** A task is done without an attempt of this set. */
  public synchronized void finishedElsewhere(SetRef set, int task) {
    if (!set.over) step(NativeEngine.FINISHED_ELSEWHERE, set.id, task);
  }

  /** Whether {@link #ask} could answer anything but {@link Asks#ALLOW}. */
  public synchronized boolean asking() {
    return enforcing() && engine.restricts();
  }

  /** May this set use a slot of this executor in this round? {@link Asks} names the answers. */
  public synchronized int ask(SetRef set, String executor) {
    ExecutorRef e = executors.find(executor);
    if (!live || set.over || e == null) return Asks.ALLOW;
    int answer = asks.ask(engine, set, e, round);
    checkFailure();
    return answer;
  }

  /** Spark has given a task of a barrier set a slot that it may take back. */
  public synchronized void pending(SetRef set, String executor) {
    ExecutorRef e = executors.find(executor);
    if (e != null) executors.pending(set, e);
  }

  /** Whether some executor could allow this set something now. */
  public synchronized boolean admits(SetRef set) {
    boolean admitted = !asking() || set.over || asks.admits(engine, set, round);
    checkFailure();
    return admitted;
  }

  /** Whether {@link #copy} could name a task on some executor. */
  public synchronized boolean wantsCopies(SetRef set) {
    boolean wanted = asking() && !set.over && engine.wantsCopies(set);
    checkFailure();
    return wanted;
  }

  /** The task of this set that should get a copy on this executor now, or -1. */
  public synchronized int copy(SetRef set, String executor) {
    ExecutorRef e = executors.find(executor);
    if (!live || set.over || e == null) return -1;
    int task = engine.copy(set, e);
    checkFailure();
    return task;
  }

  synchronized void tick() {
    step(NativeEngine.TICK, 0, 0);
  }

  void revive() {
    if (!enforces) return; // nobody was refused anything: one round more would differ from Spark's
    try {
      spark.revive();
    } catch (Exception e) { // Spark's are checked ones that nobody declares
      Notices.warnOnce(Notices.About.SELF, "free slots could not be offered again: " + e);
    }
  }

  /**
   * An executor has sent a heartbeat: a thread of Spark's that sees whether the ticker is stuck.
   */
  public void heartbeat() {
    if (!live) return;
    long now = time.nanoTime();
    if (wake.neglected(now)) Ticker.serve(this, wake.take(now));
    reconcileLate();
  }

  /** Ends what Spark has ended unheard; from the DAG scheduler's thread. */
  public synchronized void reconcile() {
    if (live) missed.pass(jobs, time.nanoTime(), spark, true);
  }

  /** The same from another thread: often only while task sets wait for what may be kept in vain. */
  private synchronized void reconcileLate() {
    if (live) missed.pass(jobs, time.nanoTime(), spark, engine.restricts());
  }

  /** Native log records. */
  void housekeeping() {
    if (engine != null) engine.passOn();
    counters(); // what is shown should the engine fail
    reconcileLate();
  }

  /** What the workflows repeat, for the history; null when that is not known any more. */
  synchronized byte[] patterns() {
    return live ? engine.patterns() : null;
  }

  /** What the metrics show, by name; all 0 before the engine runs. */
  public synchronized Map<String, Number> counters() {
    long[] totals = engine == null ? new long[NativeEngine.TOTALS] : engine.totals();
    return report.counters(totals, asks.vetoes(), engine != null && engine.failure() != null);
  }

  /** The sums of workflows and users that the metrics show, see {@link Accounts#sums}. */
  public Map<String, Number> sums() {
    return accounts().sums();
  }

  /** Counters as JSON, see {@code Holdfast.status()}. */
  String status(String failure) {
    Accounts accounts = accounts();
    synchronized (this) {
      return report.status(engine.totals(), asks.vetoes(), failure, accounts, history.known());
    }
  }

  /** Parsed without the lock: whoever places tasks waits for that. */
  private Accounts accounts() {
    byte[] json;
    synchronized (this) {
      json = engine == null ? null : engine.accounts();
    }
    return Accounts.read(json, jobs::workflow);
  }

  /** The application ends: nobody needs a slot any more. Later calls do nothing. Throws nothing. */
  public void close() {
    synchronized (this) {
      if (closed) return;
      closed = true;
    }
    attempt(this::end);
    live = false;
    attempt(wake::close);
    if (engine == null) return;
    attempt(this::housekeeping);
    attempt(engine::close);
    attempt(() -> history.close(lastPatterns, time.patienceMillis()));
  }

  private synchronized void end() {
    if (engine == null) return;
    lastPatterns = engine.patterns();
    jobs.closeAll();
    Notices.show(report.summary(engine.totals(), asks.vetoes()));
    accounts().lines().forEach(Notices::show);
    Status.ended(this);
    live = false;
    engine.rest();
  }
}
