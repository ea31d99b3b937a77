package io.holdfast.session;

import io.holdfast.bridge.Clock;
import io.holdfast.bridge.DecisionLog;
import io.holdfast.bridge.LogFile;
import io.holdfast.bridge.Wake;
import io.holdfast.config.Settings;

/**
 * Where a session's time comes from, who calls it when something is due, and where its log goes.
 */
interface Timekeeper extends Clock {
  /** The driver's clock and a thread that waits. */
  Timekeeper REAL =
      new Timekeeper() {
        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public void keep(Session session, Wake wake) {
          new Ticker(session, wake).start();
        }
      };

  /** Opens the decision log of an application; null where none is wanted. Must not wait. */
  default DecisionLog.Opening log(Settings settings, String applicationId) {
    return LogFile.of(settings, applicationId);
  }

  /** From now on this session is to be called for what {@code wake} says; must not wait. */
  void keep(Session session, Wake wake);
}
