package io.holdfast.identity;

import io.holdfast.config.Keys;
import io.holdfast.config.Settings;
import io.holdfast.names.ByName;
import io.holdfast.names.Clients;
import io.holdfast.names.Kind;
import io.holdfast.names.Names;
import io.holdfast.notice.Plain;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * Which workflow a Spark job belongs to, and how important it is. The outermost name wins: the
 * scope API or local property, streaming query, job group, a pool with a priority, a server's
 * statement, SQL execution, the Spark session of Spark Connect, else the Spark job by itself.
 *
 * @param name unique in the application, in one harmless line: its kind, and what was given; where
 *     the user is known, after that user
 * @param named false when the workflow is no more than one Spark job
 * @param isolation in millionths
 * @param parallelism of what it runs next, as the user has declared it; 0 for none
 * @param run the SQL execution with which the workflow ends until another one begins: of a
 *     streaming query the micro-batch, of a group that a SQL server made up its statement, of a
 *     pool the query, of a SQL execution itself; else null
 * @param bridged whether the end of a run leaves the workflow open for a moment: the next run is as
 *     welcome to its slots, whoever's it is
 * @param kin of two runs at a time each is a workflow, as of a server's statements and of queries
 *     in a pool: the name of what they repeat, whoever's they are; else null
 * @param recurs whether another application may give the same name to the same work
 * @param user who submitted it to a server, or null
 * @param claim what a client chose and gave it something, for people; null for nothing
 * @param holdsMax how many slots the user's workflows hold at most; null for any number
 */
public record Identity(
    String name,
    boolean named,
    int priority,
    int isolation,
    int parallelism,
    String run,
    boolean bridged,
    String kin,
    boolean recurs,
    String user,
    String claim,
    Integer holdsMax) {
  private static final String ROOT_EXECUTION = "spark.sql.execution.root.id";
  private static final String EXECUTION = "spark.sql.execution.id";
  static final String STREAM = "sql.streaming.queryId";

  /** An id that programs make up for each run, as a SQL server does for each statement's group. */
  private static final Pattern MADE_UP =
      Pattern.compile("(?i)[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}");

  /** Names that a client chooses, besides local properties. */
  private static final List<Kind> CHOSEN =
      List.of(Kind.GROUP, Kind.TAG, Kind.DESCRIPTION, Kind.POOL);

  /** A name before it is told whose it is. */
  private record Given(String name, String run, boolean bridged, boolean split, boolean recurs) {
    public static Given of(String kind, String name, String run, boolean recurs) {
      return new Given(kind + ":" + name, run, false, false, recurs);
    }

    public static Given ofPool(String name, String run) {
      return new Given("pool:" + name, run, true, run != null, !MADE_UP.matcher(name).find());
    }

    public static Given ofStatement(String name, String run) {
      return new Given("statement:" + name, run, false, true, true);
    }
  }

  /** Whether of two runs at a time each is a workflow. */
  public boolean split() {
    return kin != null;
  }

  /** The name of what it repeats, also in other applications. */
  public String lasting() {
    return split() ? kin : name;
  }

  /** Name of the workflow of a scope. */
  public static String ofScope(String name) {
    return Plain.name("workflow:" + name);
  }

  /**
   * Returns the outermost SQL execution of a job, or null.
   *
   * @param properties local properties of the submitting thread; may be null
   */
  public static Long executionId(Properties properties) {
    if (properties == null) return null;
    String root = Names.get(properties, ROOT_EXECUTION);
    String id = root != null ? root : Names.get(properties, EXECUTION);
    try {
      return id == null ? null : Long.valueOf(id);
    } catch (NumberFormatException e) { // not Spark's
      return null;
    }
  }

  private static String execution(Properties properties) {
    Long id = executionId(properties);
    return id == null ? null : id.toString();
  }

  /**
   * @param properties local properties of the submitting thread; may be null
   */
  public static Identity of(Properties properties, int job, Settings settings) {
    Properties own = properties == null ? new Properties() : properties;
    Clients clients = settings.clients();
    Names names = Names.of(own, clients);
    if (names.fromConnect()) clients.connected();
    Said said = new Said(own, settings);
    // Before anything is named by its user: once late is always late.
    String prefix = prefix(names, clients);
    Given given = given(own, names, said.get(Keys.LOCAL_WORKFLOW), settings);
    String user = names.one(Kind.USER);
    return new Identity(
        given == null ? "job:" + job : Plain.name(prefix + given.name()),
        given != null,
        priority(said, names, settings),
        isolation(said, names, settings),
        parallelism(said),
        given == null ? null : given.run(),
        given != null && given.bridged(),
        given != null && given.split() ? Plain.name(given.name()) : null,
        given != null && given.recurs(),
        user == null ? null : Plain.name(user),
        said.claimed(),
        settings.holdsMax(names));
  }

  private static Given given(
      Properties properties, Names names, String workflow, Settings settings) {
    if (workflow != null)
      return Given.of("workflow", workflow, null, !MADE_UP.matcher(workflow).find());
    String execution = execution(properties);
    // A streaming query sets a job group of its own, another one with each start.
    String stream = Names.get(properties, STREAM);
    if (stream != null) return Given.of("stream", stream, execution, true);
    // Two clients that give one name would share a workflow where nothing tells them apart.
    boolean told = settings.clients().server() == null || names.one(Kind.USER) != null;
    String group = names.one(Kind.GROUP);
    boolean madeUp = group != null && MADE_UP.matcher(group).matches();
    String statement = execution == null ? null : statement(names, madeUp, settings.clients());
    if (statement != null && madeUp) return Given.ofStatement(statement, execution);
    if (group != null && (told || madeUp))
      // Nobody uses a made-up group again: that another job of it follows is no reason to hold.
      return Given.of("group", group, madeUp ? execution : null, !MADE_UP.matcher(group).find());
    String pool = names.one(Kind.POOL);
    // Anybody may use a pool next: after a query's end its slots are kept for a moment only.
    if (told && settings.priorities().has(Kind.POOL, pool)) return Given.ofPool(pool, execution);
    if (statement != null) return Given.ofStatement(statement, execution);
    if (execution != null) return Given.of("sql", execution, execution, false);
    String session = names.one(Kind.SESSION);
    return session == null ? null : Given.of("session", session, null, false);
  }

  /** What the runs of a server's statement have in common, where its user is known; else null. */
  private static String statement(Names names, boolean madeUp, Clients clients) {
    if (clients.server() == null || names.one(Kind.USER) == null) return null;
    String group = names.one(Kind.GROUP);
    if (madeUp)
      return clients.isLate(group) ? null : clients.named(group, names.one(Kind.DESCRIPTION));
    return names.operation() == null ? null : clients.named(names.operation(), null);
  }

  /** Whose the name is: nobody else's may be the same. No name without a user begins so. */
  private static String prefix(Names names, Clients clients) {
    String group = names.one(Kind.GROUP);
    String user = names.one(Kind.USER);
    boolean statement =
        group != null
            && clients.server() != null
            && MADE_UP.matcher(group).matches()
            && (user == null || clients.user(group) != null);
    if (statement && clients.isLate(group)) return "";
    return user == null ? "" : "user:" + user.replace("%", "%25").replace("/", "%2F") + "/";
  }

  private static int priority(Said said, Names names, Settings settings) {
    String local = said.get(Keys.LOCAL_PRIORITY);
    Integer asked = null;
    if (local != null) {
      try {
        asked = Integer.valueOf(local);
      } catch (NumberFormatException e) {
        said.malformed(Keys.LOCAL_PRIORITY, local, "a whole number");
      }
    }
    if (asked == null) asked = byName(said, names, settings);
    Integer most = settings.priorityMax(names);
    if (most == null || asked <= most) return asked;
    said.claims("priority " + asked + " capped at " + most);
    return most;
  }

  private static int byName(Said said, Names names, Settings settings) {
    ByName.Found found = settings.priorities().find(names);
    if (found == null) return 0;
    if (settings.clients().server() != null && CHOSEN.contains(found.kind()))
      said.claims(found.kind().word() + " " + found.name());
    return found.value();
  }

  private static int isolation(Said said, Names names, Settings settings) {
    String local = said.get(Keys.LOCAL_ISOLATION);
    Integer isolation = local == null ? null : Settings.millionths(local);
    if (isolation != null) return isolation;
    if (local != null) said.malformed(Keys.LOCAL_ISOLATION, local, "a number from 0 to 1");
    return settings.isolation(names);
  }

  private static int parallelism(Said said) {
    String local = said.get(Keys.LOCAL_PARALLELISM);
    if (local == null) return 0;
    try {
      int parallelism = Integer.parseInt(local);
      if (parallelism > 0) return parallelism;
    } catch (NumberFormatException e) {
      // Said below.
    }
    said.malformed(Keys.LOCAL_PARALLELISM, local, "a whole number above 0");
    return 0;
  }
}
