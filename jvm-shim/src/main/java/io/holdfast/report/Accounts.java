package io.holdfast.report;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.config.Keys;
import io.holdfast.notice.Notices;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** What each workflow's holds have cost and given, in words and as JSON. */
public final class Accounts {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double NANOS = 1e9;
  private static final double MILLIONTHS = 1e6;

  /** How many workflows the summary at the end names. */
  private static final int MOST_TOLD = 10;

  /** How many workflows and how many users have metrics of their own. */
  static final int MOST_SHOWN = 100;

  private static final String OTHERS = "(others)";
  private static final String WORKFLOW = "workflow";
  private static final String USER = "user";
  private static final Comparator<Map<String, Object>> MOST_IDLE_FIRST =
      Comparator.comparing(row -> -(double) row.get("idle_slot_s"));

  private static final String UNFORESEEN = "unforeseen";

  /** What the engine gives as it is told. */
  private static final List<String> COUNTS =
      List.of("made", "used", "expired", "overridden", "dropped", UNFORESEEN);

  /** Names of the sums in a row, and in Spark's metrics. */
  private static final Map<String, String> METRICS =
      Map.ofEntries(
          entry("made", "made"),
          entry("used", "used"),
          entry("expired", "expired"),
          entry("overridden", "overridden"),
          entry("dropped", "dropped"),
          entry("idle_slot_s", "idleSlotSeconds"),
          entry("busy_slot_s", "busySlotSeconds"),
          entry("barriers", "barriers"),
          entry("kept", "kept"),
          entry("promised", "promised"),
          entry("bound_slot_s", "boundSlotSeconds"),
          entry("barrier_idle_slot_s", "barrierIdleSlotSeconds"),
          entry(UNFORESEEN, UNFORESEEN));

  /**
   * The workflow of an account.
   *
   * @param user who submitted its latest job to a server; null for nobody
   * @param lasts whether people gave the name: those of single queries are as many as these run
   */
  public record Workflow(String name, String user, boolean lasts) {}

  static final Accounts NONE = new Accounts(List.of(), Set.of());

  private final List<Map<String, Object>> rows;

  /** Names of workflows that last. */
  private final Set<String> lasting;

  private Accounts(List<Map<String, Object>> rows, Set<String> lasting) {
    this.rows = rows;
    this.lasting = lasting;
  }

  /**
   * Reads what {@link NativeEngine#accounts} gives; none if that is null.
   *
   * @param workflows by id; may answer null
   */
  public static Accounts read(byte[] json, IntFunction<Workflow> workflows) {
    if (json == null) return NONE;
    try {
      return read(JSON.readTree(json), workflows);
    } catch (IOException | RuntimeException e) {
      Notices.warnOnce(Notices.About.SELF, "what workflows held cannot be told: " + e);
      return NONE;
    }
  }

  private static Accounts read(JsonNode accounts, IntFunction<Workflow> workflows) {
    List<Map<String, Object>> rows = new ArrayList<>();
    Set<String> lasting = new HashSet<>();
    for (JsonNode account : accounts) {
      JsonNode id = account.get(WORKFLOW);
      Workflow workflow = id.isNull() ? null : workflows.apply(id.asInt());
      String unknown = id.isNull() ? OTHERS : "#" + id.asInt();
      Map<String, Object> row = new LinkedHashMap<>();
      row.put(WORKFLOW, workflow == null ? unknown : workflow.name());
      String user = workflow == null ? null : workflow.user();
      if (user != null) row.put(USER, user);
      if (workflow != null && workflow.lasts()) lasting.add(workflow.name());
      for (String count : COUNTS) row.put(count, account.get(count).asLong());
      row.put("idle_slot_s", account.get("idle_ns").asLong() / NANOS);
      row.put("busy_slot_s", account.get("busy_ns").asLong() / NANOS);
      row.put("barriers", account.get("barriers").asLong());
      row.put("kept", account.get("kept").asLong());
      row.put("promised", account.get("promised").asLong() / MILLIONTHS);
      row.put("bound_slot_s", account.get("bound_ns").asLong() / NANOS);
      row.put("barrier_idle_slot_s", account.get("barrier_idle_ns").asLong() / NANOS);
      rows.add(row);
    }
    rows.sort(MOST_IDLE_FIRST);
    return new Accounts(rows, lasting);
  }

  /** One object for each workflow that has held, most idle slot-time first. */
  List<Map<String, Object>> rows() {
    return rows;
  }

  /** The sums of the workflows of each user of Spark Connect, as of their latest jobs. */
  List<Map<String, Object>> users() {
    Map<Object, Map<String, Object>> users = new LinkedHashMap<>();
    for (Map<String, Object> row : rows) {
      Object user = row.get(USER);
      if (user == null) continue;
      Map<String, Object> sums =
          users.computeIfAbsent(user, u -> new LinkedHashMap<>(Map.of(USER, u)));
      row.forEach((what, n) -> sums.merge(what, n, Accounts::plus));
      sums.remove(WORKFLOW);
    }
    List<Map<String, Object>> sums = new ArrayList<>(users.values());
    sums.sort(MOST_IDLE_FIRST);
    return sums;
  }

  /**
   * For Spark's metrics: {@code workflow.<name>.<sum>} of each workflow with a lasting name, {@code
   * user.<name>.<sum>} of each user. A name's characters besides letters, digits, - and _ are _
   * there, since many sinks allow no others; names that are equal then are summed. Of each kind the
   * first 100 have their own, most idle slot-time first; the rest is summed as {@code _others_}.
   */
  public Map<String, Number> sums() {
    Map<String, Number> sums = new TreeMap<>();
    List<Map<String, Object>> named =
        rows.stream().filter(row -> lasting.contains(row.get(WORKFLOW))).toList();
    add(named, WORKFLOW, sums);
    add(users(), USER, sums);
    return sums;
  }

  private static void add(List<Map<String, Object>> rows, String kind, Map<String, Number> sums) {
    Set<String> shown = new HashSet<>();
    for (Map<String, Object> row : rows) {
      String name = ((String) row.get(kind)).replaceAll("[^A-Za-z0-9_-]", "_");
      boolean own = shown.contains(name) || shown.size() < MOST_SHOWN && shown.add(name);
      add(row, kind, own ? name : OTHERS.replaceAll("[()]", "_"), sums);
    }
  }

  private static void add(
      Map<String, Object> row, String kind, String name, Map<String, Number> sums) {
    METRICS.forEach(
        (sum, metric) ->
            sums.merge(
                kind + "." + name + "." + metric,
                (Number) row.get(sum),
                (a, b) -> (Number) plus(a, b)));
  }

  /** Sums of numbers; what is none stays as it is. */
  private static Object plus(Object a, Object b) {
    if (a instanceof Long && b instanceof Long) return (long) a + (long) b;
    return a instanceof Double && b instanceof Double ? (Object) ((double) a + (double) b) : a;
  }

  /** One line for each of the workflows that held most, and of their users. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    tell(rows, WORKFLOW, "", lines);
    tell(users(), USER, "user ", lines);
    tellUnforeseen(lines);
    return lines;
  }

  /** What helps whoever lacked slots when it became wide; the worst first. */
  private void tellUnforeseen(List<String> lines) {
    rows.stream()
        .filter(row -> (long) row.get(UNFORESEEN) > 0)
        .sorted(Comparator.comparing(row -> -(long) row.get(UNFORESEEN)))
        .limit(MOST_TOLD)
        .forEach(row -> lines.add(unforeseen(row)));
  }

  private static String unforeseen(Map<String, Object> row) {
    return String.format(
        Locale.ROOT,
        "Holdfast: %s lacked %d slots when it became wider than was known: others had been given"
            + " them meanwhile; what helps: the local property %s, or %s",
        row.get(WORKFLOW),
        row.get(UNFORESEEN),
        Keys.LOCAL_PARALLELISM,
        Keys.HISTORY_DIR.name());
  }

  private static void tell(
      List<Map<String, Object>> rows, String who, String title, List<String> lines) {
    for (Map<String, Object> row : rows.subList(0, Math.min(rows.size(), MOST_TOLD)))
      lines.add(line(title + row.get(who), row));
    if (rows.size() > MOST_TOLD)
      lines.add("Holdfast: " + (rows.size() - MOST_TOLD) + " further " + who + "s held slots");
  }

  private static String line(String who, Map<String, Object> row) {
    String text =
        String.format(
            Locale.ROOT,
            "Holdfast: %s held %d slots (%d used, %d expired, %d overridden, %d dropped), %.3f"
                + " idle held and %.3f busy slot-seconds",
            who,
            row.get("made"),
            row.get("used"),
            row.get("expired"),
            row.get("overridden"),
            row.get("dropped"),
            row.get("idle_slot_s"),
            row.get("busy_slot_s"));
    if ((long) row.get("barriers") == 0) return text;
    return text
        + String.format(
            Locale.ROOT,
            "; %d of %d barriers kept in time, %.1f promised; %.3f idle slot-seconds until their"
                + " deadlines, the bound allows %.3f",
            row.get("kept"),
            row.get("barriers"),
            row.get("promised"),
            row.get("barrier_idle_slot_s"),
            row.get("bound_slot_s"));
  }
}
