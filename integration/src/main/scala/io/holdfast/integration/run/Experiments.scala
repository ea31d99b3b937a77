package io.holdfast.integration.run

import java.nio.file.{Files, Path}

import scala.collection.immutable.ListMap
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal
import scala.util.Using

import com.fasterxml.jackson.module.scala.JavaTypeable
import io.holdfast.integration.Json
import io.holdfast.integration.plan.{Choice, Experiment, Setting}
import io.holdfast.integration.programs.Foregrounds
import io.holdfast.integration.report.{Figures, Measures}

/** The files of a folder of experiments. */
object Experiments {
  private val SettingsFile = "settings.json"
  private val End = ".json"

  /** Names of the experiments in a folder. */
  def list(folder: Path): Seq[String] = Using
    .resource(Files.list(folder)) { files =>
      files.iterator.asScala.map(_.getFileName.toString).filter(f => f.endsWith(End) && f != SettingsFile).toSeq
    }
    .map(_.stripSuffix(End))
    .sorted

  /** Names of those that run when all are asked for. */
  def together(folder: Path): Seq[String] = list(folder).filterNot(load(folder, _).apart)

  /** @param choice what is wanted otherwise than in the file
    * @throws java.lang.IllegalArgumentException with the file, and what is wrong in it
    */
  def load(folder: Path, name: String, choice: Choice = Choice()): Experiment = {
    val names = list(folder)
    if (!names.contains(name))
      throw new IllegalArgumentException(s"there is no experiment '$name'; use one of ${names.mkString(", ")}")
    val file = folder.resolve(name + End)
    val known = settings(folder)
    choice.settings.filterNot(known.contains).foreach { setting =>
      throw new IllegalArgumentException(
        s"-Psettings has '$setting'; use some of ${known.keys.toSeq.sorted.mkString(", ")}"
      )
    }
    val own = read[Experiment](file)
    choice.only.filterNot(own.parts.flatMap(_.settings).contains).foreach { setting =>
      throw new IllegalArgumentException(
        s"-Ponly has '$setting'; use some of ${own.parts.flatMap(_.settings).distinct.mkString(", ")}"
      )
    }
    val alike = own.parts.flatMap(_.settings).flatMap(known.get).exists(_.equal)
    choice.settings.filterNot(s => known(s).equal || !alike).foreach { setting =>
      throw new IllegalArgumentException(
        s"-Psettings has '$setting', which has pools of its own, and in '$name' all pools are alike: leave it out"
      )
    }
    val experiment = choice.of(own, name)
    def check(what: String, chosen: String, allowed: Iterable[String]): Unit =
      if (!allowed.exists(_ == chosen))
        throw new IllegalArgumentException(
          s"$file: $what '$chosen' is unknown; use one of ${allowed.toSeq.sorted.mkString(", ")}"
        )
    experiment.parts.flatMap(p => p.settings ++ p.training.keys).foreach(check("setting", _, known.keys))
    for (_ <- experiment.server; setting <- experiment.parts.flatMap(_.settings).find(known(_).apart))
      throw new IllegalArgumentException(
        s"$file: setting '$setting' has two applications, and a server is in one: leave out either"
      )
    experiment.cellsOf.foreach(check("experiment", _, names))
    val cells = experiment.cellsOf.fold(experiment)(of => read[Experiment](folder.resolve(of + End)))
    experiment.claims.foreach { c =>
      check("measure", c.measure, Measures.names)
      check("setting of a claim", c.setting, known.keys)
      c.background.foreach(check("background of a claim", _, cells.parts.flatMap(_.backgrounds.map(_.name)).distinct))
      c.foregrounds.foreach(check("foreground of a claim", _, cells.parts.flatMap(_.foregrounds).distinct))
    }
    check("figure", experiment.figure, Figures.names)
    for (part <- experiment.parts; program <- part.programs)
      try Foregrounds.check(program, replicas(folder))
      catch { case NonFatal(e) => throw new IllegalArgumentException(s"$file: ${e.getMessage}", e) }
    experiment
  }

  /** By name, in the order of the file. */
  def settings(folder: Path): ListMap[String, Setting] = read[ListMap[String, Setting]](folder.resolve(SettingsFile))

  /** The folder of recorded programs. */
  def replicas(folder: Path): Path = folder.resolve("replicas")

  private def read[T: JavaTypeable](file: Path): T =
    try Json.load[T](file)
    catch { case NonFatal(e) => throw new IllegalArgumentException(s"$file: ${e.getMessage}", e) }
}
