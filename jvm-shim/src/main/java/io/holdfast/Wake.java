package io.holdfast;

import java.util.concurrent.TimeUnit;

/** What the ticker waits for. It outlives neither session nor ticker and knows neither. */
final class Wake {
  private long deadline = Long.MAX_VALUE;
  private long waitingUntil = Long.MAX_VALUE;
  private boolean reoffer;
  private boolean closed;

  /** What a {@link #await} found. */
  record Call(boolean due, boolean reoffer, boolean closed) {}

  /** The next deadline, on the clock of System.nanoTime; Long.MAX_VALUE for none. */
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

  /** Waits until something is due or wanted, at most so long. */
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
    Call call = new Call(now >= deadline, reoffer, closed);
    reoffer = false;
    if (call.due()) deadline = Long.MAX_VALUE;
    return call;
  }
}
