package io.holdfast.integration

import java.io.File
import java.nio.file.{Files, Path, Paths}
import java.util.Comparator
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

/** Starts JVMs and ends them. Each has a pipe as its standard input; a cell ends when that breaks, so that none survives the
  * runner, however it ended.
  */
object CellProcess {

  /** A hang guard, far above the longest cell. */
  private val LimitS = 600L
  private val Driver = "-Xmx1g"

  /** Runs a cell; answers its result or what went wrong. */
  def run(spec: CellSpec, holdfastJar: Option[Path]): Either[String, Result] = {
    val folder = Paths.get(spec.folder)
    delete(folder)
    val jar = if (spec.setting == Result.Holdfast) holdfastJar else None
    if (spec.setting == Result.Holdfast && jar.isEmpty) Left("no jar of Holdfast: give --holdfast-jar=FILE")
    else
      startJava(folder, jar, Cell.getClass.getName.stripSuffix("$"), Seq(Json.write(spec))).map { _ =>
        val result = Json.load[Result](folder.resolve("result.json"))
        Seq("local", "measured", "warm-up", "spark-home").foreach(name => delete(folder.resolve(name)))
        result
      }
  }

  /** Generates the inputs that are missing. */
  def generate(inputs: Path, names: Seq[String], folder: Path): Either[String, Unit] =
    startJava(folder, None, Inputs.getClass.getName.stripSuffix("$"), inputs.toString +: names)

  private def startJava(
      folder: Path,
      jar: Option[Path],
      mainClass: String,
      arguments: Seq[String]
  ): Either[String, Unit] = {
    val home = Files.createDirectories(folder.resolve("spark-home/jars")).getParent
    val console = folder.resolve("console.log")
    val classPath = (sys.props("java.class.path") +: jar.map(_.toString).toSeq).mkString(File.pathSeparator)
    val command = Seq(
      ProcessHandle.current().info().command().get(),
      Driver,
      s"-Dholdfast.cell.log=${folder.resolve("spark.log")}",
      "-Dlog4j2.configurationFile=io/holdfast/integration/cell-log4j2.properties"
    ) ++ moduleOptions ++
      Seq("-cp", classPath, mainClass) ++ arguments
    val builder = new ProcessBuilder(command.asJava)
      .redirectErrorStream(true)
      .redirectOutput(console.toFile)
      .directory(folder.toFile)
    builder
      .environment()
      .putAll(
        Map(
          "SPARK_HOME" -> home.toString,
          "SPARK_SCALA_VERSION" -> "2.13",
          "SPARK_LOCAL_IP" -> "127.0.0.1",
          "SPARK_LOCAL_HOSTNAME" -> "localhost"
        ).asJava
      )
    val process = builder.start()
    val ended = Children.whileRegistered(process)(process.waitFor(LimitS, TimeUnit.SECONDS))
    if (!ended) Left(s"no end after $LimitS s; see ${folder.resolve("spark.log")}")
    else if (process.exitValue() != 0)
      Left(s"exit code ${process.exitValue()}: ${tail(console)} (Spark's log: ${folder.resolve("spark.log")})")
    else Right(())
  }

  /** Spark on Java 17 needs `--add-opens`; the build has the list. */
  private def moduleOptions: Seq[String] =
    sys.props.getOrElse("holdfast.cell.jvm.args", "").split(' ').toSeq.filter(_.nonEmpty)

  private def tail(file: Path): String =
    Files.readAllLines(file).asScala.toSeq.filterNot(_.startsWith("\tat ")).takeRight(8).mkString("\n")

  private def delete(path: Path): Unit =
    if (Files.exists(path)) {
      val paths = Files.walk(path)
      try paths.sorted(Comparator.reverseOrder[Path]()).iterator().asScala.foreach(Files.delete)
      finally paths.close()
    }
}

/** The runner's children; a shutdown hook ends those that still run, with their own children. */
object Children {
  private var running = Set.empty[Process]

  Runtime.getRuntime.addShutdownHook(new Thread(() => synchronized(running).foreach(end), "end-children"))

  def whileRegistered[A](process: Process)(body: => A): A = {
    synchronized { running += process }
    try body
    finally {
      end(process)
      synchronized { running -= process }
    }
  }

  private def end(process: Process): Unit = if (process.isAlive) {
    val family = process.descendants().iterator().asScala.toSeq
    process.destroy()
    if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly()
    family.filter(_.isAlive).foreach(_.destroyForcibly())
  }
}
