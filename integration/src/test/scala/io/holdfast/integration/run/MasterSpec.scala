package io.holdfast.integration.run

import java.io.File
import java.nio.file.{Files, Path, Paths}

import scala.util.Using

import io.holdfast.integration.cluster.{Shape, StandaloneCluster}
import io.holdfast.integration.measure.Measured
import org.scalatest.funsuite.AnyFunSuite

/** An experiment on a cluster that somebody else has started: its executors have Spark's jars and nothing of ours. */
class MasterSpec extends AnyFunSuite {
  private val folder = Files.createTempDirectory("holdfast-master")

  private def sparkJars: Seq[Path] =
    sys.props("java.class.path").split(File.pathSeparator).toSeq.filter(_.endsWith(".jar")).map(Paths.get(_))

  private def asked(master: String, more: String = "") = Asked.parse(
    Seq(
      s"--master=$master",
      "--size=tiny",
      s"--conf=spark.driver.host=127.0.0.1;spark.driver.bindAddress=127.0.0.1$more",
      "--experiments=experiments/ssr",
      s"--holdfast-jar=${sys.props("holdfast.jar")}",
      s"--own-jar=${sys.props("holdfast.integration.jar")}"
    ) ++ Seq("reports", "inputs", "archives", "cells").map(name => s"--$name=${folder.resolve(name)}")
  )

  test("runs where the user's master is, with the jars from here") {
    Using.resource(
      StandaloneCluster.start(Shape(2, 1, slots = 4, memoryMb = 512), folder.resolve("cluster"), sparkJars)
    ) { cluster =>
      val user = asked(cluster.url)
      assert(Using.resource(new Clusters(user))(new ExperimentRun("fig13", user).run(_)))
    }
    assert(results.map(_.setting) == Seq("equal-holdfast"))
    assert(results.head.tasks == 48 && results.head.holds.made > 0)
    assert(results.head.holdfast.exists(_.contains("revision")))
  }

  test("what was measured with other keys is not gone on with") {
    val before = results.size
    assert(before > 0)
    val other = asked("spark://nowhere:1", ";spark.locality.wait=1s")
    assert(!Using.resource(new Clusters(other))(new ExperimentRun("fig13", other).run(_)))
    assert(results.size == before)
  }

  private def results = new Measured(folder.resolve("reports/fig13-tiny/results.jsonl")).all
}
