package io.holdfast.integration.run

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import io.holdfast.integration.measure.Measured
import org.scalatest.concurrent.Eventually
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.time.{Seconds, Span => TimeSpan}

/** Ctrl-C while a cluster is up and a round runs: nothing stays, and the next start goes on. */
class InterruptSpec extends AnyFunSuite with Eventually {
  implicit override val patienceConfig: PatienceConfig = PatienceConfig(timeout = TimeSpan(120, Seconds))
  private val folder = Files.createTempDirectory("holdfast-interrupt")

  private def start(said: Path): Process = {
    val java = ProcessHandle.current().info().command().get()
    val folders = Seq("reports", "inputs", "archives", "cells").map(name => s"--$name=${folder.resolve(name)}")
    val arguments = Seq(
      "--experiment=fig13",
      "--size=tiny",
      "--experiments=experiments/ssr",
      s"--holdfast-jar=${sys.props("holdfast.jar")}",
      s"--own-jar=${sys.props("holdfast.integration.jar")}"
    ) ++ folders
    val command =
      Seq(java, "-Xmx256m", "-cp", sys.props("java.class.path"), "io.holdfast.integration.run.Runner")
    new ProcessBuilder((command ++ arguments).asJava).redirectErrorStream(true).redirectOutput(said.toFile).start()
  }

  private def family(of: Process): Seq[ProcessHandle] = of.descendants().iterator().asScala.toSeq

  /** Master, workers and driver are its children; executors are those of workers. */
  private def isUp(of: Process): Boolean = {
    val children = of.children().count().toInt
    children >= 3 && family(of).size > children
  }

  private def text(file: Path): String = new String(Files.readAllBytes(file), UTF_8)

  test("Ctrl-C ends master, workers, driver and executors; what it left does not keep the next start from its end") {
    val said = folder.resolve("said.txt")
    val first = start(said)
    try {
      eventually(assert(first.isAlive && isUp(first), text(said)))
      val all = family(first)
      // A terminal signals all of them.
      val interrupted = (first.pid +: all.map(_.pid)).map(_.toString)
      new ProcessBuilder((Seq("kill", "-INT") ++ interrupted).asJava).start().waitFor()
      assert(first.waitFor(60, TimeUnit.SECONDS))
      eventually(assert(!all.exists(_.isAlive)))
      assert(!text(said).contains("failed"), text(said))
    } finally end(first)

    val second = start(said)
    try {
      assert(second.waitFor(240, TimeUnit.SECONDS) && second.exitValue() == 0, text(said))
      assert(new Measured(folder.resolve("reports/fig13-tiny/results.jsonl")).all.size == 1)
    } finally end(second)
  }

  private def end(process: Process): Unit = {
    val left = family(process)
    process.destroyForcibly()
    left.foreach(_.destroyForcibly())
  }
}
