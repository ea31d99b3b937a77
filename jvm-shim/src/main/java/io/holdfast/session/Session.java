package io.holdfast.session;

import io.holdfast.bridge.Engine;
import io.holdfast.bridge.NativeEngine;
import io.holdfast.bridge.Wake;
import io.holdfast.config.Settings;
import io.holdfast.history.History;
import io.holdfast.identity.Identity;
import io.holdfast.names.Kind;
import io.holdfast.notice.Notices;
import io.holdfast.report.Accounts;
import io.holdfast.report.Report;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;

/**
 * One application's conversation with its engine: translates Spark's names into ids and Spark's
 * calls into events. It decides nothing. Any thread may call it; nobody waits for Spark in here. It
 * passes through (and {@link #live} is false) until {@link #open}, after {@link #close}, and after
 * the first error.
 */
public final class Session implements History.Source {
  private final Settings settings;
  private final boolean enforces; // asked for each set in each round
  private final Timekeeper time;
  private final SparkSide spark;
  private final Jobs jobs;
  private final Executors executors;
  private final Asks asks;
  private final Figures figures;
  private final Lifecycle life;
  private final Stragglers stragglers;
  private final Missed missed = new Missed();

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
    this.spark = spark;
    this.time = time;
    jobs = new Jobs(this::step, this::label, history);
    executors = new Executors(this::step, this::label);
    asks = new Asks(executors);
    figures = new Figures(new Report(settings, version), asks, jobs, history);
    life = new Lifecycle(this, time, jobs, history, figures);
    stragglers = new Stragglers(this, life, jobs, executors, history);
  }

  /** The parsed configuration. */
  public Settings settings() {
    return settings;
  }

  /** What is told and asked where the engine says which task is next. */
  public Stragglers stragglers() {
    return stragglers;
  }

  /**
   * Starts the engine; later calls do nothing.
   *
   * @throws HoldfastRequired if it cannot start and is required
   */
  public synchronized void open(String applicationId) {
    life.open(applicationId);
  }

  /**
   * It cannot even be opened: Spark goes on without it. Said once, though each task set tries.
   *
   * @throws HoldfastRequired if it is required
   */
  public void unavailable(Throwable cause) {
    life.unavailable(cause);
  }

  /** Whether {@link #open} has still to be called. */
  public synchronized boolean unopened() {
    return life.unopened();
  }

  /** Whether events are wanted. */
  public boolean live() {
    return life.live();
  }

  /** Whether answers may differ from "allow". */
  public boolean enforcing() {
    return life.live() && enforces;
  }

  /** Number of the current round of offers. */
  public long round() {
    return asks.round();
  }

  /**
   * An exception of the translation itself counts like one of the engine. Throws nothing, whatever
   * else fails.
   */
  public void fail(String where, Throwable cause) {
    life.fail(where, cause);
  }

  private void step(int kind, int a, int b, int c, int d, int e, int f) {
    life.step(kind, a, b, c, d, e, f);
  }

  private void step(int kind, int a, int b) {
    life.step(kind, a, b, 0, 0, 0, 0);
  }

  private void label(int kind, int id, String name) {
    life.engine().name(kind, id, name);
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
    if (!life.live()) return;
    executors.defineProfile(profile, cpu, custom0, custom1);
    step(NativeEngine.PROFILE_DEFINED, profile, runsOn, cpu, 0, custom0, custom1);
  }

  /** A pool that shares fairly with others; only the first time counts. */
  public synchronized void definePool(Properties local, boolean fair, int weight, int minShare) {
    if (life.live()) jobs.pools().define(Pools.name(local), fair, weight, minShare);
  }

  /** Begins a round of offers, over all executors or some; {@link #offer} follows for each. */
  public synchronized void beginRound(boolean ofAll) {
    asks.beginRound();
    if (ofAll) life.wake().roundBegins();
    // What is over is over in this round, whether or not the ticker has come to it.
    if (life.live() && life.engine().overdue()) tick();
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
    if (life.live()) executors.offer(name, profile, cpu, custom0, custom1, barred);
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
    if (!life.live()) return false;
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
    if (!life.live()) return null;
    JobRef job = jobs.find(jobId);
    if (job == null) {
      Identity identity = Identity.of(properties, jobId, settings);
      job = jobs.submit(jobId, identity, properties, identity.named() || endsInShuffle);
    }
    jobs.planned(job, plan);
    SetRef.Shape shape = new SetRef.Shape(tasks, profile, executors.demand(profile), kind, zombie);
    SetRef set = jobs.begin(job, stage, fillsCache, shape);
    return life.live() ? set : null;
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
    else if (settings.clients().started(id, group, user) && life.live())
      jobs.reprioritise(settings);
  }

  /** Spark Connect begins an operation, whose jobs all have this tag. */
  public void operation(String id, String tag, String plan) {
    settings.clients().operation(id, tag, plan);
  }

  /** The user said that no further job of this scope comes. */
  public synchronized void closeWorkflow(String scope) {
    jobs.closeWorkflow(Identity.ofScope(scope));
  }

  /** A name has another priority from now on, for what runs already, too. */
  synchronized void reprioritise(Kind kind, String name, int priority) {
    settings.priorities().put(kind, name, priority);
    if (life.live()) jobs.reprioritise(settings);
  }

  /** Spark has committed a launch; local: its input is as near as it gets, or does not matter. */
  public synchronized void launched(
      SetRef set, long attempt, int task, String executor, boolean local) {
    ExecutorRef e = executors.find(executor);
    if (!life.live() || set.over || e == null) return;
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
    return enforcing() && life.engine().restricts();
  }

  /** May this set use a slot of this executor in this round? {@link Asks} names the answers. */
  public synchronized int ask(SetRef set, String executor) {
    ExecutorRef e = executors.find(executor);
    if (!life.live() || set.over || e == null) return Asks.ALLOW;
    int answer = asks.ask(life.engine(), set, e);
    life.checkFailure();
    return answer;
  }

  /** Spark has given a task of a barrier set a slot that it may take back. */
  public synchronized void pending(SetRef set, String executor) {
    ExecutorRef e = executors.find(executor);
    if (e != null) executors.pending(set, e);
  }

  /** Whether some executor could allow this set something now. */
  public synchronized boolean admits(SetRef set) {
    boolean admitted = !asking() || set.over || asks.admits(life.engine(), set);
    life.checkFailure();
    return admitted;
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
    if (!life.live()) return;
    long now = time.nanoTime();
    Wake wake = life.wake();
    if (wake.neglected(now)) Ticker.serve(this, wake.take(now));
    reconcileLate();
  }

  /** Ends what Spark has ended unheard; from the DAG scheduler's thread. */
  public synchronized void reconcile() {
    if (life.live()) missed.pass(jobs, time.nanoTime(), spark, true);
  }

  /** The same from another thread: often only while task sets wait for what may be kept in vain. */
  private synchronized void reconcileLate() {
    if (life.live()) missed.pass(jobs, time.nanoTime(), spark, life.engine().restricts());
  }

  /** Native log records. */
  void housekeeping() {
    Engine engine = life.engine();
    if (engine != null) engine.passOn();
    counters(); // what is shown should the engine fail
    reconcileLate();
  }

  /** What this application has learned, for the history. */
  @Override
  public synchronized History.Learned learned() {
    return life.live() ? life.learned() : History.Learned.NOTHING;
  }

  /** What the metrics show, by name; all 0 before the engine runs. */
  public synchronized Map<String, Number> counters() {
    return figures.counters(life.engine());
  }

  /** The sums of workflows and users that the metrics show, see {@link Accounts#sums}. */
  public Map<String, Number> sums() {
    return accounts().sums();
  }

  /** Counters as JSON, see {@code Holdfast.status()}. */
  String status(String failure) {
    Accounts accounts = accounts();
    synchronized (this) {
      return figures.status(life.engine(), failure, accounts);
    }
  }

  /** Parsed without the lock: whoever places tasks waits for that. */
  private Accounts accounts() {
    byte[] json;
    synchronized (this) {
      Engine engine = life.engine();
      json = engine == null ? null : engine.accounts();
    }
    return figures.accounts(json);
  }

  /** The application ends: nobody needs a slot any more. Later calls do nothing. Throws nothing. */
  public void close() {
    life.close();
  }
}
