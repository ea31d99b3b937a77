package io.holdfast.session;

import io.holdfast.bridge.NativeLoader;
import io.holdfast.config.Settings;
import io.holdfast.entry.HoldfastRequired;
import io.holdfast.notice.Notices;

/** Leaves scheduling to Spark where Holdfast cannot be switched on, unless Holdfast is required. */
public final class FailOpen {
  private FailOpen() {}

  /**
   * Says why Holdfast is off.
   *
   * @throws HoldfastRequired if it is required, and nothing else
   */
  public static void unavailable(Settings settings, Throwable cause) {
    if (cause instanceof HoldfastRequired required) throw required;
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    note(why);
    if (settings.required()) throw new HoldfastRequired(why, cause);
    boolean expected =
        cause instanceof IllegalArgumentException
            || cause instanceof IllegalStateException
            || cause instanceof NativeLoader.Unavailable;
    Notices.warn(
        "Holdfast is off, Spark's own scheduling goes on: " + why, expected ? null : cause);
  }

  /** A status that cannot be kept must not hide the warning. */
  private static void note(String why) {
    try {
      Status.off(why);
    } catch (Throwable e) {
      // The warning that follows says it.
    }
  }
}
