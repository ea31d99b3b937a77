package io.holdfast;

import io.holdfast.entry.HoldfastRequired;
import io.holdfast.entry.JavaVersion;
import io.holdfast.entry.RewrittenMaster;
import io.holdfast.entry.Stock;
import java.util.function.BiFunction;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.TaskScheduler;
import scala.Tuple2;

/**
 * Builds scheduler and backend for the master URLs that the plugin has rewritten. Spark
 * instantiates it whenever the jar is on the class path: nothing may happen before it is used.
 */
public class HoldfastClusterManager implements ExternalClusterManager, RewrittenMaster.Manager {
  private SchedulerBackend backend;

  /** For Spark's service loader. */
  public HoldfastClusterManager() {}

  @Override
  public boolean canCreate(String masterUrl) {
    return masterUrl != null && masterUrl.startsWith(RewrittenMaster.PREFIX);
  }

  /** Builds both and connects them: an error of ours leaves nothing half built. */
  @Override
  @SuppressWarnings("unchecked")
  public TaskScheduler createTaskScheduler(SparkContext sc, String masterUrl) {
    String master = masterUrl.substring(RewrittenMaster.PREFIX.length());
    RewrittenMaster.asked = true;
    sc.conf().set(RewrittenMaster.KEY, master);
    Tuple2<SchedulerBackend, TaskScheduler> built = null;
    try {
      built =
          ((BiFunction<SparkContext, String, Tuple2<SchedulerBackend, TaskScheduler>>)
                  JavaVersion.load("io.holdfast.boot.SchedulerBuilder"))
              .apply(sc, master);
    } catch (HoldfastRequired e) {
      throw e;
    } catch (Throwable e) {
      if (JavaVersion.required(sc.conf())) throw new HoldfastRequired(String.valueOf(e), e);
      Stock.warn("its scheduler cannot be built", e);
    }
    if (built == null) built = stock(sc, master);
    backend = built._1();
    return built._2();
  }

  private static Tuple2<SchedulerBackend, TaskScheduler> stock(SparkContext sc, String master) {
    try {
      return Stock.build(sc, master);
    } catch (Exception e) { // Spark's own, for a master that it refuses
      throw Stock.<RuntimeException>unchecked(e);
    }
  }

  @Override
  public SchedulerBackend createSchedulerBackend(
      SparkContext sc, String masterUrl, TaskScheduler scheduler) {
    return backend;
  }

  /** Does nothing: both know each other already. */
  @Override
  public void initialize(TaskScheduler scheduler, SchedulerBackend backend) {}
}
