package io.holdfast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.scheduler.ExternalClusterManager;

/**
 * What {@link HoldfastPlugin} does: rewrites the master URL so that Spark asks {@link
 * HoldfastClusterManager} for a scheduler, if nothing is missing.
 */
final class SwitchingOn implements DriverPlugin {
  @Override
  public Map<String, String> init(SparkContext sc, PluginContext context) {
    SparkConf conf = context.conf();
    Settings settings = Settings.parse(SchedulerBuilder.entries(conf));
    try {
      if (settings.mode().equals("off")) {
        Status.off(Keys.MODE.name() + "=off");
        Notices.show("Holdfast is off (" + Keys.MODE.name() + "=off): Spark's own scheduling");
      } else {
        switchOn(sc, conf, settings);
      }
    } catch (Throwable e) {
      Notices.unavailable(settings, e);
    }
    return Collections.emptyMap();
  }

  /** Checks all that can be missing before anything is changed. */
  private static void switchOn(SparkContext sc, SparkConf conf, Settings settings)
      throws NativeLoader.Unavailable {
    String master = conf.get(HoldfastClusterManager.MASTER);
    if (master.startsWith(HoldfastClusterManager.PREFIX)) return; // listed twice
    if (!settings.problems().isEmpty())
      throw new IllegalArgumentException(String.join("; ", settings.problems()));
    String mode = conf.get("spark.scheduler.mode", "FIFO").toUpperCase(java.util.Locale.ROOT);
    // Spark's own message about it would be lost in that about an external cluster manager.
    if (!mode.equals("FIFO") && !mode.equals("FAIR"))
      throw new IllegalArgumentException(
          "spark.scheduler.mode=" + mode + " is neither FIFO nor FAIR");
    LineBackend line = SparkLine.load(sc.version());
    if (!line.supports(master)) {
      throw new IllegalArgumentException(
          "master "
              + master
              + " is not supported (supported: local, local[n], local-cluster[..], spark://..)");
    }
    findManager();
    NativeLoader.load(settings.nativePath());
    warnOfIdleTimeout(conf, settings);
    conf.set(HoldfastClusterManager.MASTER, HoldfastClusterManager.PREFIX + master);
  }

  /**
   * Looks for what Spark will look for once the master is rewritten.
   *
   * @throws IllegalStateException if it would find none, another one, or several
   */
  private static void findManager() {
    // As Utils.getContextOrSparkClassLoader.
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : SparkContext.class.getClassLoader();
    List<ExternalClusterManager> found = new ArrayList<>();
    for (ExternalClusterManager each : ServiceLoader.load(ExternalClusterManager.class, loader))
      if (each.canCreate(HoldfastClusterManager.PREFIX)) found.add(each);
    if (found.size() == 1 && found.get(0) instanceof HoldfastClusterManager) return;
    String service = "META-INF/services/" + ExternalClusterManager.class.getName();
    throw new IllegalStateException(
        found.isEmpty()
            ? "no "
                + service
                + " names io.holdfast.HoldfastClusterManager: a jar that was packed from several"
                + " has lost it; merge these files when packing, or give holdfast-spark.jar by"
                + " --jars"
            : "several entries of "
                + service
                + " claim Holdfast's masters ("
                + found
                + "): put one holdfast-spark.jar on the class path");
  }

  private static void warnOfIdleTimeout(SparkConf conf, Settings settings) {
    if (!conf.getBoolean("spark.dynamicAllocation.enabled", false)) return;
    // A number without a unit means seconds there.
    long idle = 1000 * conf.getTimeAsSeconds("spark.dynamicAllocation.executorIdleTimeout", "60s");
    if (settings.holdMaxMillis() > idle) {
      Notices.warn(
          Keys.HOLD_MAX.name()
              + "="
              + settings.holdMaxMillis()
              + "ms is longer than spark.dynamicAllocation.executorIdleTimeout="
              + idle
              + "ms: executors whose slots are all held may be released before the holds end;"
              + " shorten the first or lengthen the second",
          null);
    }
  }
}
