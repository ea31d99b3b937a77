package io.holdfast.notice;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The one writer of text that tenants choose, on its way to log, console, metrics and JSON: shows
 * what a terminal, a log or a reader's eye would obey, never sends it, and bounds the length.
 */
public final class Plain {
  /** Longest name, in code points. */
  public static final int MOST = 200;

  /** Longest line of a message, in code points: a message names several names. */
  public static final int MOST_OF_LINE = 2_000;

  private static final int HASH_BYTES = 8;

  private Plain() {}

  /**
   * Returns a name in one harmless line. Equal results mean equal names: an escape of the name's
   * own is escaped, too, and what is cut off is told apart by a hash.
   */
  public static String name(String name) {
    return name(name, MOST);
  }

  /** As {@link #name}, of so many code points at most. */
  public static String name(String name, int most) {
    String shown = escape(name.replace("\\u", "\\u005cu"));
    if (shown.codePointCount(0, shown.length()) <= most) return shown;
    return cut(shown, most - 2 * HASH_BYTES - 1) + "\u2026" + hash(name);
  }

  /** Returns a message in one harmless line; of one that is harmless, the same. */
  public static String line(String message) {
    String shown = escape(message);
    if (shown.codePointCount(0, shown.length()) <= MOST_OF_LINE) return shown;
    return cut(shown, MOST_OF_LINE - 1) + "\u2026";
  }

  /** Returns the same JSON, with what would do harm in its strings as escapes of JSON's. */
  public static String json(String json) {
    return escape(json);
  }

  private static String cut(String text, int codePoints) {
    return text.substring(0, text.offsetByCodePoints(0, codePoints));
  }

  private static String escape(String text) {
    if (text.codePoints().allMatch(Plain::isPlain)) return text;
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isPlain(c)) out.appendCodePoint(c);
              else for (char unit : Character.toChars(c)) out.append(escaped(unit));
            });
    return out.toString();
  }

  private static String escaped(char unit) {
    return "\\u" + HexFormat.of().toHexDigits(unit);
  }

  /** Controls, line ends, what turns or hides text (bidi, zero width), and halves of characters. */
  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
              Character.FORMAT,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR,
              Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  private static String hash(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
