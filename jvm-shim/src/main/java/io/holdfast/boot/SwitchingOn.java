package io.holdfast.boot;

import io.holdfast.bridge.NativeLoader;
import io.holdfast.config.Keys;
import io.holdfast.config.Settings;
import io.holdfast.entry.RewrittenMaster;
import io.holdfast.line.LineBackend;
import io.holdfast.line.SparkLine;
import io.holdfast.notice.Notices;
import io.holdfast.session.FailOpen;
import io.holdfast.session.Status;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.scheduler.ExternalClusterManager;

/**
 * Does the plugin's work: rewrites the master URL so that Spark asks our cluster manager for a
 * scheduler, if nothing is missing.
 */
public final class SwitchingOn implements DriverPlugin {
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
      FailOpen.unavailable(settings, e);
    }
    return Collections.emptyMap();
  }

  /** Checks all that can be missing before anything is changed. */
  private static void switchOn(SparkContext sc, SparkConf conf, Settings settings)
      throws NativeLoader.Unavailable {
    String master = conf.get(RewrittenMaster.KEY);
    if (master.startsWith(RewrittenMaster.PREFIX)) return; // listed twice
    Jars.checkOne(contextLoader(), SwitchingOn.class.getClassLoader());
    checkKeys(settings);
    checkScheduling(conf);
    checkMaster(sc.version(), SparkLine.load(sc.version()), master);
    findManager();
    NativeLoader.load(settings.nativePath());
    idleTimeout(conf, settings).ifPresent(warning -> Notices.warn(warning, null));
    Status.expected();
    RewrittenMaster.asked = false;
    conf.set(RewrittenMaster.KEY, RewrittenMaster.PREFIX + master);
  }

  static void checkKeys(Settings settings) {
    if (!settings.problems().isEmpty())
      throw new IllegalArgumentException(String.join("; ", settings.problems()));
  }

  static void checkScheduling(SparkConf conf) {
    String mode = conf.get("spark.scheduler.mode", "FIFO").toUpperCase(java.util.Locale.ROOT);
    // Spark's own message about it would be lost in that about an external cluster manager.
    if (!mode.equals("FIFO") && !mode.equals("FAIR"))
      throw new IllegalArgumentException(
          "spark.scheduler.mode=" + mode + " is neither FIFO nor FAIR");
  }

  static void checkMaster(String spark, LineBackend line, String master) {
    if (line.supports(master)) {
      if (master.equals(ClusterManagers.YARN)) SparkLine.checkYarn(spark);
      return;
    }
    throw new IllegalArgumentException(
        ClusterManagers.builds(master)
            ? "Spark's own cluster manager for the master "
                + master
                + " is not on the class path (is spark-yarn or spark-kubernetes there?), or is not"
                + " the only one that claims it"
            : "master "
                + master
                + " is not supported (supported: local, local[n], local-cluster[..], spark://..,"
                + " yarn, k8s://..)");
  }

  /** Spark has built its scheduler: by ours, unless a later plugin has set another master. */
  @Override
  public void registerMetrics(String application, PluginContext context) {
    if (!Status.isExpected()) return;
    if (RewrittenMaster.asked) { // the warning has been given
      Status.off(SchedulerBuilder.FAILED);
      return;
    }
    String master = context.conf().get(RewrittenMaster.KEY, "");
    FailOpen.unavailable(
        Settings.parse(SchedulerBuilder.entries(context.conf())),
        new IllegalStateException(
            "spark.master="
                + master
                + " was set after Holdfast's plugin had run: let io.holdfast.HoldfastPlugin be the"
                + " last of spark.plugins"));
  }

  /**
   * Looks for what Spark will look for once the master is rewritten.
   *
   * @throws IllegalStateException if it would find none, another one, or several
   */
  static void findManager() {
    List<ExternalClusterManager> found = ClusterManagers.claiming(RewrittenMaster.PREFIX);
    if (found.size() == 1 && found.get(0) instanceof RewrittenMaster.Manager) return;
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

  /** As Utils.getContextOrSparkClassLoader. */
  static ClassLoader contextLoader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : SparkContext.class.getClassLoader();
  }

  /** A warning if holds may outlive the executors that they are on. */
  static Optional<String> idleTimeout(SparkConf conf, Settings settings) {
    if (!conf.getBoolean("spark.dynamicAllocation.enabled", false)) return Optional.empty();
    // A number without a unit means seconds there.
    long idle = 1000 * conf.getTimeAsSeconds("spark.dynamicAllocation.executorIdleTimeout", "60s");
    if (settings.holdMaxMillis() <= idle) return Optional.empty();
    return Optional.of(
        Keys.HOLD_MAX.name()
            + "="
            + settings.holdMaxMillis()
            + "ms is longer than spark.dynamicAllocation.executorIdleTimeout="
            + idle
            + "ms: executors whose slots are all held may be released before the holds end;"
            + " shorten the first or lengthen the second");
  }
}
