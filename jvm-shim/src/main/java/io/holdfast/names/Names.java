package io.holdfast.names;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * What a Spark job can be named by: read from the local properties of the thread that submits it.
 */
public final class Names {
  private static final String GROUP = "spark.jobGroup.id";
  private static final String TAGS = "spark.job.tags";
  private static final String DESCRIPTION = "spark.job.description";
  private static final String POOL = "spark.scheduler.pool";

  /**
   * Spark Connect marks the jobs of an operation with {@code
   * ..._User_<user>_Session_<session>_...}.
   */
  private static final String CONNECT = "SparkConnect_";

  private static final String USER_PART = "_User_";
  private static final String SESSION_PART = "_Session_";

  private static final String OPERATION_PART = "_Operation_";

  /** What follows the session; the last is a tag of the user's own, whatever is in it. */
  private static final List<String> AFTER_SESSION = List.of(OPERATION_PART, "_Request_", "_Tag_");

  /** A session's own tags, of Spark 4: {@code spark-session-<session>[-thread-<thread>]-<tag>}. */
  private static final String SESSION_TAG = "spark-session-";

  private static final int UUID_LENGTH = 36;
  private static final String THREAD_PART = "-thread-";

  /** Kyuubi's; no SQL session can set it, since it does not begin as Spark's do. */
  private static final String KYUUBI_USER = "kyuubi.session.user";

  private final Map<Kind, List<String>> names = new EnumMap<>(Kind.class);
  private boolean connect;
  private String operation;

  /**
   * @param properties may be null
   */
  public static Names of(Properties properties) {
    return of(properties, null);
  }

  /**
   * @param properties may be null
   * @param clients know whose statement a job group is; may be null
   */
  public static Names of(Properties properties, Clients clients) {
    Names names = new Names();
    if (properties == null) return names;
    names.add(Kind.USER, get(properties, KYUUBI_USER));
    String group = get(properties, GROUP);
    if (clients != null && group != null) names.addOnce(Kind.USER, clients.user(group));
    names.add(Kind.GROUP, group);
    names.add(Kind.DESCRIPTION, get(properties, DESCRIPTION));
    names.add(Kind.POOL, get(properties, POOL));
    String tags = get(properties, TAGS);
    if (tags != null) for (String tag : tags.split(",")) names.addTag(tag);
    return names;
  }

  /** None, one, or, of tags, several. */
  public List<String> of(Kind kind) {
    return names.getOrDefault(kind, List.of());
  }

  /** Whether a Spark Connect server has marked the job as a client's. */
  public boolean fromConnect() {
    return connect;
  }

  /** The tag with which a Spark Connect server has marked the operation's jobs, or null. */
  public String operation() {
    return operation;
  }

  /** The only one, or null. */
  public String one(Kind kind) {
    return of(kind).isEmpty() ? null : of(kind).get(0);
  }

  private void add(Kind kind, String name) {
    if (name != null && !name.isBlank())
      names.computeIfAbsent(kind, k -> new ArrayList<>()).add(name.trim());
  }

  private void addTag(String tag) {
    add(Kind.TAG, tag);
    if (tag.startsWith(CONNECT)) addConnect(tag);
    else if (tag.startsWith(SESSION_TAG)) addOfSession(tag.substring(SESSION_TAG.length()));
  }

  private void addConnect(String tag) {
    int user = tag.indexOf(USER_PART);
    int first = user < 0 ? -1 : tag.indexOf(SESSION_PART, user + USER_PART.length());
    if (first < 0) return;
    int after =
        AFTER_SESSION.stream()
            .mapToInt(part -> tag.indexOf(part, first))
            .filter(at -> at >= 0)
            .min()
            .orElse(tag.length());
    int session = Math.max(first, tag.lastIndexOf(SESSION_PART, after - SESSION_PART.length()));
    String rest = tag.substring(session + SESSION_PART.length());
    int end = rest.indexOf('_');
    connect = true;
    if (end >= 0 && rest.startsWith(OPERATION_PART, end)) operation = tag;
    addOnce(Kind.USER, tag.substring(user + USER_PART.length(), session));
    addOnce(Kind.SESSION, end < 0 ? rest : rest.substring(0, end));
    String own = "_Tag_";
    if (end >= 0 && rest.startsWith(own, end)) add(Kind.TAG, rest.substring(end + own.length()));
  }

  private void addOfSession(String rest) {
    if (rest.length() < UUID_LENGTH) return;
    addOnce(Kind.SESSION, rest.substring(0, UUID_LENGTH));
    String own = rest.substring(UUID_LENGTH);
    if (own.startsWith(THREAD_PART) && own.length() > THREAD_PART.length() + UUID_LENGTH)
      own = own.substring(THREAD_PART.length() + UUID_LENGTH);
    if (own.startsWith("-")) add(Kind.TAG, own.substring(1));
  }

  private void addOnce(Kind kind, String name) {
    if (of(kind).isEmpty()) add(kind, name);
  }

  public static String get(Properties properties, String name) {
    String value = properties.getProperty(name);
    return value == null || value.isBlank() ? null : value.trim();
  }
}
