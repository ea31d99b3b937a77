package io.holdfast.integration.run

import java.nio.file.{Files, Path, Paths}

import io.holdfast.integration.measure.Result
import io.holdfast.integration.programs.{Input, Inputs, Workload}
import io.holdfast.integration.{ChildJvm, Json}
import org.apache.commons.io.FileUtils

/** Runs cells, and what they need beforehand, in JVMs of their own. */
object CellProcess {

  /** Of making inputs and archives. */
  private val PreparationLimitS = 600L
  private val Logging = "io/holdfast/integration/cell-log4j2.properties"

  /** Runs a cell; answers its result or what went wrong. */
  def run(spec: CellSpec, holdfastJar: Option[Path]): Either[String, Result] = {
    val folder = Paths.get(spec.folder)
    val jar = if (Result.holdfastIn(spec.setting)) holdfastJar else None
    val options = ClassArchives(Paths.get(spec.archives)).driverOptions
    if (Result.holdfastIn(spec.setting) && jar.isEmpty) Left("no jar of Holdfast: give --holdfast-jar=FILE")
    else
      child(folder, options, jar)
        .run(mainClass(Cell), Seq(Json.write(spec)), Workload.named(spec.workload).limitS)
        .map { _ =>
          val result = Json.load[Result](folder.resolve("result.json"))
          Seq("local", "measured", "warm-up", ChildJvm.SparkHome)
            .foreach(name => FileUtils.deleteDirectory(folder.resolve(name).toFile))
          result
        }
  }

  /** Makes those inputs that are not there yet, and archives of classes when there are none that fit. */
  def prepare(inputs: Path, wanted: Seq[Input], archives: ClassArchives, cells: Path): Either[String, Unit] = {
    val missing = Inputs.missing(inputs, wanted)
    val archiving = !archives.fit
    if (missing.isEmpty && !archiving) Right(())
    else {
      val what = missing.map(_.folder) ++ Option.when(archiving)("archives of Spark's classes")
      println(s"preparing once, up to 40 s: ${what.mkString(", ")}")
      val folder = cells.resolve("preparation")
      if (archiving) {
        archives.delete()
        Files.createDirectories(archives.folder)
      }
      val spec =
        Preparation.Spec(
          inputs.toString,
          missing,
          Option.when(archiving)(archives.folder.toString),
          folder.toString
        )
      child(folder, if (archiving) archives.archiveDriver else archives.driverOptions, None)
        .run(mainClass(Preparation), Seq(Json.write(spec)), PreparationLimitS)
        .map(_ => if (archiving) archives.made())
    }
  }

  private def child(folder: Path, options: Seq[String], jar: Option[Path]) =
    ChildJvm(folder, Logging, "-Xmx1g" +: (ChildJvm.QuietJvm ++ options), jar.toSeq)

  private def mainClass(of: AnyRef): String = of.getClass.getName.stripSuffix("$")
}
