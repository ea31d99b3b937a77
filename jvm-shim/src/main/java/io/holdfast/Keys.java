package io.holdfast;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The table of all keys. The parser, the messages and docs/reference/configuration.md read it. */
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
    LOCAL_PROPERTY
  }

  /**
   * One key.
   *
   * @param name full name; a part in angle brackets stands for a name of the user's
   * @param choices the values of a {@link Type#CHOICE}, else empty
   * @param defaultValue as the user would write it; empty for none
   * @param since the first version with this key
   * @param internal for tests of Holdfast itself; not in the documentation
   */
  public record Key(
      String name,
      Place place,
      Type type,
      List<String> choices,
      String defaultValue,
      String doc,
      String since,
      boolean internal) {
    /** Whether the name has a part that the user chooses. */
    public boolean isPattern() {
      return name.indexOf('<') >= 0;
    }

    /** What may stand on the right side, in words. */
    public String values() {
      return type == Type.CHOICE
          ? String.join(" | ", choices)
          : type == Type.BOOLEAN ? "true | false" : type.name().toLowerCase(Locale.ROOT);
    }
  }

  private static final List<Key> ALL = new ArrayList<>();

  private static final String FIRST = "0.1.0";

  private static final String ORDER_OF_NAMES =
      " Larger is more important; 0 is what everybody has. In a pattern `*` stands for any text,"
          + " `?` for one character; of several that match the one with the most literal characters"
          + " counts. The first of these that applies counts: the thread's local property, job"
          + " group, tag, description, session, user, pool. `Holdfast.setPriority` changes them"
          + " while the application runs.";

  static final Key MODE =
      choice(
          "mode",
          "enforce",
          List.of("enforce", "observe", "off"),
          "`enforce`: hold slots. `observe`: decide and record, change nothing. `off`: Spark's own"
              + " scheduler.");
  static final Key REQUIRED =
      flag(
          "required",
          false,
          "Whether the application must fail when Holdfast cannot be switched on. By default"
              + " Spark's own scheduling goes on and one warning says why.");
  static final Key POLICY =
      choice(
          "policy",
          "ssr",
          List.of("ssr", "timeout", "static", "stock"),
          "`ssr`: speculative slot reservation. The others are for comparisons. `timeout`: every"
              + " slot that an important workflow releases is held for `hold.max`, whatever"
              + " follows. `static`: `static.slots` slots are for important workflows only."
              + " `stock`: never holds, keeps Spark's order.");
  static final Key STATIC_SLOTS =
      key(
          "static.slots",
          Type.INTEGER,
          "0",
          "How many slots `policy=static` sets aside for workflows with a priority above 0: those"
              + " of the first executors. Nobody else ever uses them.");
  static final Key HOLD_FOR =
      choice(
          "hold.for",
          "prioritised",
          List.of("prioritised", "all"),
          "Who may hold slots: workflows whose priority is above 0, or everybody up to a fair"
              + " share: by weight and minimum share where pools share fairly, else an equal one.");
  static final Key NEED =
      choice(
          "need",
          "lookahead",
          List.of("lookahead", "literal"),
          "`lookahead`: a workflow that narrows and will widen again keeps what it will want back."
              + " `literal`: only what the next stage needs (Algorithm 1 of the paper).");
  static final Key ISOLATION =
      key(
          "isolation",
          Type.FRACTION,
          "1",
          "P: the probability with which a workflow is to keep its slots across a barrier. Below 1"
              + " the slots are held for as long as that needs by the task durations seen, and then"
              + " given back: 0.9 idles far less than 1. 0 holds nothing.");
  static final Key IDLE_BUDGET =
      key(
          "idle.budget",
          Type.FRACTION,
          "",
          "The share of all slot-time since the start that may be held idle, for example 0.02. When"
              + " it is used up holds end, those of the least important workflow first; after five"
              + " minutes the share is at most a tenth above the budget. Unset: no limit.");
  static final Key HOLD_FLOOR =
      duration(
          "hold.floor",
          "250ms",
          "The least that slots are held across a barrier, unless the isolation is 0.");
  static final Key HOLD_MAX =
      duration(
          "hold.max",
          "60s",
          "The longest that slots are held across one barrier or gap, whatever else is"
              + " configured.");
  static final Key LINGER_FIRST =
      duration(
          "linger.first",
          "1s",
          "The shortest time for which a named workflow keeps its slots after a Spark job of it has"
              + " ended. Until a run of it has shown how long the gaps between its jobs are, it"
              + " keeps them for as long as the longest of the others' latest tasks took, if that"
              + " is more: for so long it would wait for them.");
  static final Key LINGER_FACTOR =
      key(
          "linger.factor",
          Type.INTEGER,
          "4",
          "The linger is at least this many times the largest gap seen between two Spark jobs of"
              + " the workflow.");
  static final Key LINGER_MAX =
      duration(
          "linger.max",
          "5s",
          "The longest linger, unless `linger.first` is longer. With both at 0 nothing is kept"
              + " between two jobs.");
  static final Key GROW =
      flag(
          "grow",
          true,
          "Whether a workflow that owns fewer slots than it needs claims what others release, gives"
              + " up a hold for a slot nearer to its input, and runs its tasks on its own held"
              + " slots without waiting for locality where that pays.");
  static final Key PRERESERVE =
      key(
          "prereserve.fraction",
          Type.FRACTION,
          "0.5",
          "R: from which finished fraction of a stage on `grow` claims slots for a wider one that"
              + " follows. 0: as soon as it is known.");
  static final Key SPREAD =
      flag(
          "spread",
          true,
          "Whether a workflow's first stage that fills the cache is spread over the executors while"
              + " the workflow waits for slots of others: it gets no more than its share of each."
              + " Later stages then find their partitions on every slot that the workflow owns."
              + " Price: its first wave waits for slots of others, up to `spread.max`, and no"
              + " longer than four times as long as its first tasks took. Comparison:"
              + " docs/adr/0007.");
  static final Key SPREAD_MAX =
      duration("spread.max", "5s", "How long `spread` restrains a stage at most.");
  static final Key COPIES =
      choice(
          "copies",
          "shuffle",
          List.of("shuffle", "all", "off"),
          "Whether a workflow runs copies of stragglers on its own held slots once no more tasks"
              + " run than slots are held idle: for tasks that write shuffle output, for `all`"
              + " (result tasks too: only where a task may run twice, as with `spark.speculation`),"
              + " or `off`.");
  static final Key LOG_DIR =
      key(
          "log.dir",
          Type.PATH,
          "",
          "Folder on the driver's machine for the decision log, `<application id>.hflog`, or"
              + " `<application id>.2.hflog` and so on where that exists; `holdfast explain` and"
              + " `holdfast replay` read it. Only the driver's user may read the files. A log that"
              + " cannot be written is given up with one warning; all else goes on. Unset: no"
              + " log.");
  static final Key LOG_MAX_SIZE =
      key(
          "log.max.size",
          Type.SIZE,
          "256m",
          "The log goes on in `<application id>.hflog.2` and so on when a file has this size, at"
              + " least 1m. `holdfast explain` and `holdfast replay` read all of them as one log,"
              + " whichever they are given; none may be missing.");
  static final Key LOG_MAX_PARTS =
      key(
          "log.max.parts",
          Type.INTEGER,
          "16",
          "How many files a log may have, at least 1. Then it is full: it ends, with one warning,"
              + " and the application goes on. The earliest are kept, since without them the rest"
              + " cannot be replayed.");
  static final Key HISTORY_DIR =
      key(
          "history.dir",
          Type.URI,
          "",
          "Folder, on any file system that Hadoop knows, for what workflows repeat: from its first"
              + " stage on a named workflow keeps what it will want by what it did in earlier"
              + " applications. One file per application; `holdfast history` shows and prunes local"
              + " folders. Unset: each application begins anew.");
  static final Key CLIENT_PROPERTIES =
      choice(
          "client.properties",
          "",
          List.of("ignore", "allow"),
          "Whether `spark.holdfast.priority`, `.isolation`, `.parallelism` and `.workflow` count as"
              + " local properties: any SQL session sets them with `SET`. Unset: `ignore` under a"
              + " Spark Connect server, a Thrift server or Kyuubi, else `allow`. Who can set what:"
              + " docs/reference/security.md.");
  static final Key PRIORITY_MAX =
      key(
          "priority.max",
          Type.INTEGER,
          "",
          "The highest priority that anything has, whatever gives it: a local property, a name, or"
              + " `Holdfast.setPriority`. Unset: no limit.");
  static final Key NATIVE_PATH =
      key(
          "native.path",
          Type.PATH,
          "",
          "A file of the native library to use instead of the one in the jar.");

  static {
    for (Kind kind : Kind.values()) {
      key(
          byName(kind, PRIORITY_SUFFIX).substring(PREFIX.length()),
          Type.INTEGER,
          "0",
          "Priority of " + kind.whom + "." + (kind == Kind.GROUP ? ORDER_OF_NAMES : ""));
    }
    for (Kind kind : Kind.values()) {
      key(
          byName(kind, ISOLATION_SUFFIX).substring(PREFIX.length()),
          Type.FRACTION,
          "",
          "Isolation of " + kind.whom + ", instead of `spark.holdfast.isolation`.");
    }
    for (Kind kind : BOUNDED) {
      key(
          byName(kind, PRIORITY_MAX_SUFFIX).substring(PREFIX.length()),
          Type.INTEGER,
          "",
          "The highest priority of " + kind.whom + ", instead of `spark.holdfast.priority.max`.");
    }
  }

  static {
    key(
        byName(Kind.USER, HOLDS_MAX_SUFFIX).substring(PREFIX.length()),
        Type.INTEGER,
        "",
        "How many slots the workflows of each user whose name matches hold at once, together. What"
            + " they run counts nothing. Unset: no limit.");
  }

  static final Key PRIORITY =
      local(
          "priority",
          Type.INTEGER,
          "Priority of what this thread submits; comes before every name. It counts for the"
              + " whole workflow: the largest of its running jobs.");
  static final Key THREAD_ISOLATION =
      local(
          "isolation",
          Type.FRACTION,
          "Isolation of what this thread submits; comes before every name and the configuration.");
  static final Key PARALLELISM =
      local(
          "parallelism",
          Type.INTEGER,
          "How many slots the workflow's next job will want, where Spark cannot know it yet:"
              + " between two jobs, and before the first stage of a job. Without it the workflow's"
              + " last run counts. More than that is not held in the gap, and less is not given"
              + " back.");
  static final Key WORKFLOW =
      local(
          "workflow",
          Type.TEXT,
          "Name of the workflow that this thread's jobs belong to; comes before job group, pool and"
              + " SQL execution.");
  static final Key TEST_PANIC =
      add(
          new Key(
              PREFIX + "test.panic.after",
              Place.CONF,
              Type.INTEGER,
              List.of(),
              "",
              "The engine panics at this event.",
              FIRST,
              true));

  private Keys() {}

  /** The key of this kind and end, with the user's part in angle brackets. */
  static String byName(Kind kind, String suffix) {
    return kind.prefix() + "<" + kind.part + ">" + suffix;
  }

  /** The other name of a local property, which any SQL session can set. */
  static String alias(String localProperty) {
    return "spark." + localProperty;
  }

  /** All keys, in the order of the documentation. */
  public static List<Key> all() {
    return List.copyOf(ALL);
  }

  private static Key add(Key key) {
    ALL.add(key);
    return key;
  }

  private static Key key(String name, Type type, String defaultValue, String doc) {
    return add(
        new Key(PREFIX + name, Place.CONF, type, List.of(), defaultValue, doc, FIRST, false));
  }

  private static Key choice(String name, String defaultValue, List<String> choices, String doc) {
    return add(
        new Key(PREFIX + name, Place.CONF, Type.CHOICE, choices, defaultValue, doc, FIRST, false));
  }

  private static Key flag(String name, boolean defaultValue, String doc) {
    return key(name, Type.BOOLEAN, Boolean.toString(defaultValue), doc);
  }

  private static Key duration(String name, String defaultValue, String doc) {
    return key(name, Type.DURATION, defaultValue, doc);
  }

  private static Key local(String name, Type type, String doc) {
    return add(
        new Key(LOCAL_PREFIX + name, Place.LOCAL_PROPERTY, type, List.of(), "", doc, FIRST, false));
  }
}
