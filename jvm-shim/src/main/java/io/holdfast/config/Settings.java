package io.holdfast.config;

import io.holdfast.names.ByName;
import io.holdfast.names.Clients;
import io.holdfast.names.Kind;
import io.holdfast.names.Names;
import java.io.File;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.spark.network.util.JavaUtils;

/** The parsed configuration, and all that is wrong with it. */
public final class Settings {
  /** How many millionths a fraction of 1 has. */
  public static final int ONE = 1_000_000;

  private static final long LEAST_LOG = 1 << 20;

  private final Map<String, String> values = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private final ByName priorities = new ByName();
  private final ByName isolations = new ByName();
  private final ByName priorityMaxes = new ByName();
  private final ByName holdsMaxes = new ByName();
  private Clients clients;

  private Settings() {}

  /** Parses all keys that begin with {@link Keys#PREFIX}; the rest is ignored. */
  public static Settings parse(Map<String, String> conf) {
    Settings settings = new Settings();
    new TreeMap<>(conf)
        .forEach(
            (name, value) -> {
              if (name.startsWith(Keys.PREFIX)) settings.accept(name, value.trim());
            });
    String server = Clients.server(conf, System.getProperty("sun.java.command"));
    settings.clients =
        new Clients(Keys.CLIENT_PROPERTIES.name(), settings.get(Keys.CLIENT_PROPERTIES), server);
    if (settings.policy().equals("static") && settings.get(Keys.STATIC_SLOTS).equals("0"))
      settings.refuse(
          Keys.POLICY.name(),
          "static",
          "sets nothing aside: say how many slots with " + Keys.STATIC_SLOTS.name());
    return settings;
  }

  /** One sentence for each unknown key and malformed value: key, value, reason, fix. */
  public List<String> problems() {
    return problems;
  }

  private void accept(String name, String value) {
    List<Kind> all = List.of(Kind.values());
    if (acceptByName(name, value, Keys.PRIORITY_SUFFIX, all, priorities, this::integer)) return;
    if (acceptByName(name, value, Keys.ISOLATION_SUFFIX, all, isolations, this::fraction)) return;
    if (acceptByName(
        name, value, Keys.PRIORITY_MAX_SUFFIX, Keys.BOUNDED, priorityMaxes, this::natural)) return;
    if (acceptByName(
        name, value, Keys.HOLDS_MAX_SUFFIX, List.of(Kind.USER), holdsMaxes, this::natural)) return;
    for (Keys.Key key : Keys.all()) {
      if (!key.name().equals(name)) continue;
      if (valid(key, value)) values.put(name, value);
      return;
    }
    for (Keys.Key key : Keys.all()) {
      if (key.place() != Keys.Place.LOCAL_PROPERTY || !Keys.alias(key.name()).equals(name))
        continue;
      refuse(
          name,
          value,
          "is a local property: set "
              + key.name()
              + " with sc.setLocalProperty in the thread that submits jobs");
      return;
    }
    refuse(
        name,
        value,
        "is not a key of Holdfast" + nearest(name).map(n -> "; the nearest is " + n).orElse(""));
  }

  /** Takes a key that names work; false if it is none with this end. */
  private boolean acceptByName(
      String name,
      String value,
      String suffix,
      List<Kind> kinds,
      ByName values,
      BiFunction<String, String, Integer> parse) {
    for (Kind kind : kinds) {
      String part = between(name, Keys.prefix(kind), suffix);
      if (part == null) continue;
      Integer number = parse.apply(name, value);
      if (number != null) values.put(kind, part, number);
      return true;
    }
    return false;
  }

  private static Optional<String> nearest(String name) {
    String end = name.substring(name.lastIndexOf('.') + 1);
    boolean isolates = Nearest.distance(end, "isolation") < Nearest.distance(end, "priority");
    for (Kind kind : Kind.values())
      if (name.startsWith(Keys.prefix(kind)))
        return Optional.of(
            Keys.byName(kind, isolates ? Keys.ISOLATION_SUFFIX : Keys.PRIORITY_SUFFIX));
    return Nearest.to(
        name, Keys.all().stream().filter(k -> !k.internal()).map(Keys.Key::name).toList());
  }

  /** The part of the user's in a key like {@code spark.holdfast.pool.<pool>.priority}, or null. */
  private static String between(String name, String prefix, String suffix) {
    boolean fits = name.startsWith(prefix) && name.endsWith(suffix);
    int end = name.length() - suffix.length();
    return fits && end > prefix.length() ? name.substring(prefix.length(), end) : null;
  }

  private boolean valid(Keys.Key key, String value) {
    switch (key.type()) {
      case CHOICE:
        if (key.choices().contains(value)) return true;
        String nearest =
            Nearest.to(value, key.choices()).map(n -> " (did you mean " + n + "?)").orElse("");
        return refuse(key.name(), value, "is none of " + key.values() + nearest);
      case BOOLEAN:
        if (value.equals("true") || value.equals("false")) return true;
        return refuse(key.name(), value, "is neither true nor false");
      case INTEGER:
        Integer number = natural(key.name(), value);
        if (number == null) return false;
        return number > 0
            || key != Keys.LOG_MAX_PARTS
            || refuse(key.name(), value, "is too few (at least 1)");
      case SIZE:
        return validSize(key, value);
      case FRACTION:
        return fraction(key.name(), value) != null;
      case DURATION:
        return validDuration(key, value);
      case PATH:
        return key != Keys.LOG_DIR || validLogDir(value);
      default:
        return true;
    }
  }

  private boolean validDuration(Keys.Key key, String value) {
    try {
      if (millis(value) >= 0 && millis(value) <= TimeUnit.DAYS.toMillis(365)) return true;
      return refuse(key.name(), value, "is not between 0 and 365d");
    } catch (RuntimeException e) {
      return refuse(key.name(), value, "is not a duration (write for example 250ms, 5s or 2min)");
    }
  }

  private boolean validSize(Keys.Key key, String value) {
    try {
      if (JavaUtils.byteStringAsBytes(value) >= LEAST_LOG) return true;
      return refuse(key.name(), value, "is too small (at least 1m)");
    } catch (RuntimeException e) {
      return refuse(key.name(), value, "is not a size (write for example 64m or 1g)");
    }
  }

  private boolean validLogDir(String value) {
    File folder = localFile(value);
    if (folder == null)
      return refuse(
          Keys.LOG_DIR.name(),
          value,
          "is not a folder of this machine (use a path or a file: URI)");
    return true; // the log's thread looks at it: a disk that hangs must not hold up the start
  }

  private static File localFile(String value) {
    try {
      if (value.isEmpty()) return null;
      if (value.startsWith("file:")) return new File(URI.create(value).getPath());
      return value.matches("[A-Za-z][A-Za-z0-9+.-]+:/.*") ? null : new File(value);
    } catch (RuntimeException e) {
      return null;
    }
  }

  private Integer integer(String name, String value) {
    try {
      return Integer.valueOf(value);
    } catch (NumberFormatException e) {
      refuse(
          name,
          value,
          "is not a whole number between " + Integer.MIN_VALUE + " and " + Integer.MAX_VALUE);
      return null;
    }
  }

  private Integer natural(String name, String value) {
    Integer number = integer(name, value);
    if (number == null || number >= 0) return number;
    refuse(name, value, "is negative");
    return null;
  }

  /** In millionths. */
  private Integer fraction(String name, String value) {
    Integer fraction = millionths(value);
    if (fraction == null) refuse(name, value, "is not a number from 0 to 1");
    return fraction;
  }

  /** A number from 0 to 1 in millionths; null for anything else. */
  public static Integer millionths(String value) {
    try {
      double fraction = Double.parseDouble(value);
      return fraction >= 0 && fraction <= 1 ? (int) Math.round(fraction * ONE) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** A duration as Spark writes it, in milliseconds; null for anything else. */
  public static Long durationMillis(String value) {
    try {
      return millis(value);
    } catch (RuntimeException e) {
      return null;
    }
  }

  private boolean refuse(String name, String value, String reason) {
    problems.add(name + "=" + value + " " + reason);
    return false;
  }

  private String get(Keys.Key key) {
    return values.getOrDefault(key.name(), key.defaultValue());
  }

  private static long millis(String value) {
    return JavaUtils.timeStringAs(value, TimeUnit.MILLISECONDS);
  }

  private long nanos(Keys.Key key) {
    return TimeUnit.MILLISECONDS.toNanos(millis(get(key)));
  }

  /** {@code enforce}, {@code observe} or {@code off}. */
  public String mode() {
    return get(Keys.MODE);
  }

  /** Whether slots are really held, as opposed to only recorded. */
  public boolean enforces() {
    return mode().equals("enforce") && !policy().equals("stock");
  }

  /** Whether the application must fail when Holdfast cannot be switched on. */
  public boolean required() {
    return get(Keys.REQUIRED).equals("true");
  }

  /** {@code ssr}, {@code timeout}, {@code static} or {@code stock}. */
  public String policy() {
    return get(Keys.POLICY);
  }

  /** What is done about tasks that take long: {@code holds}, {@code grass} and so on. */
  public String stragglers() {
    return get(Keys.STRAGGLERS);
  }

  /** Whether cache-filling stages are spread. Never when observing: that would change launches. */
  public boolean spread() {
    return get(Keys.SPREAD).equals("true") && !mode().equals("observe");
  }

  /** The longest hold, in milliseconds. */
  public long holdMaxMillis() {
    return millis(get(Keys.HOLD_MAX));
  }

  /** Where decision logs go, or null. */
  public File logDir() {
    return localFile(get(Keys.LOG_DIR));
  }

  /** How large a file of a decision log gets, in bytes. */
  public long logMaxBytes() {
    return JavaUtils.byteStringAsBytes(get(Keys.LOG_MAX_SIZE));
  }

  /** How many files a decision log gets. */
  public int logMaxParts() {
    return Integer.parseInt(get(Keys.LOG_MAX_PARTS));
  }

  /** Where histories are, as Hadoop writes paths, or null. */
  public String historyDir() {
    return get(Keys.HISTORY_DIR).isEmpty() ? null : get(Keys.HISTORY_DIR);
  }

  /** The native library's file, or null for the one in the jar. */
  public String nativePath() {
    return get(Keys.NATIVE_PATH).isEmpty() ? null : get(Keys.NATIVE_PATH);
  }

  /** At which event the engine is to panic (a test), or 0. */
  public int panicAfter() {
    return get(Keys.TEST_PANIC).isEmpty() ? 0 : Integer.parseInt(get(Keys.TEST_PANIC));
  }

  /** The priorities of names. */
  public ByName priorities() {
    return priorities;
  }

  /** The highest priority that a job may have by its names, or null for any. */
  public Integer priorityMax(Names names) {
    Integer own = priorityMaxes.of(names);
    if (own != null) return own;
    String text = get(Keys.PRIORITY_MAX);
    Integer all = text.isEmpty() ? null : Integer.valueOf(text);
    Integer least = clients.isAnybodys(names) ? priorityMaxes.least() : null;
    return all == null || least != null && least < all ? least : all;
  }

  /** How many slots the workflows of the job's user may hold at once, or null for any number. */
  public Integer holdsMax(Names names) {
    return clients.isAnybodys(names) ? holdsMaxes.least() : holdsMaxes.of(names);
  }

  /** Whom the driver serves, and what they may say. */
  public Clients clients() {
    return clients;
  }

  /** What the application's own configuration says, or null; Spark copies it into SQL sessions. */
  public String configured(String key) {
    return values.get(key);
  }

  /** The isolation of a job by its names, in millionths; else everybody's. */
  public int isolation(Names names) {
    Integer own = isolations.of(names);
    return own != null ? own : millionths(get(Keys.ISOLATION));
  }

  /** The engine's configuration, as its JSON form. */
  public Map<String, Object> engineConfig() {
    Map<String, Object> config = new LinkedHashMap<>();
    for (Keys.Key key : Keys.all())
      if (!key.engine().isEmpty()) config.put(key.engine(), engineValue(key));
    if (!mode().equals("observe")) return config;
    // Nothing that would change launches.
    config.put("grow", false);
    config.put("spread", false);
    config.put("copies", "off");
    return config;
  }

  /** The key's value as the engine takes it. */
  private Object engineValue(Keys.Key key) {
    String value = get(key);
    return switch (key.type()) {
      case BOOLEAN -> value.equals("true");
      case INTEGER -> Integer.valueOf(value);
      case FRACTION -> value.isEmpty() ? null : millionths(value);
      case DURATION -> nanos(key);
      default -> value;
    };
  }
}
