package io.holdfast.session;

import io.holdfast.bridge.DecisionLog;
import io.holdfast.bridge.Engine;
import io.holdfast.bridge.NativeLoader;
import io.holdfast.bridge.Wake;
import io.holdfast.config.Settings;
import io.holdfast.history.History;
import io.holdfast.notice.Notices;
import io.holdfast.report.Report;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Starts and ends a session's engine, and gives it up after the first error. The session's lock
 * guards the engine: callers hold it, if not said otherwise.
 */
final class Lifecycle {
  private final Session session;
  private final Settings settings;
  private final Timekeeper time;
  private final Jobs jobs;
  private final History history;
  private final Figures figures;
  private final Wake wake = new Wake();
  private final Trouble trouble;
  private Engine engine; // null before it is opened
  private volatile boolean live;
  private boolean closed;

  Lifecycle(Session session, Timekeeper time, Jobs jobs, History history, Figures figures) {
    this.session = session;
    settings = session.settings();
    this.time = time;
    this.jobs = jobs;
    this.history = history;
    this.figures = figures;
    trouble = new Trouble(settings);
  }

  /** Returns null before the engine is opened, and where it cannot be. */
  Engine engine() {
    return engine;
  }

  /** Returns whether events are wanted; needs no lock. */
  boolean live() {
    return live;
  }

  Wake wake() {
    return wake;
  }

  /** Returns whether {@link #open} has still to be called. */
  boolean unopened() {
    return engine == null && !closed && settings.problems().isEmpty();
  }

  /**
   * Starts the engine; later calls do nothing.
   *
   * @throws HoldfastRequired if it cannot start and is required
   */
  void open(String applicationId) {
    if (!unopened()) return;
    try {
      NativeLoader.load(settings.nativePath());
      Report report = figures.report();
      byte[] header = report.header(applicationId);
      DecisionLog.Opening log = time.log(settings, applicationId);
      engine = Engine.open(report.config(), header, log, time, wake);
      if (settings.panicAfter() > 0) engine.panicAfter(settings.panicAfter());
      history.start(applicationId, session);
      String banner = report.banner();
      live = true;
      Status.on(session);
      time.keep(session, wake);
      Notices.show(banner);
    } catch (Throwable e) {
      live = false;
      closed = true;
      trouble.attempt(wake::close);
      if (engine != null) trouble.attempt(engine::close);
      engine = null;
      unavailable(e);
    }
  }

  /**
   * Lets Spark go on without the engine, which cannot even be opened.
   *
   * @throws HoldfastRequired if it is required
   */
  void unavailable(Throwable cause) {
    close();
    trouble.unavailable(cause);
  }

  void step(int kind, int a, int b, int c, int d, int e, int f) {
    if (!live) return;
    engine.step(kind, a, b, c, d, e, f);
    checkFailure();
  }

  /** Gives the engine up if the call before has failed. */
  void checkFailure() {
    if (live && engine.failure() != null) {
      live = false;
      wake.reoffer(); // who was refused may launch now, and a local master offers nothing by itself
      Status.failed(session, engine.failure());
    }
  }

  /** Counts an error of the translation as one of the engine. Takes the lock; throws nothing. */
  void fail(String where, Throwable cause) {
    boolean before = live;
    try {
      synchronized (session) {
        if (engine == null) return;
        engine.fail(where, cause);
        checkFailure();
      }
    } catch (Throwable e) {
      live = false;
    }
    trouble.failed();
    // Not by the ticker: it may be what has failed.
    if (before && !live) trouble.attempt(session::revive);
  }

  /** Ends the engine; later calls do nothing. Takes the lock; throws nothing. */
  void close() {
    synchronized (session) {
      if (closed) return;
      closed = true;
    }
    AtomicReference<History.Learned> learned = new AtomicReference<>(History.Learned.NOTHING);
    trouble.attempt(() -> end(learned));
    live = false;
    trouble.attempt(wake::close);
    if (engine == null) return;
    trouble.attempt(session::housekeeping);
    trouble.attempt(engine::close);
    trouble.attempt(() -> history.close(learned.get(), time.patienceMillis()));
  }

  /** Returns what the application has learned. */
  History.Learned learned() {
    return new History.Learned(engine.patterns(), engine.picks() ? engine.samples() : null);
  }

  /** Keeps in {@code learned} what this application has learned, even if the rest fails. */
  private void end(AtomicReference<History.Learned> learned) {
    synchronized (session) {
      if (engine == null) return;
      learned.set(learned());
      jobs.closeAll();
      Notices.show(figures.summary(engine));
      figures.accounts(engine.accounts()).lines().forEach(Notices::show);
      Status.ended(session);
      live = false;
      engine.rest();
    }
  }
}
