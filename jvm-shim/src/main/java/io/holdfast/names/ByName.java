package io.holdfast.names;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Numbers that the configuration gives to names. They may change while others read them. */
public final class ByName {
  private record Entry(Glob glob, String text, int value) {
    boolean matches(String name) {
      return glob == null ? text.equals(name) : glob.matches(name);
    }

    int literals() {
      return glob == null ? text.length() : glob.literals();
    }
  }

  /** The most specific first; equally specific ones in the order of their text. */
  private static final Comparator<Entry> ORDER =
      Comparator.comparingInt((Entry e) -> -e.literals()).thenComparing(Entry::text);

  private final Map<Kind, List<Entry>> entries = new EnumMap<>(Kind.class);

  public synchronized void put(Kind kind, String name, int value) {
    List<Entry> all = entries.computeIfAbsent(kind, k -> new ArrayList<>());
    all.removeIf(entry -> entry.text().equals(name));
    all.add(new Entry(kind.isPattern() ? new Glob(name) : null, name, value));
    all.sort(ORDER);
  }

  /** A number, and the name that it was given to. */
  public record Found(Kind kind, String name, int value) {}

  /** Of the first kind that has one; null without any. */
  public synchronized Found find(Names names) {
    for (Map.Entry<Kind, List<Entry>> kind : entries.entrySet()) {
      for (Entry entry : kind.getValue()) {
        for (String name : names.of(kind.getKey()))
          if (entry.matches(name)) return new Found(kind.getKey(), name, entry.value());
      }
    }
    return null;
  }

  /** As {@link #find}, without the name. */
  public Integer of(Names names) {
    Found found = find(names);
    return found == null ? null : found.value();
  }

  /** The smallest that any name has; null without any. */
  public synchronized Integer least() {
    return entries.values().stream()
        .flatMap(List::stream)
        .map(Entry::value)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** Whether this name has one of its own. */
  public synchronized boolean has(Kind kind, String name) {
    return name != null
        && entries.getOrDefault(kind, List.of()).stream().anyMatch(e -> e.matches(name));
  }

  /** For the banner. */
  @Override
  public synchronized String toString() {
    List<String> parts = new ArrayList<>();
    entries.forEach(
        (kind, all) -> all.forEach(e -> parts.add(kind.word() + " " + e.text() + " " + e.value())));
    return parts.isEmpty() ? "none" : String.join(", ", parts);
  }
}
