package io.holdfast.integration.evaluation

import java.lang.management.ManagementFactory

import io.holdfast.integration.{HoldfastStatus, Recorder}

/** What an [[IdleSampler]] has seen.
  *
  * @param waitedSlotS held idle while background waited, in slot-seconds
  * @param cpuS processor time that sampling took, in seconds: it is part of the measuring, not of Holdfast
  */
final case class Sampled(waitedSlotS: Double, cpuS: Double)

object Sampled {
  val none: Sampled = Sampled(0, 0)
}

/** Splits the idle held slot-time by whether background waited meanwhile: ten times a second it asks Holdfast for the sum so far,
  * and what was added counts if background waited at the beginning and at the end of that tenth.
  */
final class IdleSampler(recorder: Recorder) {
  private val EveryMs = 100L
  @volatile private var running = true
  private var waited = 0.0
  private var cpuNs = 0L
  private val thread = new Thread(() => sample(), "idle-sampler")
  thread.setDaemon(true)
  thread.start()

  /** Ends it. */
  def stop(): Sampled = {
    running = false
    thread.join()
    Sampled(waited, cpuNs / 1e9)
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
    cpuNs = math.max(0L, ManagementFactory.getThreadMXBean.getCurrentThreadCpuTime) // -1 where the JVM cannot tell
  }
}
