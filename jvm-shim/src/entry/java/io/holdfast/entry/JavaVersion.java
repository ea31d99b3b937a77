package io.holdfast.entry;

import org.apache.spark.SparkConf;

/** What the driver's JVM has to be for all but the classes that Spark loads by itself. */
public final class JavaVersion {
  static final int OLDEST = 17;
  private static final String KEY = "java.specification.version";

  private JavaVersion() {}

  public static boolean isSupported() {
    String version = System.getProperty(KEY);
    try {
      return Integer.parseInt(version) >= OLDEST; // before 9 it was 1.8
    } catch (NumberFormatException old) {
      return false;
    }
  }

  /** A sentence for people. */
  public static String unsupported() {
    return "it needs Java "
        + OLDEST
        + " or later in the driver, and this is Java "
        + System.getProperty(KEY);
  }

  /** Whether the application must not start without Holdfast. */
  public static boolean required(SparkConf conf) {
    return Boolean.parseBoolean(conf.get(HoldfastRequired.KEY, "false").trim());
  }

  /** An object of a class that needs that Java. */
  public static Object load(String name) {
    try {
      return Class.forName(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Holdfast's jar is not whole: " + e, e);
    }
  }
}
