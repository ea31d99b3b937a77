package io.holdfast.line;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the implementation for the Spark that runs. */
public final class SparkLine {
  static final String SUPPORTED =
      "3.5 with Scala 2.12 or 2.13, and 4.0, 4.1, 4.2, 4.3 with Scala 2.13";

  /** Line and patch release, then what a vendor adds. */
  private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\d+)\\.\\d+(.*)");

  /** How many of many names are said. */
  private static final int MOST = 5;

  /** Targets that have been compared with the Spark that runs. */
  private static final Set<String> CHECKED = ConcurrentHashMap.newKeySet();

  private SparkLine() {}

  /** Id of the implementation for a Spark and Scala version, or null if there is none. */
  static String target(String spark, String scala) {
    Matcher version = VERSION.matcher(spark);
    if (!version.matches()) return null;
    boolean scala212 = scala.startsWith("2.12.");
    boolean scala213 = scala.startsWith("2.13.");
    return switch (version.group(1)) {
      case "3.5" -> scala212 ? "spark35_212" : scala213 ? "spark35_213" : null;
      case "4.0", "4.1" -> scala213 ? "spark40" : null;
      case "4.2" -> scala213 ? "spark42" : null;
      case "4.3" -> scala213 ? "spark43" : null;
      default -> null;
    };
  }

  /** The version for people: one that is not Apache's own is told apart. */
  public static String describe(String spark) {
    Matcher version = VERSION.matcher(spark);
    boolean apaches = version.matches() && version.group(2).isEmpty();
    return apaches ? spark : spark + " (a build of its own, which has all that Holdfast uses)";
  }

  /**
   * The implementation, compared with the Spark that runs.
   *
   * @throws IllegalStateException with a sentence for people if there is none
   */
  public static LineBackend load(String spark) {
    String scala = scalaVersion();
    String target = target(spark, scala);
    if (target == null) {
      throw new IllegalStateException(
          "Spark "
              + spark
              + " with Scala "
              + scala
              + " is not supported (supported: "
              + SUPPORTED
              + ")");
    }
    if (!Links.has(target)) {
      throw new IllegalStateException(
          "this holdfast-spark.jar was built without its part for Spark "
              + spark
              + " ("
              + target
              + "): take a released one, or build it where that Spark can be had");
    }
    if (!CHECKED.contains(target)) refuse(spark, Links.missing(target));
    LineBackend line = make(spark, target, "Line", LineBackend.class);
    refuse(spark, line.probe());
    CHECKED.add(target);
    return line;
  }

  /**
   * Makes a part of the implementation that programs call, whether Holdfast is on or off.
   *
   * @throws IllegalStateException with a sentence for people if there is none for this Spark
   */
  public static <T> T part(String spark, String name, Class<T> type) {
    String target = target(spark, scalaVersion());
    if (target == null || !Links.has(target)) load(spark); // it says why
    return make(spark, target, name, type);
  }

  private static <T> T make(String spark, String target, String part, Class<T> type) {
    try {
      String name = "org.apache.spark.scheduler.holdfast." + target + "." + part;
      return type.cast(Class.forName(name).getDeclaredConstructor().newInstance());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException(
          "the implementation for Spark " + spark + " cannot be loaded: " + e, e);
    }
  }

  /**
   * Compares what is used on YARN alone, which this Spark may not have, with the Spark that runs.
   *
   * @throws IllegalStateException with a sentence for people if something is missing
   */
  public static void checkYarn(String spark) {
    refuse(spark, Links.missing(target(spark, scalaVersion()) + "_yarn"));
  }

  private static void refuse(String spark, List<String> missing) {
    if (missing.isEmpty()) return;
    String more = missing.size() > MOST ? " and " + (missing.size() - MOST) + " more" : "";
    String some = String.join(", ", missing.subList(0, Math.min(MOST, missing.size())));
    throw new IllegalStateException(
        "Spark "
            + spark
            + " lacks "
            + some
            + more
            + ", which Apache's has: this looks like a vendor's build, for which Holdfast has no"
            + " implementation");
  }

  public static String scalaVersion() {
    try {
      return (String)
          Class.forName("scala.util.Properties").getMethod("versionNumberString").invoke(null);
    } catch (ReflectiveOperationException e) {
      return "unknown";
    }
  }
}
