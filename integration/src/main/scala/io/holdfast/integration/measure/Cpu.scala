package io.holdfast.integration.measure

import java.lang.management.ManagementFactory
import java.time.Duration

import scala.jdk.CollectionConverters._

import com.sun.management.OperatingSystemMXBean

/** Processor time since they started of this JVM and of all processes that it started and that live (executors), in seconds. */
final case class Cpu(own: Double, children: Double) {
  def since(before: Cpu): CpuResult = CpuResult(own - before.own, children - before.children)
}

object Cpu {
  private val system = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])

  def used(): Cpu = {
    val children = ProcessHandle.current().descendants().iterator().asScala
    Cpu(
      system.getProcessCpuTime / 1e9,
      children.map(_.info().totalCpuDuration().orElse(Duration.ZERO).toMillis / 1e3).sum
    )
  }
}
