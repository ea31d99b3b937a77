package io.holdfast.history;

import java.util.List;

/**
 * What a workflow repeated, as one application leaves it to the next.
 *
 * @param shape what the first job of the workflow looked like
 * @param when it ran last, in milliseconds since 1970
 * @param runs how often it began in that application
 */
public record Remembered(Key key, long when, int runs, List<Step> steps) {
  /** By which a workflow is known again. */
  record Key(String workflow, String shape) {}

  /** The five numbers that the event Recalled has after the workflow. */
  public record Step(int first, int second, int then, int tasks, int afterMillis) {
    boolean sameStages(Step other) {
      return first == other.first
          && second == other.second
          && then == other.then
          && tasks == other.tasks;
    }
  }

  /** Whether it teaches the same: how long a stage took is never twice the same. */
  boolean sameStages(Remembered other) {
    if (other == null || steps.size() != other.steps.size()) return false;
    for (int i = 0; i < steps.size(); i++)
      if (!steps.get(i).sameStages(other.steps.get(i))) return false;
    return true;
  }

  /**
   * The shape of a job.
   *
   * @param plan as the session is given it: each fifth number is a signature
   */
  static String shape(int[] plan) {
    int hash = 1;
    for (int i = 4; i < plan.length; i += 5) hash = 31 * hash + plan[i];
    return String.format("%08x", hash);
  }
}
