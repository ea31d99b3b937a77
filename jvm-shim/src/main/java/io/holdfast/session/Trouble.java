package io.holdfast.session;

import io.holdfast.config.Settings;
import io.holdfast.entry.HoldfastRequired;
import io.holdfast.notice.Notices;

/** Handles a session's own errors: says each kind once, and lets Spark go on. */
final class Trouble {
  private final Settings settings;
  private volatile boolean failed; // and that has been said
  private volatile boolean off; // it cannot be opened, and that has been said

  Trouble(Settings settings) {
    this.settings = settings;
  }

  /** Notes that the engine has failed and that this has been said. */
  void failed() {
    failed = true;
  }

  /** Runs a part of an end: what is over anyway must not fail because of one part of it. */
  void attempt(Runnable part) {
    try {
      part.run();
    } catch (Throwable e) {
      if (!failed) Notices.warn("Holdfast could not end in order", e);
      failed = true;
    }
  }

  /**
   * Says why the session cannot be opened: once, though each task set tries.
   *
   * @throws HoldfastRequired if Holdfast is required
   */
  void unavailable(Throwable cause) {
    if (off && !settings.required()) return;
    off = true;
    try {
      FailOpen.unavailable(settings, cause);
    } catch (HoldfastRequired e) {
      throw e;
    } catch (Throwable e) {
      if (settings.required()) throw new HoldfastRequired(cause.toString(), cause);
    }
  }
}
