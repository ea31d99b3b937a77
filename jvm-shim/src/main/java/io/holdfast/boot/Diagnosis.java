package io.holdfast.boot;

import io.holdfast.bridge.NativeLoader;
import io.holdfast.config.Keys;
import io.holdfast.config.Settings;
import io.holdfast.entry.DoctorArgs;
import io.holdfast.entry.HoldfastRequired;
import io.holdfast.entry.PluginList;
import io.holdfast.entry.RewrittenMaster;
import io.holdfast.line.LineBackend;
import io.holdfast.line.SparkLine;
import io.holdfast.notice.Plain;
import io.holdfast.report.Report;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.spark.SparkConf;

/**
 * What a start would find, in the JVM that would be the driver's, without a SparkContext. The
 * doctor starts it.
 */
public final class Diagnosis {
  private interface Check {
    void run() throws Exception;
  }

  private final DoctorArgs args;
  private final Map<String, String> entries = new TreeMap<>();
  private final SparkConf conf = new SparkConf(false);
  private final List<String> todo = new ArrayList<>();
  private boolean runs = true;
  private LineBackend line; // null if there is none

  private Diagnosis(DoctorArgs args) {
    this.args = args;
  }

  /** Prints what it finds and exits with {@link DoctorArgs#RUNS} or {@link DoctorArgs#RUNS_NOT}. */
  public static void main(String[] args) {
    boolean runs = new Diagnosis(DoctorArgs.of(args)).examine();
    System.out.flush();
    // Not exit: nothing of Spark has to end in good order, and none of its threads may keep us.
    Runtime.getRuntime().halt(runs ? DoctorArgs.RUNS : DoctorArgs.RUNS_NOT);
  }

  private boolean examine() {
    String spark = sparkVersion();
    say("", "Spark", spark + " with Scala " + SparkLine.scalaVersion() + " in " + args.sparkHome());
    say("", "Java", System.getProperty("java.version") + " in " + System.getProperty("java.home"));
    say("", "Platform", NativeLoader.platform());
    check("Jar", jar(), this::checkJars);
    String keys = readKeys();
    Settings settings = Settings.parse(SchedulerBuilder.entries(conf));
    check("Scheduler", "all that it needs is in this Spark", () -> line = SparkLine.load(spark));
    check("Services", "Spark finds the jar's cluster manager", SwitchingOn::findManager);
    check("Library", "loads", () -> NativeLoader.load(settings.nativePath()));
    checkKeys(keys, settings);
    checkMaster(spark);
    boolean on = checkPlugins(settings);
    say("", "Banner", banner(settings, spark));
    if (runs && on && settings.priorities().toString().equals("none"))
      todo.add(
          "nothing is held until work has a priority, for example --conf"
              + " spark.holdfast.pool.important.priority=10");
    if (!runs) todo.add(0, "mend what is marked \"no\"; until then it is Spark's own scheduling");
    say("", "To do", todo.isEmpty() ? "nothing" : String.join("; ", todo));
    return runs;
  }

  private static void say(String mark, String what, String text) {
    System.out.printf("%-3s %-9s %s%n", mark, what, Plain.line(text));
  }

  private boolean check(String what, String good, Check check) {
    try {
      check.run();
      say("ok", what, good);
      return true;
    } catch (Throwable e) {
      return fault(what, e.getMessage() == null ? e.toString() : e.getMessage());
    }
  }

  private boolean fault(String what, String why) {
    runs = false;
    say("no", what, why);
    return false;
  }

  /** What {@code SparkContext.version} will be. */
  private static String sparkVersion() {
    try {
      return (String)
          Class.forName("org.apache.spark.package").getMethod("SPARK_VERSION").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Spark does not tell its version: " + e, e);
    }
  }

  private static ClassLoader loader() {
    return Diagnosis.class.getClassLoader();
  }

  private static String jar() {
    List<Jars.Build> builds = Jars.seenBy(loader());
    if (builds.isEmpty()) return "classes without a jar";
    return builds.get(0).name() + " in " + builds.get(0).place();
  }

  private void checkJars() {
    Jars.checkOne(loader());
    List<Jars.Build> builds = Jars.seenBy(loader());
    String program = args.program();
    if (program == null || builds.isEmpty() || builds.get(0).version().equals(program)) return;
    throw new IllegalStateException(
        builds.get(0).place()
            + " is version "
            + builds.get(0).version()
            + ", and this program is "
            + program
            + ": take both from one release, or name the other jar with --jar");
  }

  /** Reads the configuration in Spark's order; returns where it is from. */
  private String readKeys() {
    Path file = args.properties();
    String from = file.toString();
    if (args.namesProperties() || Files.exists(file)) {
      check("File", from + " can be read", () -> entries.putAll(read(file)));
    } else {
      from = "no " + from;
    }
    entries.putAll(args.conf());
    entries.forEach(conf::set);
    return from + (args.conf().isEmpty() ? "" : ", and " + args.conf().size() + " given here");
  }

  private static Map<String, String> read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
    }
    Map<String, String> entries = new TreeMap<>();
    for (String key : properties.stringPropertyNames())
      entries.put(key, properties.getProperty(key).trim());
    return entries;
  }

  private void checkKeys(String from, Settings settings) {
    long ours = entries.keySet().stream().filter(key -> key.startsWith(Keys.PREFIX)).count();
    check(
        "Keys",
        ours + " of Holdfast, none wrong (" + from + ")",
        () -> {
          SwitchingOn.checkKeys(settings);
          SwitchingOn.checkScheduling(conf);
        });
    SwitchingOn.idleTimeout(conf, settings).ifPresent(todo::add);
  }

  private void checkMaster(String spark) {
    String master = conf.get(RewrittenMaster.KEY, "");
    if (master.isEmpty()) say("", "Master", "not given here: spark-submit takes local[*]");
    else if (line == null) say("", "Master", master);
    else
      check("Master", master + " is supported", () -> SwitchingOn.checkMaster(spark, line, master));
  }

  /** Whether the configuration switches Holdfast on; what it lacks is to be done. */
  private boolean checkPlugins(Settings settings) {
    PluginList plugins = PluginList.of(conf);
    boolean hasJar = args.bringsJar(conf);
    todo.addAll(plugins.warnings(conf.get(RewrittenMaster.KEY, "local[*]")));
    String addJar = "add --jars " + args.jar();
    if (!plugins.switchesOn()) {
      todo.add((hasJar ? "add" : addJar) + " --conf spark.plugins=io.holdfast.HoldfastPlugin");
      say("", "Plugin", "spark.plugins does not name it: not switched on by these keys");
      return false;
    }
    if (settings.mode().equals("off")) {
      todo.add("remove " + Keys.MODE.name() + "=off");
      return fault("Plugin", Keys.MODE.name() + "=off");
    }
    if (!hasJar) {
      todo.add(addJar);
      return fault(
          "Plugin",
          "spark.plugins names io.holdfast.HoldfastPlugin, but neither spark.jars nor"
              + " spark.driver.extraClassPath gives its jar to the driver: Spark ends with a"
              + " ClassNotFoundException");
    }
    say("ok", "Plugin", "spark.plugins names it, and the driver has its jar");
    return true;
  }

  private String banner(Settings settings, String spark) {
    if (runs) return new Report(settings, spark).banner();
    return settings.required()
        ? "none: Spark fails (" + HoldfastRequired.KEY + "=true)"
        : "none: one warning, and Spark's own scheduling";
  }
}
