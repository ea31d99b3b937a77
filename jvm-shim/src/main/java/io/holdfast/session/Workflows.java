package io.holdfast.session;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Names of workflows and their ids. Ids are never used twice; names are forgotten, oldest first.
 */
final class Workflows {
  private static final int MOST_REMEMBERED = 4096;

  private final Map<String, WorkflowRef> byName = new LinkedHashMap<>(64, 0.75f, true);

  /** Of those that repeat the same the first one that is not forgotten, by what they repeat. */
  private final Map<String, WorkflowRef> firsts = new HashMap<>();

  /** Those that differ in their number only. */
  private final Map<String, Set<WorkflowRef>> byBase = new HashMap<>();

  /** Read without a lock. */
  private final Map<Integer, WorkflowRef> byId = new ConcurrentHashMap<>();

  private int next;

  /** Null when it is new. */
  WorkflowRef find(String name) {
    return byName.get(name);
  }

  /** Adds one of this name, which is {@code base}, maybe with a number. */
  WorkflowRef add(String name, String base, String lasting, boolean recurs) {
    WorkflowRef added = new WorkflowRef(next++, name, base, lasting, recurs);
    byName.put(name, added);
    byBase.computeIfAbsent(base, b -> new LinkedHashSet<>()).add(added);
    byId.put(added.id, added);
    firsts.putIfAbsent(lasting, added);
    Iterator<WorkflowRef> oldestFirst = byName.values().iterator();
    while (byName.size() > MOST_REMEMBERED && oldestFirst.hasNext()) {
      WorkflowRef old = oldestFirst.next();
      if (!old.jobs.isEmpty() || old == added) continue;
      oldestFirst.remove();
      byId.remove(old.id);
      firsts.remove(old.lasting, old);
      Set<WorkflowRef> alike = byBase.get(old.base);
      alike.remove(old);
      if (alike.isEmpty()) byBase.remove(old.base);
    }
    return added;
  }

  /** Those of this name, with a number or without. */
  Set<WorkflowRef> numbered(String base) {
    return byBase.getOrDefault(base, Set.of());
  }

  /** Returns the first one that repeats the same, perhaps itself. */
  WorkflowRef firstLike(WorkflowRef workflow) {
    return firsts.computeIfAbsent(workflow.lasting, lasting -> workflow);
  }

  /** Null when it is forgotten; needs no lock. */
  WorkflowRef find(int id) {
    return byId.get(id);
  }

  Collection<WorkflowRef> all() {
    return byName.values();
  }
}
