package io.holdfast.bridge;

/**
 * The native decision engine, as static natives over primitives. Call {@link NativeLoader#load}
 * first.
 *
 * <p>An engine is addressed by a handle. A handle is never used twice: after {@link #close} each
 * call with it answers {@link #BAD_HANDLE} and does no harm. Calls on one handle exclude each
 * other, so any thread may make them.
 *
 * <p>Ids are 32 bits and opaque; times are nanoseconds since an origin that the caller chooses.
 * Negative results are error codes, with the text in {@link #lastError} of the same thread. -1 to
 * -99: the engine refused the event and nothing but time has changed.
 */
public final class NativeEngine {
  /** Number of this interface; the native library must have the same. */
  public static final int ABI = 6;

  /** The lower half of {@link #handshake}. */
  static final int HANDSHAKE = 0x48465354;

  /**
   * Event kind: a slot of this profile needs so much, on executors of that one (profile, the
   * executors' profile, cpu in 1/1000, MiB, custom 0, custom 1).
   */
  public static final int PROFILE_DEFINED = 0;

  /** Event kind: (executor, profile, capacity: cpu in 1/1000, MiB, custom 0, custom 1). */
  public static final int EXECUTOR_ADDED = 1;

  /** Event kind: (executor, 1 if it gets no new tasks from now on, else 0). */
  public static final int EXECUTOR_BARRED = 2;

  /** Event kind: (executor). */
  public static final int EXECUTOR_LOST = 3;

  /** Event kind: (workflow, priority, isolation in millionths, declared parallelism or 0, pool). */
  public static final int WORKFLOW_OPENED = 4;

  /** Event kind: (workflow). */
  public static final int WORKFLOW_CLOSED = 5;

  /** Event kind: (job, workflow, 1 if another job of the workflow may follow, else 0). */
  public static final int JOB_SUBMITTED = 6;

  /**
   * Event kind: (job, stage, missing tasks, tasks of what follows it in the job or 0, its profile,
   * signature).
   */
  public static final int STAGE_PLANNED = 7;

  /** Event kind: (job, 1 if it succeeded, else 0). */
  public static final int JOB_ENDED = 8;

  /**
   * Event kind: (set, job, stage, tasks, profile, the sum of 1 if it computes partitions to be
   * cached and one of the stage kinds below).
   */
  public static final int SET_SUBMITTED = 9;

  /** Event kind: (set). */
  public static final int SET_ENDED = 10;

  /**
   * Event kind: (attempt, set, task, executor, 1 if its input is as near as it gets for this set or
   * does not matter, else 0).
   */
  public static final int LAUNCHED = 11;

  /** Event kind: (attempt, {@link #FINISHED}, {@link #NOT_FINISHED} or {@link #FAILED}). */
  public static final int SLOT_FREED = 12;

  /** Event kind: (set, task) has to run again. */
  public static final int UNFINISHED = 13;

  /** Event kind: (set, task) is done without an attempt of this set. */
  public static final int FINISHED_ELSEWHERE = 14;

  /** Event kind: nothing but time. */
  public static final int TICK = 15;

  /**
   * Event kind: (workflow, signatures of two stages and of the one that followed, its tasks,
   * milliseconds from the second's submission to its own), of an earlier run.
   */
  public static final int RECALLED = 16;

  /** Event kind: (pool, 1 if those in it share fairly, else 0, weight, minimum share in slots). */
  public static final int POOL_DEFINED = 17;

  /**
   * Event kind: (workflow, tenant or 0 for none, how many slots the tenant's workflows hold at
   * most).
   */
  public static final int BOUNDED = 18;

  /** Outcome of {@link #SLOT_FREED}: the task is done. */
  public static final int FINISHED = 0;

  /** Outcome of {@link #SLOT_FREED}: the task has to run again. */
  public static final int NOT_FINISHED = 1;

  /** Outcome of {@link #SLOT_FREED}: as {@link #NOT_FINISHED}, by an error of the task. */
  public static final int FAILED = 2;

  /** Flag of {@link #SET_SUBMITTED}. */
  public static final int FILLS_CACHE = 1;

  /** Stage kind: its tasks hand out results. */
  public static final int RESULT = 0;

  /** Stage kind: its tasks write shuffle output. */
  public static final int SHUFFLE_MAP = 2;

  /** Stage kind: its tasks all run at once. */
  public static final int BARRIER = 4;

  /** Answer of {@link #verdict}: the set may use the slot. */
  public static final int ALLOW = 0;

  /** Answer of {@link #verdict}: as {@link #ALLOW}, and the slot is held for the set's workflow. */
  public static final int ALLOW_HELD = 1;

  /**
   * Answer of {@link #verdict}: what is free there is held for workflows that rank before the
   * set's.
   */
  public static final int VETO_HELD = 2;

  /** Answer of {@link #verdict}: the set already has its share of this executor. */
  public static final int VETO_SPREAD = 3;

  /** Answer of {@link #verdict}: what is free there is set aside for others. */
  public static final int VETO_ASIDE = 4;

  /** The handle is closed, or never was one. */
  public static final int BAD_HANDLE = -100;

  /** The engine panicked; from then on every call on this handle answers so. */
  public static final int PANIC = -101;

  /** An argument is out of range; nothing has changed. */
  public static final int BAD_ARGUMENT = -102;

  /** Kind of {@link #name}. */
  public static final int NAME_EXECUTOR = 0;

  /** Kind of {@link #name}. */
  public static final int NAME_WORKFLOW = 1;

  /**
   * Kind of {@link #name}: whose latest job that of this workflow was; nobody's if the name is
   * empty.
   */
  public static final int NAME_USER = 2;

  /**
   * Kind of {@link #name}: what a client chose that gave this workflow something; nothing if the
   * name is empty.
   */
  public static final int NAME_CLAIM = 3;

  /** {@link #deadline} of a step after which nothing is due. */
  public static final long NO_DEADLINE = Long.MAX_VALUE >> 2;

  /** Length of the array of {@link #totals}, and below the places in it. */
  public static final int TOTALS = 14;

  public static final int TOTAL_MADE = 0;
  public static final int TOTAL_USED = 1;
  public static final int TOTAL_MOVED = 2;
  public static final int TOTAL_OVERRIDDEN = 3;
  public static final int TOTAL_EXPIRED = 4;
  public static final int TOTAL_NOT_NEEDED = 5;
  public static final int TOTAL_WORKFLOW_OVER = 6;
  public static final int TOTAL_EXECUTOR_GONE = 7;

  /** Holds that live now. */
  public static final int TOTAL_LEFT = 8;

  /** Idle held slot-time in microseconds. */
  public static final int TOTAL_IDLE_HELD_MICROS = 9;

  /** How often the caller's time went back. */
  public static final int TOTAL_REGRESSIONS = 10;

  public static final int TOTAL_EVENTS = 11;

  /** Attempts launched beside a running attempt of their task. */
  public static final int TOTAL_COPIES = 12;

  /** Those of them that ended their task. */
  public static final int TOTAL_COPIES_WON = 13;

  private NativeEngine() {}

  /**
   * Whether a step's result asks for all free slots to be offered again. Only for results that are
   * not negative.
   */
  public static boolean reoffer(long stepResult) {
    return (stepResult & 1) != 0;
  }

  /** Whether some ask may be refused until the next step; if none, nothing needs to be asked. */
  public static boolean restricts(long stepResult) {
    return (stepResult & 2) != 0;
  }

  /** When {@link #TICK} is due at the latest, in nanoseconds, or {@link #NO_DEADLINE}. */
  public static long deadline(long stepResult) {
    return stepResult >> 2;
  }

  /** ABI number in the upper half, a constant in the lower. */
  static native long handshake();

  /** JSON in UTF-8: version, revision, abi, target. */
  public static native byte[] describe();

  /**
   * Makes an engine.
   *
   * @param configJson the engine's configuration (UTF-8); unknown or impossible values are refused
   * @param headerJson what the log's header says about the host: an object of strings (UTF-8)
   * @param logs whether a decision log is gathered in memory, see {@link #drainLog}
   * @return a handle above 0, or a negative code
   */
  public static native long open(byte[] configJson, byte[] headerJson, boolean logs);

  /** Text (UTF-8) of this thread's last failed call; empty if there was none. */
  public static native byte[] lastError();

  /**
   * Tells the engine one event.
   *
   * @param kind one of the event kinds above, which say what a to f mean; what a kind does not use
   *     is 0
   * @return not negative: see {@link #reoffer}, {@link #restricts} and {@link #deadline}; negative:
   *     an error code
   */
  public static native long step(
      long handle, long nowNanos, int kind, int a, int b, int c, int d, int e, int f);

  /**
   * May this set use a slot of this executor, of which so much is free? One of the answers above,
   * or a code.
   */
  public static native int verdict(
      long handle, int set, int executor, int cpuMilli, int memMib, int custom0, int custom1);

  /**
   * How many tasks of this barrier set fit there beside what is held for others; negative: a code.
   */
  public static native int barrierRoom(
      long handle, int set, int executor, int cpuMilli, int memMib, int custom0, int custom1);

  /** 0 if no executor could allow this set anything now, else 1; negative: a code. */
  public static native int admits(long handle, int set);

  /**
   * One more than the number of the task of this set that should get a copy on this executor now, 0
   * for none; negative: a code.
   */
  public static native int copy(long handle, int set, int executor);

  /** 1 if some task of this set should get a copy somewhere, else 0; negative: a code. */
  public static native int wantsCopies(long handle, int set);

  /**
   * Records the name (UTF-8) of an executor or workflow in the log; no decision depends on it. 0,
   * or a code.
   */
  public static native int name(long handle, int kind, int id, byte[] utf8);

  /** Fills an array of length {@link #TOTALS}. 0, or a code. */
  public static native int totals(long handle, long[] out);

  /**
   * What each workflow that has held a slot has cost and got, as JSON (UTF-8): an array of objects
   * with the fields of the engine's {@code Account} and {@code workflow}, its id, or null for those
   * that are not remembered one by one. Null on an error.
   */
  public static native byte[] accounts(long handle);

  /**
   * What each workflow repeats, as JSON (UTF-8): an array of objects with {@code workflow}, its id,
   * and {@code steps}, arrays of the last five numbers of {@link #RECALLED}. Null on an error.
   */
  public static native byte[] patterns(long handle);

  /**
   * Takes the next block of the decision log, to be written after those before it; null when all
   * has been taken, there is no log, or on an error. What is not taken in time is bounded: then the
   * log is given up, with a record in {@link #drainNativeLog}.
   */
  public static native byte[] drainLog(long handle);

  /**
   * There is no room for more of the decision log: it gets its last record, to be drained; the
   * engine goes on without one. 0, or a code.
   */
  public static native int endLog(long handle);

  /** The decision log cannot be written: the engine goes on without one. 0, or a code. */
  public static native int dropLog(long handle);

  /**
   * Lines "LEVEL message\n" (UTF-8) that the native side has logged since the last call, or null.
   */
  public static native byte[] drainNativeLog();

  /**
   * Ends the engine and its log; harmless when done before. Returns what the log has still to get,
   * or null.
   */
  public static native byte[] close(long handle);

  /** For tests only: the n-th following step of this engine panics. */
  public static native void testPanic(long handle, int calls);
}
