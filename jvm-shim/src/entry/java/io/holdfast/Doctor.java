package io.holdfast;

import io.holdfast.entry.DoctorArgs;
import io.holdfast.entry.JavaVersion;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says whether Holdfast would run: starts a JVM as Spark starts a driver's, and in it {@code
 * Diagnosis}. Any Java can run this class.
 */
public final class Doctor {
  private static final String SUBMIT = "org.apache.spark.deploy.SparkSubmit";
  private static final String DIAGNOSIS = "io.holdfast.boot.Diagnosis";

  /** Options that would open ports or files which a running driver has. */
  private static final List<String> NOT_TWICE =
      Arrays.asList(
          "-agentlib:", "-agentpath:", "-javaagent:", "-Xlog", "-Dcom.sun.management.jmxremote");

  private Doctor() {}

  /** Exits with 0 if Holdfast would run, else with 1. */
  public static void main(String[] arguments) {
    System.exit(examine(DoctorArgs.of(arguments)) ? 0 : 1);
  }

  static boolean examine(DoctorArgs args) {
    if (!JavaVersion.isSupported()) return refuse(JavaVersion.unsupported());
    List<String> command;
    Map<String, String> environment = environment(args);
    try {
      command = command(args, environment);
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      return refuse("Spark's launcher gives no command for a driver: " + cause.getMessage());
    }
    try {
      return run(command, environment, args);
    } catch (IOException e) {
      return refuse("the driver's JVM cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return refuse("interrupted");
    }
  }

  private static boolean refuse(String why) {
    System.out.printf("%-3s %-9s %s%n", "no", "Java", why);
    return false;
  }

  private static Map<String, String> environment(DoctorArgs args) {
    Map<String, String> environment = new HashMap<>();
    environment.put("SPARK_HOME", args.sparkHome().toString());
    // Spark's scripts set it; the launcher looks for a build folder of Spark without it.
    String[] jars = args.sparkHome().resolve("jars").toFile().list();
    if (jars != null && System.getenv("SPARK_SCALA_VERSION") == null)
      for (String jar : jars)
        if (jar.matches("scala-library-2\\.1[23]\\..*"))
          environment.put("SPARK_SCALA_VERSION", jar.substring(14, 18));
    return environment;
  }

  /** What spark-submit starts, with another main class and our jar first. */
  private static List<String> command(DoctorArgs args, Map<String, String> environment)
      throws IOException, ReflectiveOperationException {
    List<String> submit = new ArrayList<>(Arrays.asList("--deploy-mode", "client"));
    if (args.namesProperties())
      submit.addAll(Arrays.asList("--properties-file", args.properties().toString()));
    args.conf().forEach((key, value) -> submit.addAll(Arrays.asList("--conf", key + "=" + value)));
    submit.addAll(Arrays.asList("--class", DIAGNOSIS, args.jar()));

    Class<?> builder = Class.forName("org.apache.spark.launcher.SparkSubmitCommandBuilder");
    Constructor<?> constructor = builder.getDeclaredConstructor(List.class);
    constructor.setAccessible(true);
    Object submission = constructor.newInstance(submit);
    Field childEnv = builder.getSuperclass().getDeclaredField("childEnv");
    childEnv.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<String, String> childs = (Map<String, String>) childEnv.get(submission);
    childs.putAll(environment);
    Method build = builder.getMethod("buildCommand", Map.class);
    build.setAccessible(true);
    @SuppressWarnings("unchecked")
    List<String> command = (List<String>) build.invoke(submission, environment);

    int main = command.indexOf(SUBMIT);
    if (main < 0) throw new IOException("it does not start " + SUBMIT);
    List<String> ours = new ArrayList<>(command.subList(0, main));
    ours.removeIf(option -> NOT_TWICE.stream().anyMatch(option::startsWith));
    int classPath = ours.indexOf("-cp") + 1;
    ours.set(classPath, classPath(args, ours.get(classPath)));
    ours.add(DIAGNOSIS);
    ours.addAll(Arrays.asList(args.raw()));
    return ours;
  }

  private static String classPath(DoctorArgs args, String sparks) {
    List<String> entries = new ArrayList<>(Arrays.asList(args.jar(), sparks));
    entries.addAll(DoctorArgs.localJars(args.conf().getOrDefault(DoctorArgs.JARS, "")));
    return String.join(File.pathSeparator, entries);
  }

  /** What it prints to its standard error is shown only if that is all there is. */
  private static boolean run(List<String> command, Map<String, String> environment, DoctorArgs args)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    process.getOutputStream().close();
    List<String> errors = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine())
        errors.add(line);
    }
    int code = process.waitFor();
    if (code == DoctorArgs.RUNS || code == DoctorArgs.RUNS_NOT) return code == DoctorArgs.RUNS;
    return refuse(
        "the driver's JVM does not start (exit code "
            + code
            + "); see spark.driver.extraJavaOptions and "
            + args.properties()
            + ": "
            + String.join(" / ", errors.subList(0, Math.min(3, errors.size()))));
  }
}
