package io.holdfast.integration.run

import io.holdfast.integration.measure.{Cpu, CpuResult, Recorder}
import io.holdfast.integration.programs.{Context, Load, Workload}

/** When a foreground came and went (epoch ms), and what the processes used.
  *
  * @param cpu meanwhile
  * @param whole from the beginning of foreground or load to the end of both
  */
final case class Span(arrived: Long, ended: Long, cpu: CpuResult, whole: CpuResult)

/** Runs a foreground, alone or beside a load.
  *
  * @param times how often it runs, one run after the other
  * @param measuringS processor time of this JVM so far that is not the contest's, in seconds: it is left out
  */
final class Contest(
    recorder: Recorder,
    workload: Workload,
    context: Context,
    times: Int = 1,
    measuringS: () => Double = () => 0.0
) {
  import Contest._

  def alone(): Span = wholly(foreground())

  /** The load has begun when the foreground comes. */
  def second(load: Load): Span = wholly {
    load.start()
    load.awaitReady(recorder)
    val span = foreground()
    load.stop()
    load.join()
    span
  }

  /** The load comes when the foreground runs at full width. */
  def first(load: Load): Span = wholly {
    @volatile var failure = Option.empty[Throwable]
    val starter = new Thread(
      () =>
        try {
          recorder.awaitFullWidth()
          Thread.sleep(HeadStartMs)
          load.start()
        } catch { case e: Throwable => failure = Some(e) },
      "load-starter"
    )
    starter.start()
    val span = foreground()
    load.stop()
    starter.join()
    failure.foreach(e => throw new IllegalStateException("the load did not start: the foreground was alone", e))
    load.join()
    span
  }

  private def wholly(body: => Span): Span = {
    val before = cpu()
    val span = body
    span.copy(whole = cpu().since(before))
  }

  private def cpu(): Cpu = {
    val used = Cpu.used()
    used.copy(own = used.own - measuringS())
  }

  private def foreground(): Span = {
    val sc = context.spark.sparkContext
    sc.setLocalProperty("spark.scheduler.pool", Recorder.Foreground)
    val (arrived, before) = (System.currentTimeMillis(), cpu())
    try {
      (1 to times).foreach(i => workload.run(context.copy(outputs = context.outputs.resolve(i.toString))))
      val used = cpu().since(before)
      Span(arrived, System.currentTimeMillis(), used, used)
    } finally sc.setLocalProperty("spark.scheduler.pool", null)
  }
}

object Contest {
  private val HeadStartMs = 400L
}
