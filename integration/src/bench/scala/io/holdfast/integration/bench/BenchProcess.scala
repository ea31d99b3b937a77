package io.holdfast.integration.bench

import java.io.File
import java.nio.file.{Files, Path, Paths}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.commons.io.FileUtils
import org.apache.spark.launcher.JavaModuleOptions

import io.holdfast.integration.{Children, Json}

/** Runs a cell in a JVM of its own. */
object BenchProcess {

  /** A hang guard, far above the longest cell. */
  private val LimitS = 180L

  def run(mainClass: String, spec: CellSpec, holdfastJar: Path): Either[String, Measured] = {
    val folder = Paths.get(spec.folder)
    FileUtils.deleteDirectory(folder.toFile) // an earlier run's
    Files.createDirectories(folder)
    val console = folder.resolve("console.log")
    val jar = if (spec.setting.usesHoldfast) Seq(holdfastJar.toString) else Nil
    val command = Seq(ProcessHandle.current().info().command().get(), "-Xmx1g") ++
      JavaModuleOptions.defaultModuleOptionArray() ++
      Seq(
        s"-Dholdfast.cell.log=${folder.resolve("spark.log")}",
        "-Dlog4j2.configurationFile=io/holdfast/integration/bench/log4j2.properties",
        "-cp",
        (sys.props("java.class.path") +: jar).mkString(File.pathSeparator),
        mainClass,
        Json.write(spec)
      )
    val builder = new ProcessBuilder(command.asJava)
      .redirectErrorStream(true)
      .redirectOutput(console.toFile)
      .directory(folder.toFile)
    builder.environment().putAll(Map("SPARK_LOCAL_IP" -> "127.0.0.1", "SPARK_LOCAL_HOSTNAME" -> "localhost").asJava)
    val process = builder.start()
    val ended = Children.whileRegistered(process)(process.waitFor(LimitS, TimeUnit.SECONDS))
    if (!ended) Left(s"no end after $LimitS s; see ${folder.resolve("spark.log")}")
    else if (process.exitValue() != 0)
      Left(s"exit code ${process.exitValue()}; see $console and ${folder.resolve("spark.log")}")
    else Right(Json.load[Measured](folder.resolve(BenchCell.Result)))
  }
}
