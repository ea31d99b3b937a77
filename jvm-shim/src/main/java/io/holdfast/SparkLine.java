package io.holdfast;

import java.util.List;

/** Finds the implementation for the Spark that runs. */
final class SparkLine {
  private SparkLine() {}

  /** Id of the implementation for a Spark and Scala version, or null if there is none. */
  static String target(String spark, String scala) {
    boolean scala212 = scala.startsWith("2.12.");
    boolean scala213 = scala.startsWith("2.13.");
    if (spark.matches("3\\.5\\..*"))
      return scala212 ? "spark35_212" : scala213 ? "spark35_213" : null;
    if (spark.matches("4\\.1\\..*")) return scala213 ? "spark41" : null;
    return null;
  }

  /**
   * The implementation, probed.
   *
   * @throws IllegalStateException with a sentence for people if there is none
   */
  static LineBackend load(String spark) {
    String scala = scalaVersion();
    String target = target(spark, scala);
    if (target == null) {
      throw new IllegalStateException(
          "Spark " + spark + " with Scala " + scala + " is not supported (supported: 3.5, 4.1)");
    }
    LineBackend line;
    try {
      String name = "org.apache.spark.scheduler.holdfast." + target + ".Line";
      line = (LineBackend) Class.forName(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException(
          "the implementation for Spark " + spark + " cannot be loaded: " + e, e);
    }
    List<String> missing = line.probe();
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "Spark " + spark + " lacks " + String.join(", ", missing) + ": is it a patched build?");
    }
    return line;
  }

  private static String scalaVersion() {
    try {
      return (String)
          Class.forName("scala.util.Properties").getMethod("versionNumberString").invoke(null);
    } catch (ReflectiveOperationException e) {
      return "unknown";
    }
  }
}
