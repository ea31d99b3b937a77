package io.holdfast.names;

/** A pattern for names: {@code *} stands for any text, {@code ?} for one character. */
final class Glob {
  private final String text;
  private final int[] pattern;

  Glob(String text) {
    this.text = text;
    pattern = text.codePoints().toArray();
  }

  /**
   * Only the latest {@code *} ever takes more, which is enough: had an earlier one taken more, less
   * would be left for the rest. A regular expression tries all of them, for hours in a SQL text.
   */
  boolean matches(String name) {
    int at = 0;
    int next = 0;
    int star = -1;
    int taken = 0; // where what the star stands for ends
    while (at < name.length()) {
      int c = name.codePointAt(at);
      if (next < pattern.length && pattern[next] == '*') {
        star = next++;
        taken = at;
      } else if (next < pattern.length && (pattern[next] == '?' || pattern[next] == c)) {
        next++;
        at += Character.charCount(c);
      } else if (star >= 0) {
        taken += Character.charCount(name.codePointAt(taken));
        at = taken;
        next = star + 1;
      } else return false;
    }
    while (next < pattern.length && pattern[next] == '*') next++;
    return next == pattern.length;
  }

  /** Number of literal characters: of two patterns that match, the one with more says more. */
  int literals() {
    return (int) text.chars().filter(c -> c != '*' && c != '?').count();
  }

  @Override
  public String toString() {
    return text;
  }
}
