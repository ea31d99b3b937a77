package io.holdfast.boot;

import io.holdfast.config.Keys;
import io.holdfast.config.Settings;
import io.holdfast.line.LineBackend;
import io.holdfast.line.SparkLine;
import io.holdfast.session.FailOpen;
import io.holdfast.session.Status;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import scala.Tuple2;

/** Does our cluster manager's work, for the Spark line that runs. */
public final class SchedulerBuilder
    implements BiFunction<SparkContext, String, Tuple2<SchedulerBackend, TaskScheduler>> {

  static final String FAILED = "its scheduler cannot be built: see the driver's log";

  /**
   * Builds our scheduler with the backend of this master.
   *
   * @return null if Spark has to build its own ones
   * @throws HoldfastRequired if that is not wanted
   */
  @Override
  public Tuple2<SchedulerBackend, TaskScheduler> apply(SparkContext sc, String master) {
    Status.off(FAILED); // until it is built
    LineBackend line = SparkLine.load(sc.version());
    line.restore(sc);
    Settings settings = Settings.parse(entries(sc.conf()));
    try {
      TaskScheduler scheduler = line.createTaskScheduler(sc, master);
      SchedulerBackend backend = line.createSchedulerBackend(sc, master, scheduler);
      line.initialize(scheduler, backend);
      return new Tuple2<>(backend, scheduler);
    } catch (Throwable e) {
      FailOpen.unavailable(settings, e);
      return null;
    }
  }

  /** The keys of a configuration that are ours. */
  static Map<String, String> entries(SparkConf conf) {
    Map<String, String> entries = new LinkedHashMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      if (entry._1().startsWith(Keys.PREFIX)) entries.put(entry._1(), entry._2());
    }
    return entries;
  }
}
