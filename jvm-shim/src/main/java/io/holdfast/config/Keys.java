package io.holdfast.config;

import io.holdfast.names.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All keys; the parser and the messages read them. */
public final class Keys {
  /** What every key begins with. */
  public static final String PREFIX = "spark.holdfast.";

  /** Ends of the keys that give something to a {@link Kind}. */
  static final String PRIORITY_SUFFIX = ".priority";

  static final String ISOLATION_SUFFIX = ".isolation";

  static final String PRIORITY_MAX_SUFFIX = ".priority.max";

  static final String HOLDS_MAX_SUFFIX = ".holds.max";

  /** Kinds that a client cannot choose as it likes, and that may be given bounds. */
  static final List<Kind> BOUNDED = List.of(Kind.SESSION, Kind.USER);

  /** What local properties begin with: not as Spark's, which each SQL session can set. */
  public static final String LOCAL_PREFIX = "holdfast.";

  /** Local property: the priority of what this thread submits. */
  public static final String LOCAL_PRIORITY = LOCAL_PREFIX + "priority";

  /** Local property: the isolation of what this thread submits. */
  public static final String LOCAL_ISOLATION = LOCAL_PREFIX + "isolation";

  /** Local property: the parallelism of what this thread's workflow runs next. */
  public static final String LOCAL_PARALLELISM = LOCAL_PREFIX + "parallelism";

  /** Local property: the workflow that this thread's jobs belong to. */
  public static final String LOCAL_WORKFLOW = LOCAL_PREFIX + "workflow";

  /** What a value must look like. */
  public enum Type {
    /** One of the choices. */
    CHOICE,
    /** true or false. */
    BOOLEAN,
    /** A whole number. */
    INTEGER,
    /** A number from 0 to 1. */
    FRACTION,
    /** As Spark writes durations, for example 250ms, 5s, 2min; a bare number is milliseconds. */
    DURATION,
    /** As Spark writes sizes, for example 64m, 1g; a bare number is bytes. */
    SIZE,
    /** A path on the driver's machine. */
    PATH,
    /** A path as Hadoop writes it, for example file:///a/b or hdfs://host/a/b. */
    URI,
    /** Any text. */
    TEXT
  }

  /** Where a key is set. */
  public enum Place {
    /** In the application's configuration. */
    CONF,
    /** As a local property of the thread that submits jobs. */
    LOCAL_PROPERTY,
    /** As {@link #CONF}, by tests of Holdfast itself; not in the documentation. */
    TEST
  }

  /**
   * One key.
   *
   * @param name full name; a part in angle brackets stands for a name of the user's
   * @param choices the values of a {@link Type#CHOICE}, else empty
   * @param defaultValue as the user would write it; empty for none
   * @param engine the field of the engine's configuration; empty if only the shim reads it
   * @param since the first version with this key
   */
  public record Key(
      String name,
      Place place,
      Type type,
      List<String> choices,
      String defaultValue,
      String engine,
      String since,
      String doc) {
    /** Whether the name has a part that the user chooses. */
    public boolean isPattern() {
      return name.indexOf('<') >= 0;
    }

    /** Whether it is for tests of Holdfast itself. */
    public boolean internal() {
      return place == Place.TEST;
    }

    /** What may stand on the right side, in words. */
    public String values() {
      return type == Type.CHOICE
          ? String.join(" | ", choices)
          : type == Type.BOOLEAN ? "true | false" : type.name().toLowerCase(Locale.ROOT);
    }
  }

  private static final List<Key> ALL = new ArrayList<>();

  // Generated from rust/schema, up to the next mark: change the tables there.

  public static final Key MODE =
      key(
          "mode",
          Place.CONF,
          Type.CHOICE,
          List.of("enforce", "observe", "off"),
          "enforce",
          "",
          "0.1.0",
          "`enforce`: hold slots. `observe`: decide and record, change nothing. `off`: Spark's own"
              + " scheduler.");
  public static final Key REQUIRED =
      key(
          "required",
          Place.CONF,
          Type.BOOLEAN,
          List.of(),
          "false",
          "",
          "0.1.0",
          "Whether the application must fail when Holdfast cannot be switched on. By default"
              + " Spark's own scheduling goes on and one warning says why.");
  public static final Key POLICY =
      key(
          "policy",
          Place.CONF,
          Type.CHOICE,
          List.of("ssr", "timeout", "static", "stock"),
          "ssr",
          "policy",
          "0.1.0",
          "`ssr`: speculative slot reservation. The others are for comparisons. `timeout`: every"
              + " slot that an important workflow releases is held for `hold.max`, whatever"
              + " follows. `static`: `static.slots` slots are for important workflows only."
              + " `stock`: never holds, keeps Spark's order.");
  public static final Key STATIC_SLOTS =
      key(
          "static.slots",
          Place.CONF,
          Type.INTEGER,
          List.of(),
          "0",
          "static_slots",
          "0.1.0",
          "How many slots `policy=static` sets aside for workflows with a priority above 0: those"
              + " of the first executors. Nobody else ever uses them.");
  public static final Key HOLD_FOR =
      key(
          "hold.for",
          Place.CONF,
          Type.CHOICE,
          List.of("prioritised", "all"),
          "prioritised",
          "hold_for",
          "0.1.0",
          "Who may hold slots: workflows whose priority is above 0, or everybody up to a fair"
              + " share: by weight and minimum share where pools share fairly, else an equal one.");
  public static final Key NEED =
      key(
          "need",
          Place.CONF,
          Type.CHOICE,
          List.of("lookahead", "literal"),
          "lookahead",
          "need",
          "0.1.0",
          "`lookahead`: a workflow that narrows and will widen again keeps what it will want back."
              + " `literal`: only what the next stage needs (Algorithm 1 of the paper).");
  public static final Key ISOLATION =
      key(
          "isolation",
          Place.CONF,
          Type.FRACTION,
          List.of(),
          "1",
          "",
          "0.1.0",
          "P: the probability with which a workflow is to keep its slots across a barrier. Below 1"
              + " the slots are held for as long as that needs by the task durations seen, and then"
              + " given back: 0.9 idles far less than 1. 0 holds nothing.");
  public static final Key IDLE_BUDGET =
      key(
          "idle.budget",
          Place.CONF,
          Type.FRACTION,
          List.of(),
          "",
          "idle_budget_ppm",
          "0.1.0",
          "The share of all slot-time since the start that may be held idle, for example 0.02. When"
              + " it is used up holds end, those of the least important workflow first; after five"
              + " minutes the share is at most a tenth above the budget. Unset: no limit.");
  public static final Key HOLD_FLOOR =
      key(
          "hold.floor",
          Place.CONF,
          Type.DURATION,
          List.of(),
          "250ms",
          "hold_floor_ns",
          "0.1.0",
          "The least that slots are held across a barrier, unless the isolation is 0.");
  public static final Key HOLD_MAX =
      key(
          "hold.max",
          Place.CONF,
          Type.DURATION,
          List.of(),
          "60s",
          "hold_max_ns",
          "0.1.0",
          "The longest that slots are held across one barrier or gap, whatever else is"
              + " configured.");
  public static final Key LINGER_FIRST =
      key(
          "linger.first",
          Place.CONF,
          Type.DURATION,
          List.of(),
          "1s",
          "linger_first_ns",
          "0.1.0",
          "The shortest time for which a named workflow keeps its slots after a Spark job of it has"
              + " ended. Until a run of it has shown how long the gaps between its jobs are, it"
              + " keeps them for as long as the longest of the others' latest tasks took, if that"
              + " is more: for so long it would wait for them.");
  public static final Key LINGER_FACTOR =
      key(
          "linger.factor",
          Place.CONF,
          Type.INTEGER,
          List.of(),
          "4",
          "linger_factor",
          "0.1.0",
          "The linger is at least this many times the largest gap seen between two Spark jobs of"
              + " the workflow.");
  public static final Key LINGER_MAX =
      key(
          "linger.max",
          Place.CONF,
          Type.DURATION,
          List.of(),
          "5s",
          "linger_max_ns",
          "0.1.0",
          "The longest linger, unless `linger.first` is longer. With both at 0 nothing is kept"
              + " between two jobs.");
  public static final Key GROW =
      key(
          "grow",
          Place.CONF,
          Type.BOOLEAN,
          List.of(),
          "true",
          "grow",
          "0.1.0",
          "Whether a workflow that owns fewer slots than it needs claims what others release, gives"
              + " up a hold for a slot nearer to its input, and runs its tasks on its own held"
              + " slots without waiting for locality where that pays.");
  public static final Key PRERESERVE =
      key(
          "prereserve.fraction",
          Place.CONF,
          Type.FRACTION,
          List.of(),
          "0.5",
          "prereserve_ppm",
          "0.1.0",
          "R: from which finished fraction of a stage on `grow` claims slots for a wider one that"
              + " follows. 0: as soon as it is known.");
  public static final Key SPREAD =
      key(
          "spread",
          Place.CONF,
          Type.BOOLEAN,
          List.of(),
          "true",
          "spread",
          "0.1.0",
          "Whether a workflow's first stage that fills the cache is spread over the executors while"
              + " the workflow waits for slots of others: it gets no more than its share of each."
              + " Later stages then find their partitions on every slot that the workflow owns."
              + " Price: its first wave waits for slots of others, up to `spread.max`, and no"
              + " longer than four times as long as its first tasks took. Comparison:"
              + " docs/adr/0007.");
  public static final Key SPREAD_MAX =
      key(
          "spread.max",
          Place.CONF,
          Type.DURATION,
          List.of(),
          "5s",
          "spread_max_ns",
          "0.1.0",
          "How long `spread` restrains a stage at most.");
  public static final Key COPIES =
      key(
          "copies",
          Place.CONF,
          Type.CHOICE,
          List.of("shuffle", "all", "off"),
          "shuffle",
          "copies",
          "0.1.0",
          "Whether a workflow runs copies of stragglers on its own held slots once no more tasks"
              + " run than slots are held idle: for tasks that write shuffle output, for `all`"
              + " (result tasks too: only where a task may run twice, as with `spark.speculation`),"
              + " or `off`.");
  public static final Key LOG_DIR =
      key(
          "log.dir",
          Place.CONF,
          Type.PATH,
          List.of(),
          "",
          "",
          "0.1.0",
          "Folder on the driver's machine for the decision log, `<application id>.hflog`, or"
              + " `<application id>.2.hflog` and so on where that exists; `holdfast explain` and"
              + " `holdfast replay` read it. Only the driver's user may read the files. A log that"
              + " cannot be written is given up with one warning; all else goes on. Unset: no"
              + " log.");
  public static final Key LOG_MAX_SIZE =
      key(
          "log.max.size",
          Place.CONF,
          Type.SIZE,
          List.of(),
          "256m",
          "",
          "0.1.0",
          "The log goes on in `<application id>.hflog.2` and so on when a file has this size, at"
              + " least 1m. `holdfast explain` and `holdfast replay` read all of them as one log,"
              + " whichever they are given; none may be missing.");
  public static final Key LOG_MAX_PARTS =
      key(
          "log.max.parts",
          Place.CONF,
          Type.INTEGER,
          List.of(),
          "16",
          "",
          "0.1.0",
          "How many files a log may have, at least 1. Then it is full: it ends, with one warning,"
              + " and the application goes on. The earliest are kept, since without them the rest"
              + " cannot be replayed.");
  public static final Key HISTORY_DIR =
      key(
          "history.dir",
          Place.CONF,
          Type.URI,
          List.of(),
          "",
          "",
          "0.1.0",
          "Folder, on any file system that Hadoop knows, for what workflows repeat: from its first"
              + " stage on a named workflow keeps what it will want by what it did in earlier"
              + " applications. One file per application; `holdfast history` shows and prunes local"
              + " folders. Unset: each application begins anew.");
  public static final Key CLIENT_PROPERTIES =
      key(
          "client.properties",
          Place.CONF,
          Type.CHOICE,
          List.of("ignore", "allow"),
          "",
          "",
          "0.1.0",
          "Whether `spark.holdfast.priority`, `.isolation`, `.parallelism` and `.workflow` count as"
              + " local properties: any SQL session sets them with `SET`. Unset: `ignore` under a"
              + " Spark Connect server, a Thrift server or Kyuubi, else `allow`. Who can set what:"
              + " docs/reference/security.md.");
  public static final Key PRIORITY_MAX =
      key(
          "priority.max",
          Place.CONF,
          Type.INTEGER,
          List.of(),
          "",
          "",
          "0.1.0",
          "The highest priority that anything has, whatever gives it: a local property, a name, or"
              + " `Holdfast.setPriority`. Unset: no limit.");
  public static final Key NATIVE_PATH =
      key(
          "native.path",
          Place.CONF,
          Type.PATH,
          List.of(),
          "",
          "",
          "0.1.0",
          "A file of the native library to use instead of the one in the jar.");

  static {
    ALL.addAll(NamedKeys.all());
  }

  public static final Key PRIORITY =
      key(
          "priority",
          Place.LOCAL_PROPERTY,
          Type.INTEGER,
          List.of(),
          "",
          "",
          "0.1.0",
          "Priority of what this thread submits; comes before every name. It counts for the whole"
              + " workflow: the largest of its running jobs.");
  public static final Key THREAD_ISOLATION =
      key(
          "isolation",
          Place.LOCAL_PROPERTY,
          Type.FRACTION,
          List.of(),
          "",
          "",
          "0.1.0",
          "Isolation of what this thread submits; comes before every name and the configuration.");
  public static final Key PARALLELISM =
      key(
          "parallelism",
          Place.LOCAL_PROPERTY,
          Type.INTEGER,
          List.of(),
          "",
          "",
          "0.1.0",
          "How many slots the workflow's next job will want, where Spark cannot know it yet:"
              + " between two jobs, and before the first stage of a job. Without it the workflow's"
              + " last run counts. More than that is not held in the gap, and less is not given"
              + " back.");
  public static final Key WORKFLOW =
      key(
          "workflow",
          Place.LOCAL_PROPERTY,
          Type.TEXT,
          List.of(),
          "",
          "",
          "0.1.0",
          "Name of the workflow that this thread's jobs belong to; comes before job group, pool and"
              + " SQL execution.");
  public static final Key TEST_PANIC =
      key(
          "test.panic.after",
          Place.TEST,
          Type.INTEGER,
          List.of(),
          "",
          "",
          "0.1.0",
          "The engine panics at this event.");

  // End of what is generated.

  private Keys() {}

  /** Returns what the keys of a kind begin with. */
  static String prefix(Kind kind) {
    return PREFIX + kind.word() + ".";
  }

  /** The key of this kind and end, with the user's part in angle brackets. */
  static String byName(Kind kind, String suffix) {
    return prefix(kind) + "<" + kind.part + ">" + suffix;
  }

  /** The other name of a local property, which any SQL session can set. */
  public static String alias(String localProperty) {
    return "spark." + localProperty;
  }

  /** All keys, in the order of the documentation. */
  public static List<Key> all() {
    return List.copyOf(ALL);
  }

  private static Key key(
      String name,
      Place place,
      Type type,
      List<String> choices,
      String defaultValue,
      String engine,
      String since,
      String doc) {
    String prefix = place == Place.LOCAL_PROPERTY ? LOCAL_PREFIX : PREFIX;
    Key key = new Key(prefix + name, place, type, choices, defaultValue, engine, since, doc);
    ALL.add(key);
    return key;
  }

  /** A key with a part that the user chooses. */
  static Key named(String name, Type type, String defaultValue, String since, String doc) {
    return new Key(PREFIX + name, Place.CONF, type, List.of(), defaultValue, "", since, doc);
  }
}
