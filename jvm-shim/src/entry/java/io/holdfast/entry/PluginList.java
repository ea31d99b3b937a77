package io.holdfast.entry;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.SparkConf;

/** The plugins that the configuration names. */
public final class PluginList {
  /** In the order in which Spark asks the plugins. */
  private static final String[] KEYS = {"spark.plugins.defaultList", "spark.plugins"};

  private static final String OURS = "io.holdfast.HoldfastPlugin";

  private final List<String> names = new ArrayList<>();
  private final List<String> entries = new ArrayList<>();

  private PluginList() {}

  public static PluginList of(SparkConf conf) {
    PluginList list = new PluginList();
    for (String key : KEYS) {
      if (!conf.contains(key)) continue;
      list.names.addAll(split(conf.get(key)));
      list.entries.add(key + "=" + conf.get(key));
    }
    return list;
  }

  private static List<String> split(String value) {
    List<String> names = new ArrayList<>();
    for (String name : value.split(",")) if (!name.trim().isEmpty()) names.add(name.trim());
    return names;
  }

  /** Whether our plugin is among them. */
  public boolean switchesOn() {
    return names.contains(OURS);
  }

  /** Takes our name out: executors read these keys, too, and may not have the jar. */
  public static void withdraw(SparkConf conf) {
    for (String key : KEYS) {
      if (!conf.contains(key)) continue;
      List<String> others = split(conf.get(key));
      others.removeAll(Collections.singleton(OURS));
      if (others.isEmpty()) conf.remove(key);
      else conf.set(key, String.join(",", others));
    }
  }

  /**
   * Returns a sentence for each oddity that Holdfast runs with.
   *
   * @param master the user's
   */
  public List<String> warnings(String master) {
    List<String> warnings = new ArrayList<>();
    if (!switchesOn()) return warnings;
    String said = String.join(" and ", entries);
    int times = Collections.frequency(names, OURS);
    if (times > 1)
      warnings.add(said + " names " + OURS + " " + times + " times: name it once, last");
    List<String> later = new ArrayList<>(names.subList(names.indexOf(OURS) + 1, names.size()));
    later.removeAll(Collections.singleton(OURS));
    if (!later.isEmpty())
      warnings.add(
          said
              + ": "
              + String.join(", ", later)
              + " starts after Holdfast and reads spark.master="
              + RewrittenMaster.PREFIX
              + master
              + " there instead of "
              + master
              + ": put "
              + OURS
              + " last");
    return warnings;
  }
}
