package io.holdfast;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Holdfast says to people. */
public final class Notices {
  private static final Logger LOG = LoggerFactory.getLogger("io.holdfast");
  private static final Logger NATIVE = LoggerFactory.getLogger("io.holdfast.native");
  private static final int MOST_REMEMBERED = 100;
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  private Notices() {}

  /** Banner and summary: also on a console that shows warnings only, as spark-shell's does. */
  static void show(String line) {
    say(() -> LOG.info(line));
    say(() -> System.err.println(line));
  }

  /** What cannot be said stays unsaid: a logger that fails is not worth a driver. */
  private static void say(Runnable notice) {
    try {
      notice.run();
    } catch (Throwable e) {
      // There is no other place to say it.
    }
  }

  /**
   * Holdfast cannot be switched on.
   *
   * @throws HoldfastRequired if it is required, and nothing else
   */
  static void unavailable(Settings settings, Throwable cause) {
    if (cause instanceof HoldfastRequired required) throw required;
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    say(() -> Status.off(why));
    if (settings.required()) throw new HoldfastRequired(why, cause);
    boolean expected =
        cause instanceof IllegalArgumentException
            || cause instanceof IllegalStateException
            || cause instanceof NativeLoader.Unavailable;
    warn("Holdfast is off, Spark's own scheduling goes on: " + why, expected ? null : cause);
  }

  static void warn(String message, Throwable cause) {
    say(() -> LOG.warn(message, cause));
  }

  /** For what would be said at each job. */
  static void warnOnce(String message) {
    if (SAID.size() < MOST_REMEMBERED && SAID.add(message)) warn(message, null);
  }

  /** Passes on lines "LEVEL message" of the native side. */
  static void passOn(String lines) {
    for (String line : lines.split("\n")) {
      int space = line.indexOf(' ');
      if (space < 0) continue;
      String message = line.substring(space + 1);
      switch (line.substring(0, space)) {
        case "ERROR" -> NATIVE.error(message);
        case "WARN" -> NATIVE.warn(message);
        case "INFO" -> NATIVE.info(message);
        default -> NATIVE.debug(message);
      }
    }
  }
}
