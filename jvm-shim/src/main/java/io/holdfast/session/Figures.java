package io.holdfast.session;

import io.holdfast.bridge.Engine;
import io.holdfast.bridge.NativeEngine;
import io.holdfast.history.History;
import io.holdfast.report.Accounts;
import io.holdfast.report.Report;
import java.util.Map;

/**
 * Gathers what a session shows of itself. Callers hold the session's lock, if not said otherwise.
 */
final class Figures {
  private final Report report;
  private final Asks asks;
  private final Jobs jobs;
  private final History history;

  Figures(Report report, Asks asks, Jobs jobs, History history) {
    this.report = report;
    this.asks = asks;
    this.jobs = jobs;
    this.history = history;
  }

  Report report() {
    return report;
  }

  /** Returns what the metrics show, by name; all 0 without an engine. */
  Map<String, Number> counters(Engine engine) {
    long[] totals = engine == null ? new long[NativeEngine.TOTALS] : engine.totals();
    return report.counters(totals, asks.vetoes(), engine != null && engine.failure() != null);
  }

  /** Returns the counters as JSON, see {@code Holdfast.status()}. */
  String status(Engine engine, String failure, Accounts accounts) {
    int[] remembered = {history.known(), history.toldSamples()};
    return report.status(engine.totals(), asks.vetoes(), failure, accounts, remembered);
  }

  /** Returns the counters in one line, for people. */
  String summary(Engine engine) {
    return report.summary(engine.totals(), asks.vetoes());
  }

  /**
   * Reads the sums of the workflows; needs no lock.
   *
   * @param json of the engine, or null
   */
  Accounts accounts(byte[] json) {
    return Accounts.read(
        json,
        id -> {
          WorkflowRef workflow = jobs.workflow(id);
          return workflow == null ? null : workflow.shown();
        });
  }
}
