package io.holdfast.integration

import java.io.File
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.commons.io.FileUtils
import org.apache.spark.launcher.JavaModuleOptions

/** A JVM, with this JVM's class path unless it gets another, which ends when this one does, however that ends.
  *
  * @param folder its own; what an earlier run left there is deleted
  * @param log4j resource with its logging; `${sys:holdfast.cell.log}` in it is a file in the folder
  * @param options of the JVM
  * @param jars further entries of its class path
  * @param host its address, of this machine; empty: whichever the machine has
  * @param sparkJars what its SPARK_HOME has, for executors that it starts
  * @param classPath instead of this JVM's
  * @param environment further variables
  */
final case class ChildJvm(
    folder: Path,
    log4j: String,
    options: Seq[String],
    jars: Seq[Path] = Nil,
    host: String = ChildJvm.Local,
    sparkJars: Seq[Path] = Nil,
    classPath: Option[String] = None,
    environment: Map[String, String] = Map.empty
) {
  private val sparkLog = folder.resolve("spark.log")
  private val console = folder.resolve("console.log")

  /** Runs a main class to its end; answers what went wrong, if anything.
    *
    * @param limitS a hang guard, in seconds
    */
  def run(mainClass: String, arguments: Seq[String], limitS: Long): Either[String, Unit] = {
    val process = start(mainClass, arguments)
    val ended =
      try process.waitFor(limitS, TimeUnit.SECONDS)
      finally Children.end(process)
    Children.stayWhileEnding()
    if (!ended) Left(s"no end after $limitS s; see $sparkLog")
    else if (process.exitValue() != 0) Left(s"exit code ${process.exitValue()}: $lastWords (Spark's log: $sparkLog)")
    else Right(())
  }

  /** Starts a main class, which calls [[ChildJvm.main]]. */
  def start(mainClass: String, arguments: Seq[String]): Process = {
    FileUtils.deleteDirectory(folder.toFile)
    // Spark's launcher wants SPARK_HOME/jars to exist. Executors of local-cluster get the driver's class path: it stays empty.
    val home = folder.resolve(ChildJvm.SparkHome)
    val itsJars = Files.createDirectories(home.resolve("jars"))
    sparkJars.foreach(jar => Files.createSymbolicLink(itsJars.resolve(jar.getFileName), jar))
    val builder = new ProcessBuilder((java ++ Seq(mainClass) ++ arguments).asJava)
      .redirectErrorStream(true)
      .redirectOutput(console.toFile)
      .directory(folder.toFile)
    builder.environment().putAll((ChildJvm.environment(host) + ("SPARK_HOME" -> home.toString) ++ environment).asJava)
    Children.start(builder)
  }

  /** The end of what it has printed. */
  def lastWords: String =
    // Whatever its bytes are: the words matter.
    new String(Files.readAllBytes(console), UTF_8).linesIterator
      .filterNot(_.startsWith("\tat "))
      .toSeq
      .takeRight(8)
      .mkString("\n")

  private def java: Seq[String] =
    (ProcessHandle.current().info().command().get() +: options) ++
      JavaModuleOptions.defaultModuleOptions().split(" ") ++
      Seq(
        s"-Dholdfast.cell.log=$sparkLog",
        s"-Dlog4j2.configurationFile=$log4j",
        "-cp",
        (classPath.getOrElse(sys.props("java.class.path")) +: jars.map(_.toString)).mkString(File.pathSeparator)
      )
}

object ChildJvm {
  val Local = "127.0.0.1"

  /** Options of a cell's JVMs: with five of them on few cores, the threads of compiler and collector would otherwise be what is
    * measured.
    */
  val QuietJvm: Seq[String] = Seq("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")

  /** What drivers and daemons log. */
  val Logging = "io/holdfast/integration/cell-log4j2.properties"

  /** Folder of a child that serves as SPARK_HOME. */
  val SparkHome = "spark-home"

  private def environment(host: String) = {
    val address: Map[String, String] =
      if (host.isEmpty) Map.empty
      else Map("SPARK_LOCAL_IP" -> host, "SPARK_LOCAL_HOSTNAME" -> (if (host == Local) "localhost" else host))
    address + ("SPARK_SCALA_VERSION" -> "2.13") // or Spark's launcher looks for a build directory
  }

  /** What a child's main method does: ends when the parent does, exits with 1 if `body` fails. */
  def main(body: => Unit): Unit = {
    endWithParent()
    val code =
      try { body; 0 }
      catch { case e: Throwable => e.printStackTrace(); 1 }
    System.exit(code)
  }

  /** A child's standard input is a pipe that breaks when the parent ends. */
  private def endWithParent(): Unit = {
    val watcher = new Thread(
      () => {
        while (System.in.read() >= 0) {}
        System.exit(3)
      },
      "parent-watcher"
    )
    watcher.setDaemon(true)
    watcher.start()
  }
}

/** This JVM's children; a shutdown hook ends those that still run, with their own children. */
private[integration] object Children {
  private var running = Set.empty[Process]
  @volatile private var ending = false

  Runtime.getRuntime.addShutdownHook(
    new Thread(() => { ending = true; synchronized(running).foreach(end) }, "end-children")
  )

  /** While the hook ends all of them this does not return: whoever waited for one would say that it failed, and begin the next. */
  def stayWhileEnding(): Unit = if (ending) Thread.sleep(Long.MaxValue)

  def start(builder: ProcessBuilder): Process = synchronized {
    val process = builder.start()
    running += process
    process
  }

  /** Ends one, and its own children. */
  def end(process: Process): Unit = {
    if (process.isAlive) {
      val family = process.descendants().iterator().asScala.toSeq
      process.destroy()
      if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly()
      family.filter(_.isAlive).foreach(_.destroyForcibly())
    }
    synchronized { running -= process }
  }
}
