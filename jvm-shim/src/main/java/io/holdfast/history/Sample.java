package io.holdfast.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a bounded job taught that ran with one rule for stragglers throughout: the numbers of the
 * event Sampled.
 */
public record Sample(int kind, int tasks, int value, int utilization, int accuracy, int score) {
  /** As many as an application leaves, and the next one is told: the engine keeps no more. */
  static final int MOST = 18 * 128;

  private static final int NUMBERS = 6;
  private static final int KINDS = 4;
  private static final int MOST_TASKS = 1 << 24;
  private static final int WHOLE = 1_000_000;

  /** Returns the sample of an array of numbers, or null when one of them is out of range. */
  static Sample of(JsonNode numbers) {
    if (!numbers.isArray() || numbers.size() != NUMBERS) return null;
    int[] n = new int[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
      JsonNode each = numbers.get(i);
      if (!each.isIntegralNumber() || !each.canConvertToInt() || each.asInt() < 0) return null;
      n[i] = each.asInt();
    }
    boolean shares = n[3] <= WHOLE && n[4] <= WHOLE;
    if (n[0] >= KINDS || n[1] < 1 || n[1] > MOST_TASKS || !shares) return null;
    return new Sample(n[0], n[1], n[2], n[3], n[4], n[5]);
  }

  /** Returns those that are in range. */
  static List<Sample> all(JsonNode rows) {
    List<Sample> all = new ArrayList<>();
    for (JsonNode row : rows) {
      Sample sample = of(row);
      if (sample != null) all.add(sample);
    }
    return all;
  }

  /** Returns all but the told ones, each as often as it was told. */
  static List<Sample> without(List<Sample> all, List<Sample> told) {
    Map<Sample, Integer> left = new HashMap<>();
    for (Sample each : told) left.merge(each, 1, Integer::sum);
    List<Sample> own = new ArrayList<>();
    for (Sample each : all) {
      Integer times = left.computeIfPresent(each, (sample, n) -> n - 1);
      if (times == null || times < 0) own.add(each);
    }
    return own;
  }

  void write(ArrayNode to) {
    for (int each : new int[] {kind, tasks, value, utilization, accuracy, score}) to.add(each);
  }
}
