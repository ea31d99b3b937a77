package io.holdfast.integration

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

/** Which of our packages uses which: no circles. */
class PackagesSpec extends AnyFunSuite {
  private val sources = Paths.get("src/main/scala/io/holdfast/integration")
  private val Used = "import io\\.holdfast\\.integration\\.([a-z]+)\\.".r

  /** Those that a package may use; all may use what is in none of them. */
  private val allowed = Map(
    "cluster" -> Set.empty[String],
    "measure" -> Set.empty[String],
    "programs" -> Set("measure"),
    "plan" -> Set("cluster", "measure", "programs"),
    "report" -> Set("measure", "programs", "plan"),
    "run" -> Set("cluster", "measure", "programs", "plan", "report"),
    "scenarios" -> Set.empty[String],
    "masters" -> Set("cluster", "measure", "scenarios")
  )

  private def list[A](folder: Path)(of: Path => A): Seq[A] =
    Using.resource(Files.list(folder))(_.iterator.asScala.map(of).toSeq)

  private def files[A](folder: Path)(of: Path => A): Seq[A] =
    Using.resource(Files.walk(folder))(_.iterator.asScala.filter(Files.isRegularFile(_)).map(of).toSeq)

  test("every package uses only those that it may") {
    val packages = list(sources)(identity).filter(f => Files.isDirectory(f) && list(f)(identity).nonEmpty)
    assert(packages.map(_.getFileName.toString).toSet == allowed.keySet)
    val wrong = for {
      folder <- packages
      name = folder.getFileName.toString
      (file, text) <- files(folder)(f => folder.relativize(f).toString -> Files.readString(f))
      used <- Used.findAllMatchIn(text).map(_.group(1)).toSeq if used != name && !allowed(name)(used)
    } yield s"$name/$file uses $used"
    assert(wrong == Nil)
  }
}
