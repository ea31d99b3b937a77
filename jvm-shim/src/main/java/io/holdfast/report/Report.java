package io.holdfast.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.bridge.NativeEngine;
import io.holdfast.bridge.NativeLoader;
import io.holdfast.config.Settings;
import io.holdfast.line.SparkLine;
import io.holdfast.notice.Plain;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What is told: to the engine at its start, to people at start and end, to programs in between. */
public final class Report {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Names of {@link #counters}, as Spark's metrics system shows them. */
  static final List<String> COUNTERS =
      List.of(
          "held",
          "made",
          "used",
          "expired",
          "overridden",
          "dropped",
          "idleSlotSeconds",
          "vetoes",
          "copies",
          "copiesWon",
          "copiesLostSlotSeconds",
          "copiesBeforeEquals",
          "boundsMet",
          "boundsMissed",
          "failed");

  private final Settings settings;
  private final String spark;

  public Report(Settings settings, String spark) {
    this.settings = settings;
    this.spark = spark;
  }

  public byte[] config() {
    return json(settings.engineConfig()).getBytes(UTF_8);
  }

  public byte[] header(String applicationId) {
    Map<String, Object> header = new LinkedHashMap<>();
    header.put("application", applicationId);
    header.put("spark", spark);
    header.put("mode", settings.mode());
    header.put("priorities", settings.priorities().toString());
    return json(header).getBytes(UTF_8);
  }

  public String banner() {
    String revision = revision().isEmpty() ? "" : " (" + revision() + ")";
    return "Holdfast "
        + version()
        + revision
        + " is on: Spark "
        + SparkLine.describe(spark)
        + ", mode "
        + settings.mode()
        + ", policy "
        + settings.policy()
        + ", priorities: "
        + settings.priorities()
        + (settings.clients().ignored()
            ? ", clients ignored (" + settings.clients().because() + ")"
            : "");
  }

  public String summary(long[] t, long vetoes) {
    return holds(t, vetoes) + stragglers(t);
  }

  /** Where copies run on held slots only, and no job has a bound, there is no more to say. */
  private static String stragglers(long[] t) {
    long lost = t[NativeEngine.TOTAL_COPIES_LOST_MICROS];
    long met = t[NativeEngine.TOTAL_BOUNDS_MET];
    long missed = t[NativeEngine.TOTAL_BOUNDS_PASSED];
    String copies =
        lost > 0
            ? String.format(Locale.ROOT, ", %.3f slot-seconds of copying lost", lost / 1e6)
            : "";
    return met + missed > 0 ? copies + ", bounds: " + met + " met, " + missed + " missed" : copies;
  }

  private static String holds(long[] t, long vetoes) {
    return String.format(
        Locale.ROOT,
        "Holdfast: %d slots held (%d used, %d moved, %d expired, %d overridden, %d dropped), %.3f"
            + " idle held slot-seconds, %d vetoes, %d copies of stragglers (%d won)",
        t[NativeEngine.TOTAL_MADE],
        t[NativeEngine.TOTAL_USED],
        t[NativeEngine.TOTAL_MOVED],
        t[NativeEngine.TOTAL_EXPIRED],
        t[NativeEngine.TOTAL_OVERRIDDEN],
        dropped(t),
        seconds(t),
        vetoes,
        t[NativeEngine.TOTAL_COPIES],
        t[NativeEngine.TOTAL_COPIES_WON]);
  }

  public Map<String, Number> counters(long[] t, long vetoes, boolean failed) {
    Number[] values = {
      t[NativeEngine.TOTAL_LEFT],
      t[NativeEngine.TOTAL_MADE],
      t[NativeEngine.TOTAL_USED],
      t[NativeEngine.TOTAL_EXPIRED],
      t[NativeEngine.TOTAL_OVERRIDDEN],
      dropped(t) + t[NativeEngine.TOTAL_MOVED],
      seconds(t),
      vetoes,
      t[NativeEngine.TOTAL_COPIES],
      t[NativeEngine.TOTAL_COPIES_WON],
      t[NativeEngine.TOTAL_COPIES_LOST_MICROS] / 1e6,
      t[NativeEngine.TOTAL_COPIES_BEFORE_EQUALS],
      t[NativeEngine.TOTAL_BOUNDS_MET],
      t[NativeEngine.TOTAL_BOUNDS_PASSED],
      failed ? 1 : 0
    };
    Map<String, Number> counters = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) counters.put(COUNTERS.get(i), values[i]);
    return counters;
  }

  /**
   * @param failure why it is off, or null while it is on
   * @param remembered workflows that earlier applications have left, and samples of bounded jobs
   */
  public String status(long[] t, long vetoes, String failure, Accounts accounts, int[] remembered) {
    Map<String, Object> holds = new LinkedHashMap<>();
    holds.put("made", t[NativeEngine.TOTAL_MADE]);
    holds.put("used", t[NativeEngine.TOTAL_USED]);
    holds.put("moved", t[NativeEngine.TOTAL_MOVED]);
    holds.put("expired", t[NativeEngine.TOTAL_EXPIRED]);
    holds.put("overridden", t[NativeEngine.TOTAL_OVERRIDDEN]);
    holds.put("dropped", dropped(t));
    holds.put("left", t[NativeEngine.TOTAL_LEFT]);
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("mode", failure == null ? settings.mode() : "off");
    if (failure != null) status.put("reason", failure);
    status.put("policy", settings.policy());
    status.put("holds", holds);
    status.put("idle_slot_s", seconds(t));
    status.put("vetoes", vetoes);
    status.put("copies", t[NativeEngine.TOTAL_COPIES]);
    status.put("copies_won", t[NativeEngine.TOTAL_COPIES_WON]);
    if (t[NativeEngine.TOTAL_COPIES_LOST_MICROS] > 0) {
      status.put("copies_lost_slot_s", t[NativeEngine.TOTAL_COPIES_LOST_MICROS] / 1e6);
      status.put("copies_before_equals", t[NativeEngine.TOTAL_COPIES_BEFORE_EQUALS]);
    }
    if (t[NativeEngine.TOTAL_BOUNDS_MET] + t[NativeEngine.TOTAL_BOUNDS_PASSED] > 0) {
      status.put("bounds_met", t[NativeEngine.TOTAL_BOUNDS_MET]);
      status.put("bounds_passed", t[NativeEngine.TOTAL_BOUNDS_PASSED]);
    }
    status.put("workflows", accounts.rows());
    if (!accounts.users().isEmpty()) status.put("users", accounts.users());
    status.put("remembered", remembered[0]);
    if (remembered[1] > 0) status.put("remembered_samples", remembered[1]);
    status.put("native", version());
    return json(status);
  }

  public static String off(String reason) {
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("mode", "off");
    status.put("reason", reason);
    return json(status);
  }

  private static long dropped(long[] t) {
    return t[NativeEngine.TOTAL_NOT_NEEDED]
        + t[NativeEngine.TOTAL_WORKFLOW_OVER]
        + t[NativeEngine.TOTAL_EXECUTOR_GONE];
  }

  private static double seconds(long[] t) {
    return t[NativeEngine.TOTAL_IDLE_HELD_MICROS] / 1e6;
  }

  private static String version() {
    return description("version");
  }

  private static String revision() {
    return description("revision");
  }

  private static String description(String field) {
    return NativeLoader.field(new String(NativeEngine.describe(), UTF_8), field);
  }

  private static String json(Map<String, Object> object) {
    try {
      return Plain.json(JSON.writeValueAsString(object));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
