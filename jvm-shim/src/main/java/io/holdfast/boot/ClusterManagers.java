package io.holdfast.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.ExternalClusterManager;

/** The cluster managers on the class path, found as Spark finds them. */
public final class ClusterManagers {
  /** The master of Hadoop's clusters. */
  public static final String YARN = "yarn";

  private static final String KUBERNETES = "k8s://";

  /** What a driver in a pod takes as its master. */
  private static final String DRIVER_MASTER = "spark.kubernetes.driver.master";

  private ClusterManagers() {}

  /** Returns those that claim this master; Spark refuses a master that several claim. */
  static List<ExternalClusterManager> claiming(String master) {
    List<ExternalClusterManager> found = new ArrayList<>();
    ServiceLoader<ExternalClusterManager> all =
        ServiceLoader.load(ExternalClusterManager.class, SwitchingOn.contextLoader());
    for (ExternalClusterManager each : all) if (each.canCreate(master)) found.add(each);
    return found;
  }

  /** Whether this is a master of which Spark's own manager builds the backend. */
  static boolean builds(String master) {
    return master.equals(YARN) || master.startsWith(KUBERNETES);
  }

  /**
   * Returns Spark's own manager for a master whose backend it can build for our scheduler, too;
   * null for any other, and where the manager is missing. Not whichever claims the master: it may
   * want a scheduler of its own.
   */
  public static ExternalClusterManager sparks(String master) {
    if (!builds(master)) return null;
    List<ExternalClusterManager> found = claiming(master);
    boolean one =
        found.size() == 1 && found.get(0).getClass().getName().startsWith("org.apache.spark.");
    return one ? found.get(0) : null;
  }

  /**
   * Returns the master that says where tasks run: a driver in a pod may be told to run them itself.
   */
  public static String whereTasksRun(SparkContext sc, String master) {
    if (!master.startsWith(KUBERNETES)) return master;
    String told = sc.conf().get(DRIVER_MASTER, "");
    return told.startsWith("local") ? told : master;
  }
}
