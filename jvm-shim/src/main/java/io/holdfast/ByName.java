package io.holdfast;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Numbers that the configuration gives to pools and job groups. */
final class ByName {
  private record Group(Glob glob, int value) {}

  private final Map<String, Integer> pools = new TreeMap<>();
  private final List<Group> groups = new ArrayList<>();

  void pool(String pool, int value) {
    pools.put(pool, value);
  }

  void group(String glob, int value) {
    groups.add(new Group(new Glob(glob), value));
    // The most specific pattern first; equally specific ones in the order of their text.
    groups.sort(
        Comparator.comparingInt((Group g) -> -g.glob().literals())
            .thenComparing(g -> g.glob().toString()));
  }

  /** Of a job group if a pattern matches it, else of the pool; null without either. */
  Integer of(String group, String pool) {
    if (group != null)
      for (Group each : groups) if (each.glob().matches(group)) return each.value();
    return ofPool(pool);
  }

  /** Null when the pool has none. */
  Integer ofPool(String pool) {
    return pool == null ? null : pools.get(pool);
  }

  /** For the banner. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    pools.forEach((pool, value) -> parts.add("pool " + pool + " " + value));
    groups.forEach(g -> parts.add("group " + g.glob() + " " + g.value()));
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }
}
