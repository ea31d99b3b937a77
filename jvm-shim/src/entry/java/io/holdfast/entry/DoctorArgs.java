package io.holdfast.entry;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;
import org.apache.spark.SparkConf;

/** What the doctor is asked about: arguments that its callers make, in pairs. */
public final class DoctorArgs {
  /** Exit codes of the JVM that examines, apart from those of a JVM that does not start. */
  public static final int RUNS = 20;

  public static final int RUNS_NOT = 21;

  public static final String JARS = "spark.jars";
  private static final String PACKAGES = "spark.jars.packages";
  private static final String CLASS_PATH = "spark.driver.extraClassPath";
  private static final String PLUGIN = "io/holdfast/HoldfastPlugin.class";

  private final String[] raw;
  private final Map<String, String> single = new LinkedHashMap<>();
  private final Map<String, String> conf = new LinkedHashMap<>();

  private DoctorArgs(String[] raw) {
    this.raw = raw.clone();
  }

  /**
   * Reads {@code --spark-home DIR --jar FILE}, and as far as they are given {@code --program
   * VERSION}, {@code --properties-file FILE} and any number of {@code --conf KEY=VALUE}.
   */
  public static DoctorArgs of(String[] raw) {
    DoctorArgs args = new DoctorArgs(raw);
    for (int i = 0; i + 1 < raw.length; i += 2) {
      String value = raw[i + 1];
      int equals = value.indexOf('=');
      if (!raw[i].equals("--conf")) args.single.put(raw[i], value);
      else if (equals > 0) args.conf.put(value.substring(0, equals), value.substring(equals + 1));
    }
    if (args.single.get("--spark-home") == null || args.jar() == null)
      throw new IllegalArgumentException("--spark-home DIR and --jar FILE are missing");
    return args;
  }

  public String[] raw() {
    return raw.clone();
  }

  public Path sparkHome() {
    return Paths.get(single.get("--spark-home"));
  }

  /** Ours, on the class path. */
  public String jar() {
    return single.get("--jar");
  }

  /** The version of the program that asks, or null. */
  public String program() {
    return single.get("--program");
  }

  public Map<String, String> conf() {
    return conf;
  }

  public boolean namesProperties() {
    return single.containsKey("--properties-file");
  }

  /** The file that spark-submit would read: one that is named is read instead of the defaults. */
  public Path properties() {
    if (namesProperties()) return Paths.get(single.get("--properties-file"));
    String folder = System.getenv("SPARK_CONF_DIR");
    Path defaults =
        folder == null || folder.isEmpty() ? sparkHome().resolve("conf") : Paths.get(folder);
    return defaults.resolve("spark-defaults.conf");
  }

  /** Files of this machine in a value of {@link #JARS}. */
  public static List<String> localJars(String value) {
    List<String> jars = new ArrayList<>();
    for (String each : value.split(",")) {
      String jar = each.trim();
      if (jar.startsWith("file:")) jar = jar.substring("file:".length()).replaceFirst("^//+", "/");
      if (jar.startsWith("local:"))
        jar = jar.substring("local:".length()).replaceFirst("^//+", "/");
      if (!jar.isEmpty() && !jar.contains(":/")) jars.add(jar);
    }
    return jars;
  }

  /** Whether the driver gets Holdfast's jar by the configuration, or has it in Spark's folder. */
  public boolean bringsJar(SparkConf conf) {
    String remote = conf.get(JARS, "") + "," + conf.get(PACKAGES, "");
    for (String each : remote.split(","))
      if (each.contains("holdfast-spark") && !new File(each).isAbsolute()) return true;
    List<String> places = localJars(conf.get(JARS, ""));
    for (String place : conf.get(CLASS_PATH, "").split(File.pathSeparator)) places.add(place);
    places.add(sparkHome().resolve("jars") + File.separator + "*");
    return places.stream().anyMatch(DoctorArgs::hasPlugin);
  }

  private static boolean hasPlugin(String place) {
    if (place.isEmpty()) return false;
    if (place.equals("*") || place.endsWith(File.separator + "*")) {
      File[] jars = new File(place.substring(0, place.length() - 1)).listFiles();
      if (jars == null) return false;
      for (File jar : jars) // those of Spark are many
      if (jar.getName().contains("holdfast") && hasPlugin(jar.getPath())) return true;
      return false;
    }
    File file = new File(place);
    if (file.isDirectory()) return new File(file, PLUGIN).isFile();
    try (ZipFile zip = new ZipFile(file)) {
      return zip.getEntry(PLUGIN) != null;
    } catch (IOException notThere) {
      return false;
    }
  }
}
