package io.holdfast.session;

import io.holdfast.bridge.Wake;
import java.lang.ref.WeakReference;

/** The thread for deadlines, offers that are due again, and what the native side says. */
final class Ticker extends Thread {
  private static final long HOUSEKEEPING_MILLIS = 1000;

  private final WeakReference<Session> session;
  private final Wake wake;

  Ticker(Session session, Wake wake) {
    super("holdfast-ticker");
    this.session = new WeakReference<>(session);
    this.wake = wake;
    setDaemon(true);
  }

  /** Does what is due or wanted. */
  static void serve(Session session, Wake.Call call) {
    if (call.due()) session.tick();
    if (call.reoffer()) session.revive();
  }

  @Override
  public void run() {
    try {
      while (true) {
        Wake.Call call = wake.await(HOUSEKEEPING_MILLIS);
        // A session that nobody closed must not be kept alive from here.
        Session current = session.get();
        if (call.closed() || current == null) return;
        try {
          serve(current, call);
          current.housekeeping();
        } catch (Throwable e) {
          current.fail("timer", e);
        }
      }
    } catch (Throwable e) {
      giveUp(e);
    }
  }

  /** Without this thread no hold would ever expire: there must be none. */
  private void giveUp(Throwable cause) {
    Session current = session.get();
    if (current == null) return;
    current.fail("timer", cause);
    if (cause instanceof InterruptedException) interrupt();
  }
}
