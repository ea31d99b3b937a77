package io.holdfast.identity;

import io.holdfast.config.Keys;
import io.holdfast.config.Settings;
import io.holdfast.names.Names;
import io.holdfast.notice.Notices;
import io.holdfast.notice.Plain;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What a job's local properties say to Holdfast, as far as they count. The names that begin with
 * {@code spark.} are aliases that any SQL session can set.
 */
final class Said {
  private final Properties properties;
  private final Settings settings;
  private final List<String> claims = new ArrayList<>();

  Said(Properties properties, Settings settings) {
    this.properties = properties;
    this.settings = settings;
  }

  /**
   * Returns the value of a local property of ours, or null. Ask once for each.
   *
   * @param key one of {@link Keys}' local properties
   */
  String get(String key) {
    String own = Names.get(properties, key);
    if (own != null) return claim(key, own);
    String alias = Keys.alias(key);
    String value = Names.get(properties, alias);
    // Spark copies the application's own configuration into each SQL session, and from there.
    if (value == null || value.equals(settings.configured(alias))) return null;
    if (!settings.clients().ignored()) return claim(alias, value);
    claims.add(alias + "=" + value + " (ignored)");
    Notices.warnOnce(
        Notices.About.CLIENTS,
        alias + "=" + value + " of a SQL session is ignored: " + settings.clients().because());
    return null;
  }

  private String claim(String key, String value) {
    claims.add(key + "=" + value);
    return value;
  }

  /** Notes what else gives the job something, and can be chosen by a client. */
  void claims(String what) {
    claims.add(what);
  }

  /** All that was claimed, in one line; null for nothing. */
  String claimed() {
    return claims.isEmpty() ? null : Plain.name(String.join(", ", claims));
  }

  /** Says that a value cannot be understood. */
  void malformed(String key, String value, String wanted) {
    Notices.warnOnce(
        Notices.About.CLIENTS,
        "local property " + key + "=" + value + " is not " + wanted + ": it is ignored");
  }
}
