package io.holdfast;

import java.util.concurrent.TimeUnit;

/** What the ticker waits for. It outlives neither session nor ticker and knows neither. */
final class Wake {
  private long deadline = Long.MAX_VALUE;
  private long waitingUntil = Long.MAX_VALUE;
  private boolean reoffer;
  private boolean closed;

  /** What a {@link #take} found. */
  record Call(boolean due, boolean reoffer, boolean closed) {}

  /** The next deadline, on the session's clock; Long.MAX_VALUE for none. */
  synchronized void plan(long nanoTime) {
    deadline = nanoTime;
    if (nanoTime != Long.MAX_VALUE && nanoTime < waitingUntil) notifyAll();
  }

  synchronized void reoffer() {
    reoffer = true;
    notifyAll();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** What was planned last. */
  synchronized long deadline() {
    return deadline;
  }

  /** What is due or wanted at this time; it is so no more afterwards. */
  synchronized Call take(long nanoTime) {
    Call call = new Call(nanoTime >= deadline, reoffer, closed);
    reoffer = false;
    if (call.due()) deadline = Long.MAX_VALUE;
    return call;
  }

  /** Waits until something is due or wanted, at most so long. Only on the driver's own clock. */
  synchronized Call await(long millis) throws InterruptedException {
    long now = System.nanoTime();
    long until = now + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!closed && !reoffer && now < until && now < deadline) {
      waitingUntil = Math.min(until, deadline);
      // Rounded up: waking early would only mean to wait again.
      wait(TimeUnit.NANOSECONDS.toMillis(waitingUntil - now + 999_999));
      now = System.nanoTime();
    }
    waitingUntil = Long.MAX_VALUE;
    return take(now);
  }
}
