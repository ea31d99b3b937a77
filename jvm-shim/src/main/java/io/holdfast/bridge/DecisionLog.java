package io.holdfast.bridge;

import io.holdfast.config.Keys;
import io.holdfast.notice.Notices;
import java.io.Closeable;
import java.io.IOException;

/**
 * Writes one engine's log, on a thread of its own: a disk that hangs holds up neither steps nor
 * deadlines. It knows the engine by its handle only, so that an engine without a user can be freed.
 */
public final class DecisionLog extends Thread {
  /** Takes the log's bytes, in order. Called on the log's thread only; may block. */
  public interface Sink extends Closeable {
    /**
     * @return whether there is room for more; what the engine has gathered by now comes all the
     *     same
     */
    boolean write(byte[] block) throws IOException;
  }

  /** Opens a {@link Sink}, on the log's thread. */
  public interface Opening {
    Sink open() throws IOException;
  }

  /** So often the thread looks for blocks: what waits in between must fit the engine's bound. */
  private static final long PERIOD_MILLIS = 250;

  private static final byte[] NOTHING = {};

  private final long handle;
  private final Opening opening;
  private Sink sink;
  private boolean full;

  /** Said that it is not whole; a session may be closed twice. */
  private boolean told;

  /** What the engine still had at its end; null while it lives. */
  private byte[] rest;

  DecisionLog(long handle, Opening opening) {
    super("holdfast-log");
    this.handle = handle;
    this.opening = opening;
    setDaemon(true);
  }

  /** Starts the thread; without one there is no log, and the engine gathers none. */
  void begin() {
    try {
      start();
    } catch (OutOfMemoryError e) { // there is no room for another thread
      giveUp(e);
    }
  }

  @Override
  public void run() {
    try {
      boolean last;
      do {
        for (byte[] block; (block = NativeEngine.drainLog(handle)) != null; ) write(block);
        last = awaitEnd(PERIOD_MILLIS);
      } while (!last);
      // A block that was fetched before the end has been written by now.
      write(rest);
    } catch (Throwable e) {
      giveUp(e);
    } finally {
      closeQuietly();
    }
  }

  private void write(byte[] block) throws IOException {
    if (block.length == 0) return;
    if (sink == null) sink = opening.open();
    if (sink.write(block) || full) return;
    full = true;
    if (NativeEngine.endLog(handle) != 0) return; // the engine has ended, and so has its log
    String keys = Keys.LOG_MAX_SIZE.name() + " and " + Keys.LOG_MAX_PARTS.name();
    Notices.warn("the decision log is full and ends here (" + keys + "); all else goes on", null);
  }

  private synchronized boolean awaitEnd(long millis) throws InterruptedException {
    if (rest == null) wait(millis);
    return rest != null;
  }

  /** Hands over what the engine had left, or null, and lets the thread end. Does not wait. */
  synchronized void end(byte[] left) {
    rest = left == null ? NOTHING : left;
    notifyAll();
  }

  /** Waits at most so long for the disk; the thread goes on without being waited for. */
  void await(long millis) {
    try {
      join(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    boolean whole;
    synchronized (this) {
      whole = rest.length == 0 || told;
      told = true;
    }
    if (isAlive() && !whole)
      Notices.warn(
          "the decision log is not whole yet: its disk takes longer than "
              + millis
              + " ms, and the application ends without waiting for it",
          null);
  }

  private void giveUp(Throwable why) {
    NativeEngine.dropLog(handle);
    Notices.warn("the decision log is given up: " + why, null);
  }

  private void closeQuietly() {
    try {
      if (sink != null) sink.close();
    } catch (IOException | RuntimeException e) {
      Notices.warn("the decision log may not be whole: " + e, null);
    }
  }
}
