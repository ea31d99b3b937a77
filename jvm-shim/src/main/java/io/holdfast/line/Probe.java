package io.holdfast.line;

import java.util.ArrayList;
import java.util.List;

/** Collects what a class lacks of what is reached by reflection: {@link Links} cannot know it. */
public final class Probe {
  private final List<String> missing = new ArrayList<>();

  /** Expects a field of this type that reflection can read. */
  public Probe field(Class<?> owner, String name, Class<?> type) {
    try {
      var field = owner.getDeclaredField(name);
      if (field.getType() == type && field.trySetAccessible()) return this;
    } catch (NoSuchFieldException e) {
      // Said below.
    }
    missing.add(owner.getSimpleName() + "." + name);
    return this;
  }

  /** Names of all that was expected and is not there. */
  public List<String> missing() {
    return missing;
  }
}
