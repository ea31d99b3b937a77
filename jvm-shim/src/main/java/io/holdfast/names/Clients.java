package io.holdfast.names;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the driver serves clients that share it, who submits their statements, and whether they
 * may say who they are. Any thread may call it.
 */
public final class Clients {
  /** How many statements are remembered, the latest; one is forgotten when it is closed. */
  public static final int MOST_STATEMENTS = 4096;

  private static final List<String> PLUGIN_LISTS =
      List.of("spark.plugins", "spark.plugins.defaultList");
  private static final String CONNECT_PLUGIN = "org.apache.spark.sql.connect.SparkConnectPlugin";

  /** Main classes, as spark-submit or the JVM was given them. */
  private static final Map<String, String> MAIN_CLASSES =
      Map.of(
          "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
          "Thrift server",
          "org.apache.spark.sql.connect.service.SparkConnectServer",
          "Spark Connect server",
          "org.apache.kyuubi.engine.spark.SparkSQLEngine",
          "Kyuubi engine");

  /** A SQL server's statement: all its jobs are in one group. */
  private static final class Statement {
    private String user;

    /** A job of it came before its user was known: its workflow's name stays what it was then. */
    private boolean late;

    /** What its runs have in common; null where that is not known. */
    private String name;

    /** The name was asked for: it stays what it was then. */
    private boolean asked;
  }

  private static final class Latest<V> extends LinkedHashMap<String, V> {
    private static final long serialVersionUID = 1L;

    Latest() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
      return size() > MOST_STATEMENTS;
    }
  }

  /** Names the key that gives {@link #rule}. */
  private final String key;

  /** {@code ignore}, {@code allow}, or empty for what fits the driver. */
  private final String rule;

  private volatile String server;
  private final Map<String, Statement> byGroup = new Latest<>();
  private final Map<String, String> groups = new Latest<>();

  /**
   * @param key names the key that gives the rule, for people
   * @param rule {@code ignore}, {@code allow}, or empty for what fits the driver
   * @param server see {@link #server}
   */
  public Clients(String key, String rule, String server) {
    this.key = key;
    this.rule = rule;
    this.server = server;
  }

  /**
   * Returns what serves many clients in this driver, or null: by its plugins and its command line.
   *
   * @param conf the application's configuration
   * @param command the JVM's main class and arguments; may be null
   */
  public static String server(Map<String, String> conf, String command) {
    for (String list : PLUGIN_LISTS)
      for (String plugin : conf.getOrDefault(list, "").split(","))
        if (plugin.trim().equals(CONNECT_PLUGIN)) return "Spark Connect server";
    if (command == null) return null;
    return Arrays.stream(command.split("\\s+"))
        .map(MAIN_CLASSES::get)
        .filter(name -> name != null)
        .findFirst()
        .orElse(null);
  }

  /** What serves many clients in this driver, or null for a driver of one user. */
  public String server() {
    return server;
  }

  /** Why clients are ignored, for people. */
  public String because() {
    return rule.isEmpty() ? server + " without " + key : key + "=" + rule;
  }

  /** Whether a job of this user may be anybody's: then it gets the least of what any user may. */
  public boolean isAnybodys(Names names) {
    return server != null && names.one(Kind.USER) == null;
  }

  /** Whether what a client can set by itself counts for nothing. */
  public boolean ignored() {
    return rule.isEmpty() ? server != null : rule.equals("ignore");
  }

  /**
   * A SQL server begins a statement, which is heard late.
   *
   * @return whether jobs of it were named without its user
   */
  public synchronized boolean started(String id, String group, String user) {
    if (server == null) server = "Thrift server";
    groups.put(id, group);
    Statement statement = byGroup.computeIfAbsent(group, g -> new Statement());
    statement.user = user;
    return statement.late;
  }

  /**
   * Spark Connect begins an operation, which is heard late.
   *
   * @param tag of all its jobs
   * @param plan its text
   */
  public void operation(String id, String tag, String plan) {
    // Apart: a plan may be long, and those who schedule wait for the lock.
    String name = plan == null ? null : Statements.ofPlan(plan);
    synchronized (this) {
      groups.put(id, tag);
      Statement statement = byGroup.computeIfAbsent(tag, t -> new Statement());
      if (!statement.asked && name != null) statement.name = name;
    }
  }

  /**
   * Returns what the statement's runs have in common, or null. Once asked for, it stays: all its
   * jobs are of one workflow.
   *
   * @param group the statement's job group, or the tag of an operation
   * @param sql its text, where it is not to come from elsewhere; may be null
   */
  public synchronized String named(String group, String sql) {
    Statement statement = byGroup.computeIfAbsent(group, g -> new Statement());
    if (!statement.asked && statement.name == null && sql != null)
      statement.name = Statements.ofSql(sql);
    statement.asked = true;
    return statement.name;
  }

  /** A SQL server has closed a statement, or Spark Connect an operation. */
  public synchronized void closed(String id) {
    String group = groups.remove(id);
    if (group != null) byGroup.remove(group);
  }

  /** The user whose statement this group is, or null. */
  public synchronized String user(String group) {
    Statement statement = byGroup.get(group);
    return statement == null ? null : statement.user;
  }

  /** Whether the group's workflow has to be named without its user, as its first job was. */
  public synchronized boolean isLate(String group) {
    Statement statement = byGroup.computeIfAbsent(group, g -> new Statement());
    if (statement.user == null) statement.late = true;
    return statement.late;
  }

  /** A job of Spark Connect has come: its server was started by the program itself. */
  public void connected() {
    if (server == null) server = "Spark Connect server";
  }

  /** How many statements are remembered. */
  public synchronized int statements() {
    return byGroup.size();
  }
}
