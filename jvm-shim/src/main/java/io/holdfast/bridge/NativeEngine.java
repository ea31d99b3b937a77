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
  /** The lower half of {@link #handshake}. */
  static final int HANDSHAKE = 0x48465354;

  /** {@link #deadline} of a step after which nothing is due. */
  public static final long NO_DEADLINE = Long.MAX_VALUE >> 2;

  // Generated from rust/schema, up to the next mark: change the tables there.

  /** Number of this interface; the native library must have the same. */
  public static final int ABI = 9;

  /** The most numbers that an event has. */
  public static final int MOST_NUMBERS = 6;

  /**
   * Event kind: (profile; runs on; demand: cpu in 1/1000, MiB, custom 0, custom 1). The size of one
   * slot of this profile. Repeating it changes later sets only.
   */
  public static final int PROFILE_DEFINED = 0;

  /**
   * Event kind: (executor; profile; capacity: cpu in 1/1000, MiB, custom 0, custom 1). An executor
   * can run tasks of `profile`. Repeating it updates its capacity.
   */
  public static final int EXECUTOR_ADDED = 1;

  /**
   * Event kind: (executor; barred: 1 or 0). An executor must not get new tasks (decommissioned,
   * excluded), or may again.
   */
  public static final int EXECUTOR_BARRED = 2;

  /** Event kind: (executor). An executor is gone, with everything that ran on it. */
  public static final int EXECUTOR_LOST = 3;

  /**
   * Event kind: (workflow; priority; isolation; parallelism; pool). A workflow exists, or its
   * priority, isolation, declared parallelism or pool has changed.
   */
  public static final int WORKFLOW_OPENED = 4;

  /** Event kind: (workflow). The user said that the workflow is over: no further job will come. */
  public static final int WORKFLOW_CLOSED = 5;

  /**
   * Event kind: (job; workflow; continues: 1 or 0). A Spark job of a workflow begins. Its plan
   * follows as *stage planned*.
   */
  public static final int JOB_SUBMITTED = 6;

  /**
   * Event kind: (job; stage; tasks; next; next profile; signature). A stage of the job's plan that
   * is not available yet, so it will run.
   */
  public static final int STAGE_PLANNED = 7;

  /**
   * Event kind: (job; succeeded: 1 or 0). A Spark job is over. Unknown jobs are ignored: hosts may
   * say it twice.
   */
  public static final int JOB_ENDED = 8;

  /**
   * Event kind: (set; job; stage; tasks; profile; the sum of RESULT, SHUFFLE_MAP, BARRIER and of
   * FILLS_CACHE if so). A task set is ready to run (the barrier before it has been cleared).
   */
  public static final int SET_SUBMITTED = 9;

  /** Event kind: (set). A task set launches nothing any more. Attempts of it may still run. */
  public static final int SET_ENDED = 10;

  /** Event kind: (attempt; set; task; executor; local: 1 or 0). Spark has committed a launch. */
  public static final int LAUNCHED = 11;

  /**
   * Event kind: (attempt; outcome: FINISHED, NOT_FINISHED, FAILED). An attempt has left its slot;
   * said before the slot is offered again.
   */
  public static final int SLOT_FREED = 12;

  /** Event kind: (set; task). A finished task has to run again (lost output, lost result). */
  public static final int UNFINISHED = 13;

  /** Event kind: (set; task). A task is done without an attempt of this set having done it. */
  public static final int FINISHED_ELSEWHERE = 14;

  /** Event kind: Nothing but time. */
  public static final int TICK = 15;

  /**
   * Event kind: (workflow; first; second; then; tasks; after ms). An earlier run of the workflow is
   * remembered: after stages `first` and `second` came `then`.
   */
  public static final int RECALLED = 16;

  /**
   * Event kind: (pool; fair: 1 or 0; weight; min share). What a pool is; one that is never defined
   * is no fair one, of weight 1 and without a minimum.
   */
  public static final int POOL_DEFINED = 17;

  /**
   * Event kind: (workflow; tenant; holds). A workflow belongs to a tenant, whose workflows together
   * hold no more than so many slots.
   */
  public static final int BOUNDED = 18;

  /**
   * Event kind: (job; stage; bound: DEADLINE, ERROR; value). The job's user can do without some
   * tasks of a stage (GR-1). Said before the stage's set or later; the latest counts.
   */
  public static final int STAGE_BOUNDED = 19;

  /**
   * Event kind: (set; task; units). How much a task reads; said before its set's first launch, or
   * while it runs. Without it all are of size 1.
   */
  public static final int TASK_SIZED = 20;

  /**
   * Event kind: (attempt; done). An attempt has reported how far it is (GR-6). Unknown attempts and
   * reports that go back are ignored.
   */
  public static final int PROGRESSED = 21;

  /**
   * Event kind: (the sum of DEADLINE, ERROR and of GREEDY if so; tasks; value; utilization;
   * accuracy; score). An earlier bounded job is remembered that ran with one rule throughout
   * (GR-5).
   */
  public static final int SAMPLED = 22;

  /** Event kind: (workflow). A run of the workflow is over; another one may follow soon. */
  public static final int RUN_ENDED = 23;

  /**
   * Event kind: (workflow; to). What a workflow repeats is what another one repeats: the one
   * foresees what the other has shown.
   */
  public static final int AKIN = 24;

  /** Outcome: The task is done, unless a later *unfinished* takes that back. */
  public static final int FINISHED = 0;

  /**
   * Outcome: The task has to run again (killed, lost) unless another attempt of it ends well: it
   * keeps a claim on a slot.
   */
  public static final int NOT_FINISHED = 1;

  /** Outcome: The same, and it was the task's fault: it gets no copy any more. */
  public static final int FAILED = 2;

  /** Flag of SET_SUBMITTED. */
  public static final int FILLS_CACHE = 1;

  /** Stage kind: Results, which may have effects outside: each partition should run once. */
  public static final int RESULT = 0;

  /** Stage kind: Shuffle output, of which the first one counts. */
  public static final int SHUFFLE_MAP = 2;

  /** Stage kind: All tasks run at once. */
  public static final int BARRIER = 4;

  /** Bound: Time: as many tasks as possible are done by then. */
  public static final int DEADLINE = 0;

  /** Bound: Tasks that may be missing: the others are done as soon as possible. */
  public static final int ERROR = 1;

  /** Answer of {@link #verdict}: Yes. */
  public static final int ALLOW = 0;

  /**
   * Answer of {@link #verdict}: Yes, and the slot is held for the asker, for whom waiting for
   * better locality does not pay.
   */
  public static final int ALLOW_HELD = 1;

  /**
   * Answer of {@link #verdict}: What is free there is held for workflows that rank before the
   * asker.
   */
  public static final int VETO_HELD = 2;

  /** Answer of {@link #verdict}: The set already has its share of this executor ("spread"). */
  public static final int VETO_SPREAD = 3;

  /**
   * Answer of {@link #verdict}: What is free there is set aside for workflows with a priority
   * (static reservation).
   */
  public static final int VETO_ASIDE = 4;

  /** The handle is closed, or never was one. */
  public static final int BAD_HANDLE = -100;

  /** The engine panicked; from then on every call on this handle answers so. */
  public static final int PANIC = -101;

  /** An argument is out of range; nothing has changed. */
  public static final int BAD_ARGUMENT = -102;

  /** Kind of {@link #name}: An executor. */
  public static final int NAME_EXECUTOR = 0;

  /** Kind of {@link #name}: A workflow. */
  public static final int NAME_WORKFLOW = 1;

  /**
   * Kind of {@link #name}: Whose latest job a workflow's was: the id is the workflow's; an empty
   * name takes it back.
   */
  public static final int NAME_USER = 2;

  /**
   * Kind of {@link #name}: What a client chose that gave a workflow something: the id is the
   * workflow's; an empty name takes it back.
   */
  public static final int NAME_CLAIM = 3;

  /** Length of the array of {@link #totals}, and below the places in it. */
  public static final int TOTALS = 18;

  /** Holds made. */
  public static final int TOTAL_MADE = 0;

  /** Ended because the owner launched there. */
  public static final int TOTAL_USED = 1;

  /** Ended because the owner launched elsewhere. */
  public static final int TOTAL_MOVED = 2;

  /** Ended because a more important workflow took the slot. */
  public static final int TOTAL_OVERRIDDEN = 3;

  /** Ended by their deadline. */
  public static final int TOTAL_EXPIRED = 4;

  /** Ended because the need fell. */
  public static final int TOTAL_NOT_NEEDED = 5;

  /** Ended with their workflow. */
  public static final int TOTAL_WORKFLOW_OVER = 6;

  /** Ended with their executor. */
  public static final int TOTAL_EXECUTOR_GONE = 7;

  /** Holds that live now. */
  public static final int TOTAL_LEFT = 8;

  /** Idle held slot-time, in slots x microseconds. */
  public static final int TOTAL_IDLE_HELD_MICROS = 9;

  /** How often the host's clock went back. */
  public static final int TOTAL_REGRESSIONS = 10;

  /** Events that the engine was told. */
  public static final int TOTAL_EVENTS = 11;

  /** Attempts launched beside a running attempt of their task. */
  public static final int TOTAL_COPIES = 12;

  /** Those of them that ended their task. */
  public static final int TOTAL_COPIES_WON = 13;

  /** Slot-time of attempts beside another that ended their task, in slots x microseconds. */
  public static final int TOTAL_COPIES_LOST_MICROS = 14;

  /** Copies that were launched while tasks of equally important workflows waited. */
  public static final int TOTAL_COPIES_BEFORE_EQUALS = 15;

  /**
   * Error-bounded stages with enough tasks done, and stages that were done before their deadline.
   */
  public static final int TOTAL_BOUNDS_MET = 16;

  /** Deadlines that came before all tasks were done. */
  public static final int TOTAL_BOUNDS_PASSED = 17;

  /** Names of the event kinds by their numbers, for messages. */
  static final String[] EVENTS = {
    "profile defined",
    "executor added",
    "executor barred",
    "executor lost",
    "workflow opened",
    "workflow closed",
    "job submitted",
    "stage planned",
    "job ended",
    "set submitted",
    "set ended",
    "launched",
    "slot freed",
    "unfinished",
    "finished elsewhere",
    "tick",
    "recalled",
    "pool defined",
    "bounded",
    "stage bounded",
    "task sized",
    "progressed",
    "sampled",
    "run ended",
    "akin"
  };

  // End of what is generated.

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
   * @param kind one of the event kinds above with at most six numbers, which say what a to f mean;
   *     what a kind does not use is 0
   * @return not negative: see {@link #reoffer}, {@link #restricts} and {@link #deadline}; negative:
   *     an error code
   */
  public static native long step(
      long handle, long nowNanos, int kind, int a, int b, int c, int d, int e, int f);

  /**
   * Tells the engine one event of any kind: as {@link #step}, for kinds with more numbers than that
   * takes.
   *
   * @param numbers at least as many as the kind has, and at most {@link #MOST_NUMBERS}
   */
  public static native long stepArray(long handle, long nowNanos, int kind, int[] numbers);

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

  /** 1 if {@link #pick} may answer anything but {@link Pick#HOST}, else 0; negative: a code. */
  static native int picks(long handle);

  /**
   * What this set launches next on this executor, where it has pending tasks: {@link Pick} reads
   * it; negative: a code.
   */
  static native long pick(long handle, int set, int executor);

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
   * What bounded jobs have taught that ran with one rule throughout, those of {@link #SAMPLED} too,
   * as JSON (UTF-8): an array of arrays of its numbers, the oldest first. Null on an error.
   */
  public static native byte[] samples(long handle);

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
