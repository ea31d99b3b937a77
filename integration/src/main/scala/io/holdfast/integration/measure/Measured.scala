package io.holdfast.integration.measure

import java.nio.file.{Files, Path}

import io.holdfast.integration.Json

/** What has been measured: a line of JSON for each round, added when it has ended. A last line without its end is none: it is being
  * written, or was cut off.
  *
  * @param file may not exist yet
  */
final class Measured(val file: Path) {

  def all: Seq[Result] =
    if (Files.notExists(file)) Nil
    else whole(Files.readString(file)).linesIterator.map(Json.read[Result](_)).toSeq

  /** Removes a last line that was cut off, so that others can be added. */
  def repair(): Unit = if (Files.exists(file)) {
    Files.writeString(file, whole(Files.readString(file)))
    ()
  }

  /** Grows with each round. */
  def bytes: Long = if (Files.exists(file)) Files.size(file) else 0

  private def whole(text: String) = text.substring(0, text.lastIndexOf('\n') + 1)

  def timeline(result: Result): Timeline = Json.load[Timeline](file.resolveSibling(result.timeline))
}

object Measured {
  val File = "results.jsonl"
}
