package io.holdfast.integration.measure

import java.lang.management.ManagementFactory

/** Splits the idle held slot-time by whether background waited meanwhile: ten times a second it asks Holdfast for the sum so far,
  * and what was added counts if background waited at the beginning and at the end of that tenth.
  * That takes 4 % of a driver's processor time in `overhead`, and 1 to 2 % more in other threads (compiler, garbage collector).
  */
final class IdleSampler(recorder: Recorder) {
  private val EveryMs = 100L
  @volatile private var running = true
  private var waited = 0.0
  private val thread = new Thread(() => sample(), "idle-sampler")
  thread.setDaemon(true)
  thread.start()

  /** Processor time that it has taken while it lives, in seconds: it is part of the measuring, not of Holdfast. 0 where the JVM cannot
    * tell.
    */
  def cpuS: Double = math.max(0L, ManagementFactory.getThreadMXBean.getThreadCpuTime(thread.getId)) / 1e9

  /** Ends it; answers what was held idle while background waited, in slot-seconds. */
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
