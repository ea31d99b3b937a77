package io.holdfast;

/**
 * Where a session's time comes from, who calls it when something is due, and where its log goes.
 */
interface Timekeeper {
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

  /** A time in nanoseconds, of any origin. */
  long nanoTime();

  /** Opens the decision log of an application; null where none is wanted. Must not wait. */
  default DecisionLog.Opening log(Settings settings, String applicationId) {
    return LogFile.of(settings, applicationId);
  }

  /** How long a session that closes waits for each of its decision log and its history. */
  default long patienceMillis() {
    return 1000;
  }

  /** From now on this session is to be called for what {@code wake} says; must not wait. */
  void keep(Session session, Wake wake);
}
