package io.holdfast;

import io.holdfast.entry.HoldfastRequired;
import io.holdfast.entry.JavaVersion;
import io.holdfast.entry.PluginList;
import io.holdfast.entry.RewrittenMaster;
import io.holdfast.entry.Stock;
import java.util.Collections;
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
  private static final String PREFIX = RewrittenMaster.PREFIX;

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
    /** Null when Holdfast is off. */
    private DriverPlugin body;

    @Override
    public Map<String, String> init(SparkContext sc, PluginContext context) {
      SparkConf conf = context.conf();
      try {
        String master = conf.get(RewrittenMaster.KEY);
        PluginList list = PluginList.of(conf);
        PluginList.withdraw(conf);
        if (!JavaVersion.isSupported()) throw new IllegalStateException(JavaVersion.unsupported());
        DriverPlugin found = (DriverPlugin) JavaVersion.load("io.holdfast.boot.SwitchingOn");
        Map<String, String> extra = found.init(sc, context);
        boolean rewritten = conf.get(RewrittenMaster.KEY).startsWith(PREFIX);
        if (rewritten) list.warnings(master).forEach(Stock::say);
        body = found;
        return extra;
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

    /** Spark has its scheduler now: the last moment to notice that it is not ours. */
    @Override
    public void registerMetrics(String application, PluginContext context) {
      try {
        if (body != null) body.registerMetrics(application, context);
      } catch (HoldfastRequired e) {
        throw e;
      } catch (Throwable e) {
        Stock.say("cannot tell whether Spark uses Holdfast's scheduler: " + e);
      }
    }
  }

  /** Gives Spark the user's own master, if it has been rewritten. */
  private static void takeBack(SparkConf conf) {
    String master = conf.get(RewrittenMaster.KEY, "");
    if (master.startsWith(PREFIX)) conf.set(RewrittenMaster.KEY, master.substring(PREFIX.length()));
  }
}
