package io.holdfast.integration.programs

import io.holdfast.integration.measure.Recorder

/** What runs beside a foreground. */
trait Load {
  def start(): Unit

  /** Returns when the foreground may come. */
  def awaitReady(recorder: Recorder): Unit

  /** Ends its appetite. */
  def stop(): Unit

  /** Waits for its end; fails if one of its jobs failed. */
  def join(): Unit
}
