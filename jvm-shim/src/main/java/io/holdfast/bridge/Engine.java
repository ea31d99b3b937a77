package io.holdfast.bridge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.notice.Notices;
import io.holdfast.notice.Plain;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One native engine, its clock, and the fail-open rule: after the first error every answer is
 * "allow". Callers exclude each other.
 */
public final class Engine {
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

  /** What the native side is asked, in words for messages; a step is called by its event. */
  private enum Call {
    STEP(""),
    VERDICT("verdict"),
    BARRIER_ROOM("barrier room"),
    ADMITS("admits"),
    COPY("copy"),
    WANTS_COPIES("wants copies"),
    PICK("pick"),
    TOTALS("totals"),
    ACCOUNTS("accounts"),
    PATTERNS("patterns"),
    SAMPLES("samples");

    final String words;

    Call(String words) {
      this.words = words;
    }
  }

  private final long handle;
  private final Clock clock;
  private final long origin;
  private final Closer closer;
  private final Wake wake;
  private final DecisionLog log; // null where none is wanted
  private final boolean picks;
  private final long[] totals = new long[NativeEngine.TOTALS];
  private long deadline = Long.MAX_VALUE;
  private boolean restricts;
  private boolean resting;
  private byte[] json; // what the latest call has read
  private volatile String failure;

  private Engine(long handle, DecisionLog log, Clock clock, Wake wake) {
    this.handle = handle;
    this.log = log;
    this.clock = clock;
    this.wake = wake;
    origin = clock.nanoTime();
    picks = NativeEngine.picks(handle) > 0;
    closer = new Closer(handle, log);
    CLEANER.register(this, closer);
  }

  /**
   * Starts an engine.
   *
   * @param config its configuration, as JSON
   * @param header of its decision log, as JSON
   * @param log opens where the decision log goes, or null for none
   * @throws IllegalStateException if the native side refuses the configuration
   */
  public static Engine open(
      byte[] config, byte[] header, DecisionLog.Opening log, Clock clock, Wake wake) {
    long handle = NativeEngine.open(config, header, log != null);
    if (handle < 0) throw new IllegalStateException(lastError((int) handle));
    DecisionLog writer = log == null ? null : new DecisionLog(handle, log);
    Engine engine = new Engine(handle, writer, clock, wake);
    if (writer != null) writer.begin();
    return engine;
  }

  /** Null while all is well, else why the engine is not asked any more. */
  public String failure() {
    return failure;
  }

  /** Returns whether a deadline has passed of which the engine has not been told. */
  public boolean overdue() {
    return deadline != Long.MAX_VALUE && clock.nanoTime() >= deadline;
  }

  /**
   * The one way to the native side while the engine runs; a negative answer is an error.
   *
   * @return the answer; {@code otherwise} after a failure, which this call may be
   */
  private long guarded(
      Call call, long otherwise, int kind, int a, int b, int c, int d, int e, int f) {
    if (failure != null) return otherwise;
    try {
      long answer = answer(call, kind, a, b, c, d, e, f);
      if (answer >= 0) return answer;
      String arguments = a + ", " + b + ", " + c + ", " + d + ", " + e + ", " + f;
      String what =
          call == Call.STEP ? NativeEngine.EVENTS[kind] + " (" + arguments + ")" : call.words;
      fail(what + ": " + lastError((int) answer), null);
    } catch (Throwable t) {
      fail(call == Call.STEP ? NativeEngine.EVENTS[kind] : call.words, t);
    }
    return otherwise;
  }

  private long answer(Call call, int kind, int a, int b, int c, int d, int e, int f) {
    return switch (call) {
      case STEP -> advance(kind, a, b, c, d, e, f);
      case VERDICT -> NativeEngine.verdict(handle, a, b, c, d, e, f);
      case BARRIER_ROOM -> NativeEngine.barrierRoom(handle, a, b, c, d, e, f);
      case ADMITS -> NativeEngine.admits(handle, a);
      case COPY -> NativeEngine.copy(handle, a, b);
      case WANTS_COPIES -> NativeEngine.wantsCopies(handle, a);
      case PICK -> NativeEngine.pick(handle, a, b);
      case TOTALS -> NativeEngine.totals(handle, totals);
      case ACCOUNTS -> keep(NativeEngine.accounts(handle));
      case PATTERNS -> keep(NativeEngine.patterns(handle));
      case SAMPLES -> keep(NativeEngine.samples(handle));
    };
  }

  public void step(int kind, int a, int b, int c, int d, int e, int f) {
    guarded(Call.STEP, 0, kind, a, b, c, d, e, f);
  }

  private long advance(int kind, int a, int b, int c, int d, int e, int f) {
    long result = NativeEngine.step(handle, clock.nanoTime() - origin, kind, a, b, c, d, e, f);
    if (result < 0) return result;
    long next = NativeEngine.deadline(result);
    deadline = next >= NativeEngine.NO_DEADLINE ? Long.MAX_VALUE : origin + next;
    wake.plan(deadline);
    restricts = NativeEngine.restricts(result);
    if (NativeEngine.reoffer(result)) wake.reoffer();
    return result;
  }

  /** An answer of {@link NativeEngine#verdict}. */
  public int verdict(int set, int executor, int cpu, int mem, int custom0, int custom1) {
    return (int)
        guarded(Call.VERDICT, NativeEngine.ALLOW, 0, set, executor, cpu, mem, custom0, custom1);
  }

  public int barrierRoom(int set, int executor, int cpu, int mem, int custom0, int custom1) {
    return (int)
        guarded(Call.BARRIER_ROOM, Integer.MAX_VALUE, 0, set, executor, cpu, mem, custom0, custom1);
  }

  public boolean admits(int set) {
    return guarded(Call.ADMITS, 1, 0, set, 0, 0, 0, 0, 0) != 0;
  }

  /** The task that should get a copy there, or -1. */
  public int copy(int set, int executor) {
    return (int) guarded(Call.COPY, 0, 0, set, executor, 0, 0, 0, 0) - 1;
  }

  public boolean wantsCopies(int set) {
    return guarded(Call.WANTS_COPIES, 0, 0, set, 0, 0, 0, 0, 0) != 0;
  }

  /** Whether it says which task is next: if not, {@link #pick} need not be asked. Needs no lock. */
  public boolean picks() {
    return picks;
  }

  /** What the set launches next there: {@link Pick} reads it. */
  public long pick(int set, int executor) {
    return guarded(Call.PICK, Pick.HOST, 0, set, executor, 0, 0, 0, 0);
  }

  /** Whether some ask may be refused now: if none, nothing needs to be asked. */
  public boolean restricts() {
    return failure == null && restricts;
  }

  /**
   * The counters up to this moment, idle time included, in the places that {@link NativeEngine}
   * names; after a failure, and once it rests, those that were read last.
   */
  public long[] totals() {
    if (!resting) guarded(Call.TOTALS, 0, 0, 0, 0, 0, 0, 0, 0);
    return totals;
  }

  /**
   * The sums of each workflow, as {@link NativeEngine#accounts} gives them; null once the engine
   * has failed, or rests.
   */
  public byte[] accounts() {
    return resting ? null : read(Call.ACCOUNTS);
  }

  /**
   * What each workflow repeats, as {@link NativeEngine#patterns} gives it; null after a failure.
   */
  public byte[] patterns() {
    return read(Call.PATTERNS);
  }

  /** What bounded jobs have taught, as {@link NativeEngine#samples} gives it; null likewise. */
  public byte[] samples() {
    return read(Call.SAMPLES);
  }

  private byte[] read(Call call) {
    json = null;
    guarded(call, 0, 0, 0, 0, 0, 0, 0, 0);
    byte[] read = json;
    json = null;
    return read;
  }

  private long keep(byte[] read) {
    json = read;
    return 0;
  }

  public void name(int kind, int id, String name) {
    if (failure == null) NativeEngine.name(handle, kind, id, Plain.line(name).getBytes(UTF_8));
  }

  public void panicAfter(int steps) {
    NativeEngine.testPanic(handle, steps);
  }

  /** Passes on what the native side has said. Not under a lock of Spark's. */
  public void passOn() {
    byte[] lines = NativeEngine.drainNativeLog();
    if (lines != null) Notices.passOn(new String(lines, UTF_8));
  }

  /**
   * It is about to be closed. Whoever still asks, as Spark's metrics system does, hears the last
   * counters.
   */
  public void rest() {
    totals();
    resting = true;
  }

  /** Ends the engine; waits a little for the log's disk. Not under a lock. */
  public void close() {
    closer.run();
    if (log != null) log.await(clock.patienceMillis());
  }

  /**
   * From now on Spark's own scheduling goes on; whoever was refused a slot is offered it at once.
   */
  public void fail(String what, Throwable cause) {
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
