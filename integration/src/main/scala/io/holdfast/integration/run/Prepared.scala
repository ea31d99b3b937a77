package io.holdfast.integration.run

import java.nio.file.{Files, Path}

import io.holdfast.integration.{ChildJvm, Json}
import io.holdfast.integration.programs.{Input, Inputs}

/** What rounds need beforehand, made in a JVM of its own. */
object Prepared {
  private val LimitS = 600L

  /** Makes those inputs that are not there yet, and archives of classes when there are none that fit. */
  def all(inputs: Path, wanted: Seq[Input], archives: ClassArchives, cells: Path): Either[String, Unit] = {
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
        Preparation.Spec(inputs.toString, missing, Option.when(archiving)(archives.folder.toString), folder.toString)
      val options = if (archiving) archives.archiveDriver else archives.driverOptions
      ChildJvm(folder, ChildJvm.Logging, "-Xmx1g" +: (ChildJvm.QuietJvm ++ options))
        .run(Preparation.getClass.getName.stripSuffix("$"), Seq(Json.write(spec)), LimitS)
        .map(_ => if (archiving) archives.made())
    }
  }
}
