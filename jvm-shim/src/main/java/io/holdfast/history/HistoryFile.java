package io.holdfast.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The text of one application's file: a line that says what it is, then one JSON object a line, so
 * that a damaged line costs that workflow only. {@code holdfast history} reads it, too.
 */
final class HistoryFile {
  private static final int VERSION = 1;
  private static final String MARK = "holdfast_history";
  private static final int NUMBERS = 5;

  private static final int MOST_STEPS = 64;

  /** As in the engine, which takes more for garbage. */
  private static final int MOST_TASKS = 1 << 24;

  /** What is longer or more was not written here: refused before it becomes objects. */
  private static final int LONGEST_LINE = 16 << 10;

  private static final String SAMPLES = "samples";

  /** A line has no more, so that it is no longer than others. */
  private static final int SAMPLES_OF_A_LINE = 128;

  /** What a file says. */
  record Content(List<Remembered> workflows, List<Sample> samples) {}

  private static final ObjectMapper JSON = new ObjectMapper();

  private HistoryFile() {}

  static String write(String application, Collection<Remembered> all, List<Sample> samples) {
    StringBuilder text = new StringBuilder();
    ObjectNode head = JSON.createObjectNode().put(MARK, VERSION).put("application", application);
    text.append(line(head));
    for (Remembered each : all) {
      ObjectNode row = JSON.createObjectNode();
      row.put("workflow", each.key().workflow()).put("shape", each.key().shape());
      row.put("when", each.when()).put("runs", each.runs());
      ArrayNode steps = row.putArray("steps");
      for (Remembered.Step s : each.steps()) {
        ArrayNode numbers = steps.addArray();
        for (int signature : new int[] {s.first(), s.second(), s.then()})
          numbers.add(Integer.toUnsignedLong(signature));
        numbers.add(s.tasks()).add(s.afterMillis());
      }
      text.append(line(row));
    }
    for (int i = 0; i < samples.size(); i += SAMPLES_OF_A_LINE) {
      ObjectNode row = JSON.createObjectNode().put("when", System.currentTimeMillis());
      ArrayNode rows = row.putArray(SAMPLES);
      int end = Math.min(samples.size(), i + SAMPLES_OF_A_LINE);
      for (Sample each : samples.subList(i, end)) each.write(rows.addArray());
      text.append(line(row));
    }
    return text.toString();
  }

  private static String line(ObjectNode object) {
    try {
      return JSON.writeValueAsString(object) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads what can be read.
   *
   * @param text of a file; none of an empty one, which has been skipped before
   * @param skipped hears of each line that cannot, in words; of a file of another version once
   */
  static Content read(byte[] text, Consumer<String> skipped) {
    Content found = new Content(new ArrayList<>(), new ArrayList<>());
    if (text.length == 0) return found;
    Iterator<String> lines = new String(text, UTF_8).lines().iterator();
    JsonNode head = parse(lines.next());
    if (head == null || head.path(MARK).asInt() != VERSION) {
      skipped.accept(
          head != null && head.has(MARK)
              ? "version " + head.get(MARK).asText() + " is not known here"
              : "it is no history of Holdfast");
      return found;
    }
    int number = 1;
    while (lines.hasNext()) {
      String line = lines.next();
      number++;
      JsonNode row = line.length() > LONGEST_LINE ? null : parse(line);
      boolean whole = row != null && row.has(SAMPLES) ? samples(row, found) : entry(row, found);
      if (!whole) skipped.accept("line " + number + " is damaged");
      String more = more(found);
      if (more == null) continue;
      skipped.accept("it has more than " + more);
      break;
    }
    return found;
  }

  /** Returns what a file has more of than an application leaves, or null. */
  private static String more(Content found) {
    if (found.workflows.size() > History.MOST_WORKFLOWS) {
      found.workflows.remove(History.MOST_WORKFLOWS);
      return History.MOST_WORKFLOWS + " workflows";
    }
    if (found.samples.size() <= Sample.MOST) return null;
    found.samples.subList(Sample.MOST, found.samples.size()).clear();
    return Sample.MOST + " samples";
  }

  private static boolean samples(JsonNode row, Content found) {
    JsonNode rows = row.get(SAMPLES);
    if (!rows.isArray() || rows.size() > SAMPLES_OF_A_LINE) return false;
    List<Sample> all = Sample.all(rows);
    if (all.size() != rows.size()) return false;
    return found.samples.addAll(all) || all.isEmpty();
  }

  private static boolean entry(JsonNode row, Content found) {
    Remembered entry = entry(row);
    return entry != null && found.workflows.add(entry);
  }

  /** Null when it is none. */
  private static JsonNode parse(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      return node != null && node.isObject() ? node : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  private static Remembered entry(JsonNode row) {
    if (row == null || !row.path("workflow").isTextual() || !row.path("shape").isTextual())
      return null;
    if (!row.path("when").isIntegralNumber() || !row.path("runs").canConvertToInt()) return null;
    List<Remembered.Step> steps = steps(row.path("steps"));
    if (steps == null) return null;
    Remembered.Key key =
        new Remembered.Key(row.get("workflow").asText(), row.get("shape").asText());
    return new Remembered(key, row.get("when").asLong(), row.get("runs").asInt(), steps);
  }

  /** Reads what the engine gives, of which a file keeps the latest. */
  static List<Remembered.Step> latest(JsonNode array) {
    ArrayNode kept = JSON.createArrayNode();
    for (int i = Math.max(0, array.size() - MOST_STEPS); i < array.size(); i++)
      kept.add(array.get(i));
    return steps(kept);
  }

  /** Reads an array of arrays; null when there are too many, or a number is out of range. */
  static List<Remembered.Step> steps(JsonNode array) {
    if (!array.isArray() || array.size() > MOST_STEPS) return null;
    List<Remembered.Step> steps = new ArrayList<>();
    for (JsonNode n : array) {
      if (n.size() != NUMBERS) return null;
      for (JsonNode each : n)
        if (!each.isIntegralNumber() || !each.canConvertToLong() || each.asLong() < 0) return null;
      for (int i = 0; i < 3; i++) if (n.get(i).asLong() >>> Integer.SIZE != 0) return null;
      if (n.get(3).asLong() < 1 || n.get(3).asLong() > MOST_TASKS) return null;
      steps.add(
          new Remembered.Step(
              (int) n.get(0).asLong(),
              (int) n.get(1).asLong(),
              (int) n.get(2).asLong(),
              n.get(3).asInt(),
              (int) Math.min(n.get(4).asLong(), Integer.MAX_VALUE)));
    }
    return steps;
  }
}
