package io.holdfast.session;

import io.holdfast.names.Kind;
import io.holdfast.report.Report;
import java.util.concurrent.atomic.AtomicReference;

/** What the scheduler of this driver is doing, for {@code Holdfast.status()}. */
public final class Status {
  /** Exactly one of session and text counts; text is the last word of a session that has ended. */
  private record Current(Session session, String failure, String text) {}

  /** Null until something is known: what could fail here would take the class along. */
  private static final AtomicReference<Current> CURRENT = new AtomicReference<>();

  private static final String NEVER_ASKED =
      "Spark has not asked for Holdfast's scheduler: the application still starts, or"
          + " spark.master was set after Holdfast's plugin had run";

  private Status() {}

  static void on(Session session) {
    CURRENT.set(new Current(session, null, null));
  }

  public static void off(String reason) {
    CURRENT.set(new Current(null, null, Report.off(reason)));
  }

  /** The master is rewritten: Spark is about to ask for our scheduler. */
  public static void expected() {
    off(NEVER_ASKED);
  }

  /** Whether Spark has not asked since. */
  public static boolean isExpected() {
    Current now = CURRENT.get();
    return now != null && Report.off(NEVER_ASKED).equals(now.text());
  }

  static void failed(Session session, String reason) {
    CURRENT.set(new Current(session, reason, null));
  }

  /** Keeps the final counters of a session that ends. */
  static void ended(Session session) {
    Current now = CURRENT.get();
    if (now != null && now.session() == session)
      CURRENT.compareAndSet(now, new Current(null, null, session.status(now.failure())));
  }

  static Session session() {
    Current now = CURRENT.get();
    return now == null ? null : now.session();
  }

  /**
   * @param of kind and name as in the keys, for example {@code pool.reports}
   */
  public static void prioritise(String of, int priority) {
    for (Kind kind : Kind.values()) {
      String start = kind.word() + ".";
      if (of == null || !of.startsWith(start) || of.length() == start.length()) continue;
      Session session = session();
      if (session != null) session.reprioritise(kind, of.substring(start.length()), priority);
      return;
    }
    throw new IllegalArgumentException(
        of + " names nobody: give for example pool.reports or group.etl-*");
  }

  public static void closeWorkflow(String name) {
    Session session = session();
    if (session != null) session.closeWorkflow(name);
  }

  public static String json() {
    Current now = CURRENT.get();
    if (now == null)
      return Report.off("not switched on: add spark.plugins=io.holdfast.HoldfastPlugin");
    return now.session() == null ? now.text() : now.session().status(now.failure());
  }
}
