package io.holdfast;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Holdfast says to people. */
public final class Notices {
  private static final Logger LOG = LoggerFactory.getLogger("io.holdfast");
  private static final Logger NATIVE = LoggerFactory.getLogger("io.holdfast.native");

  /** What a warning is about: each kind has a budget of its own. */
  enum About {
    /** What clients' local properties say: as many as they like. */
    CLIENTS,
    /** The decision log. */
    LOG,
    /** All else of Holdfast itself. */
    SELF
  }

  /** How many warnings of a kind are given. */
  static final int MOST = 100;

  private static final Map<About, Set<String>> SAID = new EnumMap<>(About.class);

  private Notices() {}

  /** Banner and summary: also on a console that shows warnings only, as spark-shell's does. */
  static void show(String line) {
    String plain = Plain.line(line);
    say(() -> LOG.info(plain));
    say(() -> System.err.println(plain));
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
    say(() -> LOG.warn(Plain.line(message), cause));
  }

  /** For what would be said at each job. */
  static void warnOnce(About about, String message) {
    String plain = Plain.line(message);
    boolean last;
    synchronized (SAID) {
      Set<String> said = SAID.computeIfAbsent(about, a -> new HashSet<>());
      if (said.size() >= MOST || !said.add(plain)) return;
      last = said.size() == MOST;
    }
    warn(last ? plain + " (further warnings of this kind are left out)" : plain, null);
  }

  /** Passes on lines "LEVEL message" of the native side. */
  static void passOn(String lines) {
    for (String line : lines.split("\n")) {
      int space = line.indexOf(' ');
      if (space < 0) continue;
      String message = Plain.line(line.substring(space + 1));
      switch (line.substring(0, space)) {
        case "ERROR" -> NATIVE.error(message);
        case "WARN" -> NATIVE.warn(message);
        case "INFO" -> NATIVE.info(message);
        default -> NATIVE.debug(message);
      }
    }
  }
}
