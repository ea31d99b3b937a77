package io.holdfast;

import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;

/**
 * Builds scheduler and backend for the master URLs that the plugin has rewritten. Spark
 * instantiates it whenever the jar is on the class path: nothing may happen before it is used.
 */
public class HoldfastClusterManager implements ExternalClusterManager {
  static final String PREFIX = "holdfast:";

  private ExternalClusterManager builder;

  /** For Spark's service loader. */
  public HoldfastClusterManager() {}

  @Override
  public boolean canCreate(String masterUrl) {
    return masterUrl != null && masterUrl.startsWith(PREFIX);
  }

  @Override
  public TaskScheduler createTaskScheduler(SparkContext sc, String masterUrl) {
    builder = (ExternalClusterManager) JavaVersion.load("io.holdfast.SchedulerBuilder");
    return builder.createTaskScheduler(sc, masterUrl);
  }

  @Override
  public SchedulerBackend createSchedulerBackend(
      SparkContext sc, String masterUrl, TaskScheduler scheduler) {
    return builder.createSchedulerBackend(sc, masterUrl, scheduler);
  }

  @Override
  public void initialize(TaskScheduler scheduler, SchedulerBackend backend) {
    builder.initialize(scheduler, backend);
  }
}
