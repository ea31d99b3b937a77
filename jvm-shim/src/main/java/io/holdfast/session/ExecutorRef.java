package io.holdfast.session;

/** An executor as the engine knows it, and what is free on it in the current round. */
final class ExecutorRef {
  /** Number of resources: CPU in 1/1000, MiB, two custom ones in 1/1000. */
  static final int RESOURCES = 4;

  final int id;
  final int profile;
  boolean barred;
  final int[] capacity = new int[RESOURCES];
  final int[] running = new int[RESOURCES];

  /** This round's offer minus what was launched from it in this round. */
  final int[] free = new int[RESOURCES];

  /** What tasks of a barrier set have been given in this round and may have to give back. */
  final int[] pending = new int[RESOURCES];

  ExecutorRef(int id, int profile) {
    this.id = id;
    this.profile = profile;
  }

  int usable(int resource) {
    return Math.max(0, free[resource] - pending[resource]);
  }

  /** Whether so much free and what runs are more than it has. */
  boolean exceeds(int cpu, int custom0, int custom1) {
    return cpu + running[0] > capacity[0]
        || custom0 + running[2] > capacity[2]
        || custom1 + running[3] > capacity[3];
  }

  /**
   * So much is free. Adopts that plus what runs as the capacity where it is more than was known.
   */
  boolean offered(int cpu, int custom0, int custom1) {
    free[0] = cpu;
    free[2] = custom0;
    free[3] = custom1;
    boolean enlarged = false;
    for (int i = 0; i < RESOURCES; i++) {
      if (free[i] + running[i] > capacity[i]) {
        capacity[i] = free[i] + running[i];
        enlarged = true;
      }
    }
    return enlarged;
  }

  static void add(int[] to, int[] what) {
    for (int i = 0; i < RESOURCES; i++) to[i] += what[i];
  }

  static void subtract(int[] from, int[] what) {
    for (int i = 0; i < RESOURCES; i++) from[i] -= what[i];
  }
}
