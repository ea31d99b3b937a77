package io.holdfast;

import java.util.regex.Pattern;

/** A pattern for names: {@code *} stands for any text, {@code ?} for one character. */
final class Glob {
  private final String text;
  private final Pattern pattern;

  Glob(String text) {
    this.text = text;
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  boolean matches(String name) {
    return pattern.matcher(name).matches();
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
