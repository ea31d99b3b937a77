package io.holdfast;

import java.util.concurrent.atomic.AtomicReference;

/** What the scheduler of this driver is doing, for {@code Holdfast.status()}. */
final class Status {
  /** Exactly one of session and text counts; text is the last word of a session that has ended. */
  private record Current(Session session, String failure, String text) {}

  private static final AtomicReference<Current> CURRENT =
      new AtomicReference<>(
          new Current(
              null,
              null,
              Report.off("not switched on: add spark.plugins=io.holdfast.HoldfastPlugin")));

  private Status() {}

  static void on(Session session) {
    CURRENT.set(new Current(session, null, null));
  }

  static void off(String reason) {
    CURRENT.set(new Current(null, null, Report.off(reason)));
  }

  static void failed(Session session, String reason) {
    CURRENT.set(new Current(session, reason, null));
  }

  /** Keeps the final counters of a session that ends. */
  static void ended(Session session) {
    Current now = CURRENT.get();
    if (now.session() == session)
      CURRENT.compareAndSet(now, new Current(null, null, session.status(now.failure())));
  }

  static Session session() {
    return CURRENT.get().session();
  }

  static String json() {
    Current now = CURRENT.get();
    return now.session() == null ? now.text() : now.session().status(now.failure());
  }
}
