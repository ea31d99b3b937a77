package io.holdfast;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Switches Holdfast on: {@code spark.plugins=io.holdfast.HoldfastPlugin}, last in the list. If
 * anything is missing nothing is changed and Spark schedules as it always does.
 *
 * <p>Spark loads this class and {@link HoldfastClusterManager} wherever the jar is: they run on
 * Java 8, as Spark 3.5 does, and know the rest of Holdfast by name only.
 */
public class HoldfastPlugin implements SparkPlugin {
  /** Spark puts the second one before the first. */
  private static final String[] LISTS = {"spark.plugins", "spark.plugins.defaultList"};

  /** For Spark, which finds it by name. */
  public HoldfastPlugin() {}

  @Override
  public DriverPlugin driverPlugin() {
    return new Driver();
  }

  /** Nothing runs on executors. */
  @Override
  public ExecutorPlugin executorPlugin() {
    return null;
  }

  private static final class Driver implements DriverPlugin {
    @Override
    public Map<String, String> init(SparkContext sc, PluginContext context) {
      SparkConf conf = context.conf();
      try {
        for (String list : LISTS) withdraw(conf, list);
        if (!JavaVersion.isSupported()) throw new IllegalStateException(JavaVersion.unsupported());
        return ((DriverPlugin) JavaVersion.load("io.holdfast.SwitchingOn")).init(sc, context);
      } catch (HoldfastRequired e) {
        throw e;
      } catch (Throwable e) {
        takeBack(conf);
        String why = e instanceof IllegalStateException ? e.getMessage() : e.toString();
        if (JavaVersion.required(conf)) throw new HoldfastRequired(why, e);
        Stock.warn(why, e instanceof IllegalStateException ? null : e);
        return Collections.emptyMap();
      }
    }
  }

  /** Gives Spark the user's own master, if it has been rewritten. */
  private static void takeBack(SparkConf conf) {
    String master = conf.get(HoldfastClusterManager.MASTER, "");
    if (master.startsWith(HoldfastClusterManager.PREFIX))
      conf.set(
          HoldfastClusterManager.MASTER, master.substring(HoldfastClusterManager.PREFIX.length()));
  }

  /** Executors read these keys, too, and may not have the jar. */
  private static void withdraw(SparkConf conf, String list) {
    if (!conf.contains(list)) return;
    List<String> others = new ArrayList<>();
    for (String name : conf.get(list).split(",")) {
      String trimmed = name.trim();
      if (!trimmed.isEmpty() && !trimmed.equals(HoldfastPlugin.class.getName()))
        others.add(trimmed);
    }
    if (others.isEmpty()) conf.remove(list);
    else conf.set(list, String.join(",", others));
  }
}
