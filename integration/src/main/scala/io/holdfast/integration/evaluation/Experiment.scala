package io.holdfast.integration.evaluation

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using
import scala.util.control.NonFatal

import io.holdfast.integration.cluster.Shape
import io.holdfast.integration.Json

/** An experiment: one file of `integration/experiments`. Every setting meets every foreground beside every background.
  *
  * @param title what it shows
  * @param paper the paper's own statement, with its figure
  * @param foregrounds names of workloads, or of replicas as `NAME*TIMES`
  * @param backgrounds what runs beside them
  * @param settings names of [[Setting]]s
  * @param blocks how often each setting gets a Spark of its own
  * @param rounds how often a Spark repeats all of it, after a round to warm up
  * @param quick what is less in a small version
  * @param cellsOf the experiment whose cells this one shows; nothing runs for it then
  */
final case class Experiment(
    title: String,
    paper: String,
    cluster: Shape,
    foregrounds: Seq[String],
    backgrounds: Seq[BackgroundSpec],
    settings: Seq[String],
    blocks: Int = 1,
    rounds: Int = 5,
    seed: Long = 42,
    quick: Quick = Quick(),
    cellsOf: Option[String] = None
) {
  def small: Experiment = copy(
    blocks = 1,
    rounds = 1,
    foregrounds = foregrounds.take(quick.foregrounds),
    backgrounds = backgrounds.take(quick.backgrounds)
  )
}

/** How many of each a small version has. */
final case class Quick(foregrounds: Int = 1, backgrounds: Int = 1)

/** What runs beside the foreground.
  *
  * @param kind `crowd`: a closed loop that keeps all slots busy; `google`: jobs of an hour of the Google trace
  * @param times how many times as long as usual its tasks take
  * @param load of `google`: the share of all slots that its tasks keep busy, when task times are divided to fit
  * @param first whether it has begun before the foreground comes
  */
final case class BackgroundSpec(
    name: String,
    kind: String,
    times: Int = 1,
    load: Double = 0.9,
    jobs: Int = 100,
    first: Boolean = true
) {
  require(BackgroundSpec.Kinds.contains(kind), s"kind is '$kind'; give one of ${BackgroundSpec.Kinds.mkString(", ")}")
  require(times > 0 && jobs > 0 && load > 0, s"times is $times, jobs $jobs, load $load; give more than 0")
}

object BackgroundSpec {
  val Crowd = "crowd"
  val Google = "google"
  private val Kinds = Seq(Crowd, Google)
}

/** A way to schedule: Spark's own, or one of Holdfast's policies.
  *
  * @param holdfast whether Holdfast is switched on
  * @param conf its keys
  */
final case class Setting(title: String, holdfast: Boolean, conf: Map[String, String])

object Experiments {
  private val SettingsFile = "settings.json"
  private val End = ".json"

  /** Names of the experiments in a folder. */
  def list(folder: Path): Seq[String] = Using.resource(Files.list(folder)) { files =>
    files.iterator.asScala.map(_.getFileName.toString).filter(f => f.endsWith(End) && f != SettingsFile).toSeq
  }.map(_.stripSuffix(End)).sorted

  /** @throws java.lang.IllegalArgumentException with the file, and what is wrong in it */
  def load(folder: Path, name: String): Experiment = {
    if (!list(folder).contains(name))
      throw new IllegalArgumentException(s"there is no experiment '$name'; use one of ${list(folder).mkString(", ")}")
    val experiment = read[Experiment](folder.resolve(name + End))
    val known = settings(folder)
    experiment.settings.filterNot(known.contains).foreach { setting =>
      throw new IllegalArgumentException(
        s"${folder.resolve(name + End)}: setting '$setting' is unknown; use one of ${known.keys.toSeq.sorted.mkString(", ")}"
      )
    }
    experiment
  }

  def settings(folder: Path): Map[String, Setting] = read[Map[String, Setting]](folder.resolve(SettingsFile))

  private def read[T: com.fasterxml.jackson.module.scala.JavaTypeable](file: Path): T =
    try Json.load[T](file)
    catch { case NonFatal(e) => throw new IllegalArgumentException(s"$file: ${e.getMessage}", e) }
}
