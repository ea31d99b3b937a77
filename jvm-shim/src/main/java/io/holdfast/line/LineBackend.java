package io.holdfast.line;

import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;

/** What each supported Spark line implements, in a package of its own. */
public interface LineBackend {
  /** What this Spark lacks of what the implementation overrides or reads; empty if all is there. */
  List<String> probe();

  /** Whether schedulers can be built for this master URL. */
  boolean supports(String master);

  /** Takes back what Spark derived from the rewritten master; the original one is set again. */
  void restore(SparkContext sc);

  /** Our scheduler. */
  TaskScheduler createTaskScheduler(SparkContext sc, String master);

  /** The backend that Spark builds for this master. */
  SchedulerBackend createSchedulerBackend(SparkContext sc, String master, TaskScheduler scheduler);

  /** As Spark does it. */
  void initialize(TaskScheduler scheduler, SchedulerBackend backend);
}
