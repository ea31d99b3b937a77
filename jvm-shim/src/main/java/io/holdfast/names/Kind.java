package io.holdfast.names;

import java.util.Locale;

/** What the configuration can name work by; the first that matches counts. */
public enum Kind {
  GROUP("glob"),
  TAG("glob"),
  DESCRIPTION("glob"),
  SESSION("glob"),
  USER("glob"),
  POOL("pool");

  /** How the user's part is called: a pattern, or a name as it is. */
  public final String part;

  Kind(String part) {
    this.part = part;
  }

  boolean isPattern() {
    return this != POOL;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
