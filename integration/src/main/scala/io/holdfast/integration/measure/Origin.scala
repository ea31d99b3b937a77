package io.holdfast.integration.measure

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path, Paths}
import java.util.Properties
import java.util.jar.JarFile

import scala.util.Using

import com.sun.management.OperatingSystemMXBean

/** What rounds are measured with. */
object Origin {
  private val BuildInfo = "io/holdfast/build.properties"
  private val Gib = 1L << 30

  /** Cores, processor, memory and system of this machine. */
  def machine: String = {
    val system = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])
    val about = Paths.get("/proc/cpuinfo")
    val model =
      if (Files.notExists(about)) None else Files.readString(about).linesIterator.find(_.startsWith("model name"))
    Seq(
      s"${system.getAvailableProcessors} cores",
      model.fold("")(_.split(":\\s*").last),
      s"${math.round(system.getTotalMemorySize.toDouble / Gib)} GiB",
      s"${system.getName} ${system.getArch}"
    ).filter(_.nonEmpty).mkString(", ")
  }

  /** Version and git revision of Holdfast's jar. */
  def version(jar: Path): Option[String] = Option.when(Files.exists(jar)) {
    val of = built(jar)
    s"${of.getProperty("version", "unknown")}, revision ${of.getProperty("revision", "unknown")}"
  }

  /** What the build has written into Holdfast's jar. */
  def built(jar: Path): Properties = Using.resource(new JarFile(jar.toFile)) { file =>
    val found = new Properties
    Option(file.getEntry(BuildInfo)).foreach(entry => Using.resource(file.getInputStream(entry))(found.load(_)))
    found
  }
}
