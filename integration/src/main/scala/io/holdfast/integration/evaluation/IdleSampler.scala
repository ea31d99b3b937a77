package io.holdfast.integration.evaluation

import io.holdfast.integration.{HoldfastStatus, Recorder}

/** Splits the idle held slot-time by whether background waited meanwhile: ten times a second it asks Holdfast for the sum so far,
  * and what was added counts if background waited at the beginning and at the end of that tenth.
  */
final class IdleSampler(recorder: Recorder) {
  private val EveryMs = 100L
  @volatile private var running = true
  private var waited = 0.0
  private val thread = new Thread(() => sample(), "idle-sampler")
  thread.setDaemon(true)
  thread.start()

  /** Ends it; answers slot-seconds. */
  def stop(): Double = {
    running = false
    thread.join()
    waited
  }

  private def sample(): Unit = {
    var (before, waits) = (HoldfastStatus.read().idleSlotS, recorder.backgroundWaits)
    while (running) {
      Thread.sleep(EveryMs)
      val (now, still) = (HoldfastStatus.read().idleSlotS, recorder.backgroundWaits)
      if (waits && still) waited += now - before
      before = now
      waits = still
    }
  }
}
