package io.holdfast.entry;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/** Spark as it is without Holdfast: what every error of ours ends in. */
public final class Stock {
  private static final String CREATE = "createTaskScheduler";

  private Stock() {}

  /**
   * Builds what Spark builds for this master.
   *
   * @throws Exception Spark's own, for a master that it refuses
   */
  @SuppressWarnings("unchecked")
  public static Tuple2<SchedulerBackend, TaskScheduler> build(SparkContext sc, String master)
      throws Exception {
    Class<?> companion = Class.forName("org.apache.spark.SparkContext$");
    for (Method method : companion.getDeclaredMethods()) {
      // Scala gives a private method of a companion a longer name.
      if (!method.getName().endsWith(CREATE) || method.getParameterCount() != 2) continue;
      method.setAccessible(true);
      try {
        Object module = companion.getField("MODULE$").get(null);
        return (Tuple2<SchedulerBackend, TaskScheduler>) method.invoke(module, sc, master);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof Error) throw (Error) e.getCause();
        throw (Exception) e.getCause();
      }
    }
    throw new NoSuchMethodException("SparkContext." + CREATE);
  }

  /** Throws a checked exception where Java wants it declared and Scala does not declare any. */
  @SuppressWarnings("unchecked")
  public static <E extends Throwable> RuntimeException unchecked(Throwable e) throws E {
    throw (E) e;
  }

  /** Says that Spark goes on by itself; never throws. */
  public static void warn(String why, Throwable cause) {
    log("Holdfast is off, Spark's own scheduling goes on: " + why, cause);
  }

  /** Warns of something that stops nothing; never throws. */
  public static void say(String line) {
    log(line, null);
  }

  private static void log(String line, Throwable cause) {
    try {
      LoggerFactory.getLogger("io.holdfast").warn(line, cause);
    } catch (Throwable e) {
      // A notice is not worth a driver.
    }
  }
}
