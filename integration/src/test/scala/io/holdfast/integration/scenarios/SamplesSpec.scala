package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}
import java.time.Duration

import scala.jdk.CollectionConverters._

import io.holdfast.Holdfast
import io.holdfast.approximate.{Approximate, Bound}
import io.holdfast.integration.Json

/** Bounded jobs of one application teach the next one when to copy. */
class SamplesSpec extends Scenarios {
  private val Jobs = 3
  private val Tasks = 8

  /** One of each job, and one of a job with a deadline. */
  private val Samples = Jobs + 1

  /** Each bounded job leaves a sample. */
  private val explores = Seq("spark.holdfast.stragglers" -> "grass", "spark.holdfast.grass.explore" -> "1.0")

  private def application(history: Path)(body: App => Unit): Unit =
    withHoldfast("local[4]", explores :+ ("spark.holdfast.history.dir" -> history.toString): _*)(body)

  private def bounded(app: App, jobs: Int): Unit = (1 to jobs).foreach { _ =>
    val answer = Approximate.count(app.sc.parallelize(1 to 80, Tasks).toJavaRDD(), Bound.error(0.25), 0.95)
    assert(answer.share >= 0.75)
  }

  private def told: Int = Json.tree(Holdfast.status()).path("remembered_samples").asInt

  /** The numbers of samples in all files of the history. */
  private def kept(history: Path): Seq[Int] = {
    val files = Files.list(history).iterator.asScala.toSeq
    val lines = files.map(Files.readAllLines(_).asScala.toSeq.tail.map(Json.tree(_).path("samples").size).sum)
    lines.sorted
  }

  test("the second application starts with the samples of the first, and leaves only its own") {
    val history = Files.createTempDirectory(Paths.get(sys.props("holdfast.scenarios.dir")), "history-")
    application(history) { app =>
      bounded(app, Jobs)
      val slow = app.sc.parallelize(1 to 80, Tasks).map { i => if (i > 40) Thread.sleep(1000); i }
      val late = Approximate.count(slow.toJavaRDD(), Bound.deadline(Duration.ofSeconds(2)), 0.95)
      assert(late.share < 1 && Json.tree(Holdfast.status()).path("bounds_passed").asInt == 1, Holdfast.status())
      assert(told == 0, Holdfast.status())
    }
    assert(kept(history) == Seq(Samples))
    application(history) { app =>
      Wait.until("the samples of the first application") {
        bounded(app, 1)
        told == Samples
      }
    }
    // With the last job that was needed for it: none is lost, none is kept twice.
    val Seq(first, second) = kept(history).sorted: @unchecked
    assert(Seq(first, second).contains(Samples) && first >= 1, kept(history))
    val process = new ProcessBuilder(Scenarios.Cli, "history", history.toString).redirectErrorStream(true).start()
    val said = new String(process.getInputStream.readAllBytes())
    assert(process.waitFor() == 0 && said.contains("up to 50 tasks") && said.contains("6 tasks"), said)
  }
}
