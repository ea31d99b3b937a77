package io.holdfast;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import scala.Tuple2;

/** What {@link HoldfastClusterManager} does, for the Spark line that runs. */
final class SchedulerBuilder implements ExternalClusterManager {
  private LineBackend line;
  private String master;

  @Override
  public boolean canCreate(String masterUrl) {
    return true;
  }

  @Override
  public TaskScheduler createTaskScheduler(SparkContext sc, String masterUrl) {
    master = masterUrl.substring(HoldfastClusterManager.PREFIX.length());
    sc.conf().set(SwitchingOn.MASTER, master);
    line = SparkLine.load(sc.version());
    line.restore(sc);
    return line.createTaskScheduler(sc, master, Settings.parse(entries(sc.conf())));
  }

  @Override
  public SchedulerBackend createSchedulerBackend(
      SparkContext sc, String masterUrl, TaskScheduler scheduler) {
    return line.createSchedulerBackend(sc, master, scheduler);
  }

  @Override
  public void initialize(TaskScheduler scheduler, SchedulerBackend backend) {
    line.initialize(scheduler, backend);
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
