package io.holdfast.suites

import java.io.FileNotFoundException
import java.nio.file.{Files, Path, Paths}

import scala.collection.mutable.ArrayBuffer

/** Writes the class files that go first on the class path: suites that use our classes, and our classes with counters.
  *
  * Arguments: folder of the suites' class files, folder to write to, our target, and how many class files, superclasses
  * and creations have to change.
  */
object Overlay {
  private val Spark = "org/apache/spark/scheduler"
  private val Status = "io/holdfast/session/Status"
  private val Replaced = Seq("TaskSchedulerImpl" -> "HoldfastScheduler", "TaskSetManager" -> "HoldfastTaskSetManager")

  def main(args: Array[String]): Unit = {
    val (classes, out, target) = (Paths.get(args(0)), Paths.get(args(1)), args(2))
    val expected = Retarget.Counts(args(3).toInt, args(4).toInt, args(5).toInt)
    val names = Replaced.map { case (stock, ours) => s"$Spark/$stock" -> s"$Spark/holdfast/$target/$ours" }
    Folders.delete(out)
    names.foreach { case (stock, ours) => write(out, ours, Instrument(resource(ours), resource(stock))) }
    write(out, Status, Instrument.status(resource(Status)))
    val counts = retarget(classes, out, new Retarget(names.toMap))
    if (counts != expected) {
      System.err.println(
        s"Spark's suites have changed: $expected were expected to use our classes, and these do: $counts"
      )
      System.exit(1)
    }
  }

  private def retarget(classes: Path, out: Path, retarget: Retarget): Retarget.Counts = {
    Folders.files(classes).filter(_.toString.endsWith(".class")).foreach { file =>
      val name = classes.relativize(file).toString.stripSuffix(".class")
      retarget(Files.readAllBytes(file)).foreach(write(out, name, _))
    }
    retarget.counts
  }

  private def resource(name: String): Array[Byte] = {
    val stream = getClass.getResourceAsStream(s"/$name.class")
    if (stream == null) throw new FileNotFoundException(s"$name.class is not on the class path")
    try stream.readAllBytes()
    finally stream.close()
  }

  private def write(out: Path, name: String, classFile: Array[Byte]): Unit = {
    val file = out.resolve(s"$name.class")
    Files.createDirectories(file.getParent)
    Files.write(file, classFile)
  }
}

private[suites] object Folders {

  /** All files below a folder, in order; none if it does not exist. */
  def files(folder: Path): Seq[Path] = all(folder).filter(Files.isRegularFile(_))

  def delete(folder: Path): Unit = all(folder).reverse.foreach(Files.delete)

  private def all(folder: Path): Seq[Path] = {
    val found = ArrayBuffer.empty[Path]
    if (Files.exists(folder)) {
      val paths = Files.walk(folder)
      try paths.sorted().forEach(path => found += path)
      finally paths.close()
    }
    found.toList
  }
}
