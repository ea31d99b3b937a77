package io.holdfast.notice;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says to people what Holdfast has to say. Knows nothing of the rest of Holdfast. */
public final class Notices {
  /** Apart: what cannot begin to log must still be able to give up. */
  private static final class Loggers {
    static final Logger OWN = LoggerFactory.getLogger("io.holdfast");
    static final Logger NATIVE = LoggerFactory.getLogger("io.holdfast.native");
  }

  /** What a warning is about: each kind has a budget of its own. */
  public enum About {
    /** What clients' local properties say: as many as they like. */
    CLIENTS,
    /** The decision log. */
    LOG,
    /** All else of Holdfast itself. */
    SELF
  }

  /** How many warnings of a kind are given. */
  public static final int MOST = 100;

  private static final class Budgets {
    static final Map<About, Set<String>> SAID = new EnumMap<>(About.class);
  }

  private Notices() {}

  /** Banner and summary: also on a console that shows warnings only, as spark-shell's does. */
  public static void show(String line) {
    say(() -> Loggers.OWN.info(Plain.line(line)));
    say(() -> System.err.println(Plain.line(line)));
  }

  /** What cannot be said stays unsaid: a logger that fails is not worth a driver. */
  private static void say(Runnable notice) {
    try {
      notice.run();
    } catch (Throwable e) {
      // There is no other place to say it.
    }
  }

  public static void info(String message) {
    say(() -> Loggers.OWN.info(Plain.line(message)));
  }

  public static void warn(String message, Throwable cause) {
    say(() -> Loggers.OWN.warn(Plain.line(message), cause));
  }

  /** For what would be said at each job. */
  public static void warnOnce(About about, String message) {
    say(() -> warnWithin(about, Plain.line(message)));
  }

  private static void warnWithin(About about, String plain) {
    boolean last;
    synchronized (Budgets.class) {
      Set<String> said = Budgets.SAID.computeIfAbsent(about, a -> new HashSet<>());
      if (said.size() >= MOST || !said.add(plain)) return;
      last = said.size() == MOST;
    }
    warn(last ? plain + " (further warnings of this kind are left out)" : plain, null);
  }

  /** Passes on lines "LEVEL message" of the native side. */
  public static void passOn(String lines) {
    for (String line : lines.split("\n")) {
      int space = line.indexOf(' ');
      if (space < 0) continue;
      say(() -> passOn(line.substring(0, space), Plain.line(line.substring(space + 1))));
    }
  }

  private static void passOn(String level, String message) {
    switch (level) {
      case "ERROR" -> Loggers.NATIVE.error(message);
      case "WARN" -> Loggers.NATIVE.warn(message);
      case "INFO" -> Loggers.NATIVE.info(message);
      default -> Loggers.NATIVE.debug(message);
    }
  }
}
