package io.holdfast.integration.run

import java.io.File
import java.nio.file.{Files, Path, Paths}

import org.apache.commons.io.FileUtils

/** Archives of the classes that drivers and executors load. With four executors on few cores, loading them would take a third of
  * each cell's time. A JVM that finds no fitting archive goes on without.
  *
  * @param used whether there are any: not for JVMs with another class path than this one's
  */
final case class ClassArchives(folder: Path, used: Boolean = true) {
  import ClassArchives._

  private val driver = folder.resolve("driver.jsa")
  private val executor = folder.resolve("executor.jsa")
  private val madeFor = folder.resolve("made-for.txt")

  val driverOptions: Seq[String] = if (used) use(driver) else Nil
  val executorOptions: Seq[String] = if (used) use(executor) else Nil
  val archiveDriver: Seq[String] = make(driver)
  val archiveExecutor: Seq[String] = make(executor)

  /** Whether both were made with this class path and JVM, or none can or need be made. */
  def fit: Boolean = !used || !possible || Files.exists(madeFor) && Files.readString(madeFor) == key

  def delete(): Unit = FileUtils.deleteDirectory(folder.toFile)

  /** To be called when the JVMs that archive have ended. */
  def made(): Unit = if (Seq(driver, executor).forall(Files.exists(_))) Files.writeString(madeFor, key)
}

object ClassArchives {

  /** A JVM makes no archive of classes from folders. */
  private def possible: Boolean = entries.forall(Files.isRegularFile(_))

  private def entries = sys.props("java.class.path").split(File.pathSeparator).toSeq.map(Paths.get(_))

  private def make(file: Path): Seq[String] = if (possible) Seq(s"-XX:ArchiveClassesAtExit=$file") else Nil

  /** The JVM would say on its console why it does not use an archive. */
  private def use(file: Path): Seq[String] = Seq(s"-XX:SharedArchiveFile=$file", "-Xlog:disable")

  /** What the JVM compares: its own version, and the class path with each file's time and size. */
  private def key: String = {
    val described = entries.map { entry =>
      if (Files.exists(entry)) s"$entry ${Files.getLastModifiedTime(entry)} ${Files.size(entry)}" else s"$entry"
    }
    (s"${sys.props("java.home")} ${sys.props("java.vm.version")}" +: described).mkString("\n")
  }
}
