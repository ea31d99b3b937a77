package io.holdfast.bridge;

/** Reads what {@link Engine#pick} answers. */
public final class Pick {
  /** The host's own choice. */
  public static final long HOST = 0;

  /** Nothing now. */
  public static final long NOTHING = 1;

  private static final int COPY = 2;
  private static final int PENDING = 3;
  private static final int KIND = 3;
  private static final int LARGEST = 4;

  private Pick() {}

  /** Returns whether it is a copy of the running task {@link #copied}. */
  public static boolean isCopy(long pick) {
    return (pick & KIND) == COPY;
  }

  public static int copied(long pick) {
    return (int) (pick >> 2);
  }

  /** Returns whether it is a pending task: see {@link #largest} and {@link #most}. */
  public static boolean isPending(long pick) {
    return (pick & KIND) == PENDING;
  }

  /** Returns whether it is the largest of at most {@link #most} units; else the smallest. */
  public static boolean largest(long pick) {
    return (pick & LARGEST) != 0;
  }

  public static long most(long pick) {
    return pick >> 3;
  }
}
