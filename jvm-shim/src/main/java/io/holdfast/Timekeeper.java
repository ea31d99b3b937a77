package io.holdfast;

/** Where a session's time comes from, and who calls it when something is due. */
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

  /** From now on this session is to be called for what {@code wake} says; must not wait. */
  void keep(Session session, Wake wake);
}
