package io.holdfast;

import java.util.Locale;

/** What the configuration can name work by; the first that matches counts. */
enum Kind {
  GROUP("glob"),
  TAG("glob"),
  DESCRIPTION("glob"),
  SESSION("glob"),
  USER("glob"),
  POOL("pool");

  /** How the user's part is called: a pattern, or a name as it is. */
  final String part;

  Kind(String part) {
    this.part = part;
  }

  boolean isPattern() {
    return this != POOL;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What its keys begin with. */
  String prefix() {
    return Keys.PREFIX + word() + ".";
  }
}
