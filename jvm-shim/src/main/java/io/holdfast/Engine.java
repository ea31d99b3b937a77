package io.holdfast;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One native engine, its clock, and the fail-open rule: after the first error every answer is
 * "allow". Callers hold the session's lock.
 */
final class Engine {
  private static final Cleaner CLEANER = Cleaner.create();

  /** Closes a handle once; must not know the engine that it waits for. */
  private static final class Closer implements Runnable {
    private final long handle;
    private final DecisionLog log;
    private final AtomicBoolean closed = new AtomicBoolean();

    Closer(long handle, DecisionLog log) {
      this.handle = handle;
      this.log = log;
    }

    @Override
    public void run() {
      if (!closed.compareAndSet(false, true)) return;
      byte[] left = NativeEngine.close(handle);
      if (log != null) log.end(left);
    }
  }

  /** Names of the event kinds by their numbers, for messages. */
  static final String[] EVENTS = NativeEngine.EVENTS;

  private final long handle;
  private final Timekeeper time;
  private final long origin;
  private final Closer closer;
  private final Wake wake;
  private final DecisionLog log; // null where none is wanted
  private final long[] totals = new long[NativeEngine.TOTALS];
  private long deadline = Long.MAX_VALUE;
  private boolean restricts;
  private boolean resting;
  private volatile String failure;

  private Engine(long handle, DecisionLog log, Timekeeper time, Wake wake) {
    this.handle = handle;
    this.log = log;
    this.time = time;
    this.wake = wake;
    origin = time.nanoTime();
    closer = new Closer(handle, log);
    CLEANER.register(this, closer);
  }

  /**
   * @param log opens where the decision log goes, or null for none
   * @throws IllegalStateException if the native side refuses the configuration
   */
  static Engine open(
      Report report, String applicationId, DecisionLog.Opening log, Timekeeper time, Wake wake) {
    byte[] header = report.header(applicationId);
    long handle = NativeEngine.open(report.config(), header, log != null);
    if (handle < 0) throw new IllegalStateException(lastError((int) handle));
    DecisionLog writer = log == null ? null : new DecisionLog(handle, log);
    Engine engine = new Engine(handle, writer, time, wake);
    if (writer != null) writer.begin();
    return engine;
  }

  /** Null while all is well, else why the engine is not asked any more. */
  String failure() {
    return failure;
  }

  /** Returns whether a deadline has passed of which the engine has not been told. */
  boolean overdue() {
    return deadline != Long.MAX_VALUE && time.nanoTime() >= deadline;
  }

  void step(int kind, int a, int b, int c, int d, int e, int f) {
    if (failure != null) return;
    try {
      long now = time.nanoTime() - origin;
      long result = NativeEngine.step(handle, now, kind, a, b, c, d, e, f);
      if (result < 0) {
        String arguments = a + ", " + b + ", " + c + ", " + d + ", " + e + ", " + f;
        fail(EVENTS[kind] + " (" + arguments + "): " + lastError((int) result), null);
        return;
      }
      long next = NativeEngine.deadline(result);
      deadline = next >= NativeEngine.NO_DEADLINE ? Long.MAX_VALUE : origin + next;
      wake.plan(deadline);
      restricts = NativeEngine.restricts(result);
      if (NativeEngine.reoffer(result)) wake.reoffer();
    } catch (Throwable t) {
      fail(EVENTS[kind], t);
    }
  }

  /** An answer of {@link NativeEngine#verdict}. */
  int verdict(SetRef set, ExecutorRef e) {
    if (failure != null) return NativeEngine.ALLOW;
    try {
      int answer =
          NativeEngine.verdict(
              handle, set.id, e.id, e.usable(0), e.usable(1), e.usable(2), e.usable(3));
      return answer >= 0 ? answer : refused("verdict", answer, NativeEngine.ALLOW);
    } catch (Throwable t) {
      fail("verdict", t);
      return NativeEngine.ALLOW;
    }
  }

  int barrierRoom(SetRef set, ExecutorRef e) {
    if (failure != null) return Integer.MAX_VALUE;
    try {
      int room =
          NativeEngine.barrierRoom(
              handle, set.id, e.id, e.usable(0), e.usable(1), e.usable(2), e.usable(3));
      return room >= 0 ? room : refused("barrier room", room, Integer.MAX_VALUE);
    } catch (Throwable t) {
      fail("barrier room", t);
      return Integer.MAX_VALUE;
    }
  }

  boolean admits(SetRef set) {
    if (failure != null) return true;
    try {
      int answer = NativeEngine.admits(handle, set.id);
      return (answer >= 0 ? answer : refused("admits", answer, 1)) != 0;
    } catch (Throwable t) {
      fail("admits", t);
      return true;
    }
  }

  /** The task that should get a copy there, or -1. */
  int copy(SetRef set, ExecutorRef e) {
    if (failure != null) return -1;
    try {
      int answer = NativeEngine.copy(handle, set.id, e.id);
      return (answer >= 0 ? answer : refused("copy", answer, 0)) - 1;
    } catch (Throwable t) {
      fail("copy", t);
      return -1;
    }
  }

  boolean wantsCopies(SetRef set) {
    if (failure != null) return false;
    try {
      int answer = NativeEngine.wantsCopies(handle, set.id);
      return (answer >= 0 ? answer : refused("wants copies", answer, 0)) != 0;
    } catch (Throwable t) {
      fail("wants copies", t);
      return false;
    }
  }

  /** Whether some ask may be refused now: if none, nothing needs to be asked. */
  boolean restricts() {
    return failure == null && restricts;
  }

  /**
   * The counters up to this moment, idle time included, in the places that {@link NativeEngine}
   * names; after a failure, and once it rests, those that were read last.
   */
  long[] totals() {
    if (failure != null || resting) return totals;
    try {
      int code = NativeEngine.totals(handle, totals);
      if (code < 0) refused("totals", code, 0);
    } catch (Throwable t) {
      fail("totals", t);
    }
    return totals;
  }

  /**
   * The sums of each workflow, as {@link NativeEngine#accounts} gives them; null once the engine
   * has failed, or rests.
   */
  byte[] accounts() {
    if (failure != null || resting) return null;
    try {
      return NativeEngine.accounts(handle);
    } catch (Throwable t) {
      fail("accounts", t);
      return null;
    }
  }

  /**
   * What each workflow repeats, as {@link NativeEngine#patterns} gives it; null after a failure.
   */
  byte[] patterns() {
    if (failure != null) return null;
    try {
      return NativeEngine.patterns(handle);
    } catch (Throwable t) {
      fail("patterns", t);
      return null;
    }
  }

  void name(int kind, int id, String name) {
    if (failure == null) NativeEngine.name(handle, kind, id, Plain.line(name).getBytes(UTF_8));
  }

  void panicAfter(int steps) {
    NativeEngine.testPanic(handle, steps);
  }

  /** Passes on what the native side has said. Not under a lock of Spark's. */
  void passOn() {
    byte[] lines = NativeEngine.drainNativeLog();
    if (lines != null) Notices.passOn(new String(lines, UTF_8));
  }

  /**
   * It is about to be closed. Whoever still asks, as Spark's metrics system does, hears the last
   * counters.
   */
  void rest() {
    totals();
    resting = true;
  }

  /** Ends the engine; waits a little for the log's disk. Not under a lock. */
  void close() {
    closer.run();
    if (log != null) log.await(time.patienceMillis());
  }

  private int refused(String what, int code, int answer) {
    fail(what + ": " + lastError(code), null);
    return answer;
  }

  /**
   * From now on Spark's own scheduling goes on; whoever was refused a slot is offered it at once.
   */
  void fail(String what, Throwable cause) {
    if (failure != null) return;
    failure = what;
    deadline = Long.MAX_VALUE;
    // Nobody is refused a slot from now on.
    totals[NativeEngine.TOTAL_WORKFLOW_OVER] += totals[NativeEngine.TOTAL_LEFT];
    totals[NativeEngine.TOTAL_LEFT] = 0;
    wake.plan(Long.MAX_VALUE);
    wake.reoffer();
    if (cause != null) failure = (what + ": " + cause).lines().findFirst().orElse(what);
    Notices.warn("Holdfast is off from now on, Spark's own scheduling goes on: " + failure, cause);
  }

  private static String lastError(int code) {
    byte[] text = NativeEngine.lastError();
    return text == null || text.length == 0 ? "error " + code : new String(text, UTF_8);
  }
}
