package io.holdfast.bridge;

import java.util.concurrent.TimeUnit;

/**
 * What the ticker waits for. It outlives neither session nor ticker and knows neither.
 *
 * <p>Spark queues each request for offers, so one is enough until a round over all executors has
 * begun. None that matters is lost: what makes offers wanted, the begin of a round and its asks
 * follow each other under the session's lock. What came before the begin is known to that round's
 * asks; what comes after it makes the next request.
 */
public final class Wake {
  /** So long a request is waited for: if its message was lost, another one goes out. */
  private static final long REQUEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long NEGLECTED_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long deadline = Long.MAX_VALUE;
  private long waitingUntil = Long.MAX_VALUE;
  private boolean reoffer;
  private boolean closed;

  /** Offers have been asked for, and the round that answers has not begun. */
  private boolean requested;

  private long requestedAt;

  /** What a {@link #take} found. */
  public record Call(boolean due, boolean reoffer, boolean closed) {}

  /** The next deadline, on the session's clock; Long.MAX_VALUE for none. */
  synchronized void plan(long nanoTime) {
    deadline = nanoTime;
    if (nanoTime != Long.MAX_VALUE && nanoTime < waitingUntil) notifyAll();
  }

  public synchronized void reoffer() {
    reoffer = true;
    notifyAll();
  }

  /** A round over all executors begins, whoever has asked for it. */
  public synchronized void roundBegins() {
    if (requested) reoffer = false;
    requested = false;
  }

  public synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** What was planned last. */
  public synchronized long deadline() {
    return deadline;
  }

  /** Returns whether offers are wanted, or what was due a second ago is: the ticker is stuck. */
  public synchronized boolean neglected(long nanoTime) {
    return mayRequest(nanoTime) || nanoTime - NEGLECTED_NANOS >= deadline;
  }

  /** What is due or wanted at this time; it is so no more afterwards. */
  public synchronized Call take(long nanoTime) {
    Call call = new Call(nanoTime >= deadline, mayRequest(nanoTime), closed);
    if (call.reoffer()) {
      reoffer = false;
      requested = true;
      requestedAt = nanoTime;
    }
    if (call.due()) deadline = Long.MAX_VALUE;
    return call;
  }

  private boolean mayRequest(long nanoTime) {
    return reoffer && (!requested || nanoTime - requestedAt >= REQUEST_NANOS);
  }

  /** Waits until something is due or wanted, at most so long. Only on the driver's own clock. */
  public synchronized Call await(long millis) throws InterruptedException {
    long now = System.nanoTime();
    long until = now + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!closed && !mayRequest(now) && now < until && now < deadline) {
      waitingUntil = Math.min(until, deadline);
      // Rounded up: waking early would only mean to wait again.
      wait(TimeUnit.NANOSECONDS.toMillis(waitingUntil - now + 999_999));
      now = System.nanoTime();
    }
    waitingUntil = Long.MAX_VALUE;
    return take(now);
  }
}
