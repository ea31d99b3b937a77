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

  /** Local property: for how long an answer of this thread's jobs is waited for. */
  public static final String LOCAL_DEADLINE = LOCAL_PREFIX + "deadline";

  /**
   * Local property: the share of partitions that an answer of this thread's jobs can do without.
   */
  public static final String LOCAL_ERROR = LOCAL_PREFIX + "error";

  /**
   * Set by actions of ours to when they were called, in milliseconds since 1970: they end as soon
   * as they have enough partitions, and wait for their deadline from then on.
   */
  public static final String LOCAL_PARTIAL = LOCAL_PREFIX + "partial";

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
   */
  public record Key(
      String name,
      Place place,
      Type type,
      List<String> choices,
      String defaultValue,
      String engine) {
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
      key("mode", Place.CONF, Type.CHOICE, List.of("enforce", "observe", "off"), "enforce", "");
  public static final Key REQUIRED =
      key("required", Place.CONF, Type.BOOLEAN, List.of(), "false", "");
  public static final Key POLICY =
      key(
          "policy",
          Place.CONF,
          Type.CHOICE,
          List.of("ssr", "timeout", "static", "stock"),
          "ssr",
          "policy");
  public static final Key STATIC_SLOTS =
      key("static.slots", Place.CONF, Type.INTEGER, List.of(), "0", "static_slots");
  public static final Key HOLD_FOR =
      key(
          "hold.for",
          Place.CONF,
          Type.CHOICE,
          List.of("prioritised", "all"),
          "prioritised",
          "hold_for");
  public static final Key NEED =
      key("need", Place.CONF, Type.CHOICE, List.of("lookahead", "literal"), "lookahead", "need");
  public static final Key ISOLATION =
      key("isolation", Place.CONF, Type.FRACTION, List.of(), "1", "");
  public static final Key IDLE_BUDGET =
      key("idle.budget", Place.CONF, Type.FRACTION, List.of(), "", "idle_budget_ppm");
  public static final Key HOLD_FLOOR =
      key("hold.floor", Place.CONF, Type.DURATION, List.of(), "250ms", "hold_floor_ns");
  public static final Key HOLD_MAX =
      key("hold.max", Place.CONF, Type.DURATION, List.of(), "60s", "hold_max_ns");
  public static final Key LINGER_FIRST =
      key("linger.first", Place.CONF, Type.DURATION, List.of(), "1s", "linger_first_ns");
  public static final Key LINGER_FACTOR =
      key("linger.factor", Place.CONF, Type.INTEGER, List.of(), "4", "linger_factor");
  public static final Key LINGER_MAX =
      key("linger.max", Place.CONF, Type.DURATION, List.of(), "5s", "linger_max_ns");
  public static final Key LINGER_QUERY =
      key("linger.query", Place.CONF, Type.DURATION, List.of(), "500ms", "linger_query_ns");
  public static final Key GROW = key("grow", Place.CONF, Type.BOOLEAN, List.of(), "true", "grow");
  public static final Key PRERESERVE =
      key("prereserve.fraction", Place.CONF, Type.FRACTION, List.of(), "0.5", "prereserve_ppm");
  public static final Key SPREAD =
      key("spread", Place.CONF, Type.BOOLEAN, List.of(), "true", "spread");
  public static final Key SPREAD_MAX =
      key("spread.max", Place.CONF, Type.DURATION, List.of(), "5s", "spread_max_ns");
  public static final Key COPIES =
      key("copies", Place.CONF, Type.CHOICE, List.of("shuffle", "all", "off"), "shuffle", "copies");
  public static final Key STRAGGLERS =
      key(
          "stragglers",
          Place.CONF,
          Type.CHOICE,
          List.of("holds", "grass", "gs", "ras", "late", "mantri", "off"),
          "holds",
          "stragglers");
  public static final Key GRASS_EXPLORE =
      key("grass.explore", Place.CONF, Type.FRACTION, List.of(), "0.15", "explore_ppm");
  public static final Key GRASS_SEED =
      key("grass.seed", Place.CONF, Type.INTEGER, List.of(), "1", "explore_seed");
  public static final Key GRASS_SWITCH =
      key(
          "grass.switch",
          Place.CONF,
          Type.CHOICE,
          List.of("learned", "waves"),
          "learned",
          "grass_switch");
  public static final Key LOG_DIR = key("log.dir", Place.CONF, Type.PATH, List.of(), "", "");
  public static final Key LOG_MAX_SIZE =
      key("log.max.size", Place.CONF, Type.SIZE, List.of(), "256m", "");
  public static final Key LOG_MAX_PARTS =
      key("log.max.parts", Place.CONF, Type.INTEGER, List.of(), "16", "");
  public static final Key HISTORY_DIR = key("history.dir", Place.CONF, Type.URI, List.of(), "", "");
  public static final Key CLIENT_PROPERTIES =
      key("client.properties", Place.CONF, Type.CHOICE, List.of("ignore", "allow"), "", "");
  public static final Key PRIORITY_MAX =
      key("priority.max", Place.CONF, Type.INTEGER, List.of(), "", "");
  public static final Key NATIVE_PATH =
      key("native.path", Place.CONF, Type.PATH, List.of(), "", "");

  static {
    ALL.addAll(NamedKeys.all());
  }

  public static final Key PRIORITY =
      key("priority", Place.LOCAL_PROPERTY, Type.INTEGER, List.of(), "", "");
  public static final Key THREAD_ISOLATION =
      key("isolation", Place.LOCAL_PROPERTY, Type.FRACTION, List.of(), "", "");
  public static final Key PARALLELISM =
      key("parallelism", Place.LOCAL_PROPERTY, Type.INTEGER, List.of(), "", "");
  public static final Key WORKFLOW =
      key("workflow", Place.LOCAL_PROPERTY, Type.TEXT, List.of(), "", "");
  public static final Key DEADLINE =
      key("deadline", Place.LOCAL_PROPERTY, Type.DURATION, List.of(), "", "");
  public static final Key ERROR =
      key("error", Place.LOCAL_PROPERTY, Type.FRACTION, List.of(), "", "");
  public static final Key TEST_PANIC =
      key("test.panic.after", Place.TEST, Type.INTEGER, List.of(), "", "");

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
      String engine) {
    String prefix = place == Place.LOCAL_PROPERTY ? LOCAL_PREFIX : PREFIX;
    Key key = new Key(prefix + name, place, type, choices, defaultValue, engine);
    ALL.add(key);
    return key;
  }

  /** A key with a part that the user chooses. */
  static Key named(String name, Type type, String defaultValue) {
    return new Key(PREFIX + name, Place.CONF, type, List.of(), defaultValue, "");
  }
}
