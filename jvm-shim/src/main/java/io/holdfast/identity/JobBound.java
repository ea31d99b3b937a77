package io.holdfast.identity;

import io.holdfast.config.Keys;
import io.holdfast.config.Settings;
import io.holdfast.names.Names;
import io.holdfast.notice.Notices;
import java.util.Properties;

/**
 * What bounds the answer of a job, as the local properties of the thread that submits it say.
 *
 * @param deadlineMillis for how long it is waited for, from its submission on; null for ever
 * @param error the share of partitions that it can do without, in millionths; null for none said
 * @param partial whether the action ends as soon as it has enough partitions
 */
public record JobBound(Long deadlineMillis, Integer error, boolean partial) {
  private static final String BATCH = "spark.streaming.internal.batchTime";

  /**
   * @param properties local properties of the submitting thread; may be null
   */
  public static JobBound of(Properties properties, Settings settings) {
    if (properties == null) return new JobBound(null, null, false);
    Said said = new Said(properties, settings);
    String partial = Names.get(properties, Keys.LOCAL_PARTIAL);
    Long deadline = deadline(said);
    if (deadline != null && partial != null) deadline = left(deadline, partial);
    return new JobBound(deadline, error(said), partial != null);
  }

  /** An action of ours waits since it was called, not since its job was submitted. */
  private static long left(long deadlineMillis, String calledMillis) {
    try {
      long since = System.currentTimeMillis() - Long.parseLong(calledMillis);
      return Math.max(1, deadlineMillis - Math.max(0, since));
    } catch (NumberFormatException e) {
      return deadlineMillis;
    }
  }

  /** Returns whether anything is bounded. */
  public boolean some() {
    return deadlineMillis != null || error != null;
  }

  /** Returns whether the properties are those of a streaming query's batch. */
  public static boolean isStreaming(Properties properties) {
    return properties != null
        && (Names.get(properties, Identity.STREAM) != null || Names.get(properties, BATCH) != null);
  }

  /** Says once why the bound of a job changes nothing. */
  public void ignored(String why) {
    String what = deadlineMillis == null ? Keys.LOCAL_ERROR : Keys.LOCAL_DEADLINE;
    Notices.warnOnce(Notices.About.CLIENTS, "local property " + what + " changes nothing: " + why);
  }

  private static Long deadline(Said said) {
    String local = said.get(Keys.LOCAL_DEADLINE);
    if (local == null) return null;
    Long millis = Settings.durationMillis(local);
    if (millis != null && millis > 0) return millis;
    String wanted = "a duration above 0 (write for example 250ms, 5s or 2min)";
    said.malformed(Keys.LOCAL_DEADLINE, local, wanted);
    return null;
  }

  private static Integer error(Said said) {
    String local = said.get(Keys.LOCAL_ERROR);
    if (local == null) return null;
    Integer error = Settings.millionths(local);
    if (error != null && error < Settings.ONE) return error;
    said.malformed(Keys.LOCAL_ERROR, local, "a number from 0 to below 1 (write for example 0.1)");
    return null;
  }
}
