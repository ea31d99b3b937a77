package io.holdfast.integration.cluster

import java.io.File
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.holdfast.integration.{ChildJvm, Children}

/** A Spark installation: `bin` and `jars`. */
final case class SparkHome(folder: Path) {
  private val JarsFolder = folder.resolve("jars")
  require(Files.isDirectory(JarsFolder), s"$folder is no Spark installation: it has no folder jars")

  def jars: Seq[Path] = Using.resource(Files.list(JarsFolder))(_.iterator.asScala.toSeq.sorted)

  /** For a daemon of this Spark. */
  def classPath: String = (s"$JarsFolder/*" +: Daemon.classPath).mkString(File.pathSeparator)
}

/** Where `spark-submit` sends an application.
  *
  * @param conf what an application needs there, in the deploy mode that is asked for
  * @param environment of spark-submit
  */
final case class Target(master: String, conf: Map[String, String], environment: Map[String, String] = Map.empty)

/** A cluster that `spark-submit` can be pointed at. */
trait Cluster extends AutoCloseable {

  /** @param mode client or cluster */
  def target(mode: String): Target
}

/** Runs an installation's own script, as people do.
  *
  * @param folder its own: its console goes there
  */
final case class SparkSubmit(home: SparkHome, folder: Path, target: Target, mode: String) {
  private val console = folder.resolve("submit.log")

  /** Submits a main class of a jar.
    *
    * @param jars of `--jars`
    */
  def start(
      mainClass: String,
      jar: String,
      jars: Seq[String],
      conf: Map[String, String],
      args: Seq[String]
  ): Process = {
    val emptyConf = Files.createDirectories(folder.resolve("conf"))
    val all = (target.conf ++ conf).toSeq.sorted.flatMap { case (key, value) => Seq("--conf", s"$key=$value") }
    val command =
      Seq(home.folder.resolve("bin/spark-submit").toString, "--master", target.master, "--deploy-mode", mode) ++
        Seq("--class", mainClass, "--jars", jars.mkString(",")) ++ all ++ Seq(jar) ++ args
    val builder = new ProcessBuilder(command.asJava)
      .directory(folder.toFile)
      .redirectErrorStream(true)
      .redirectOutput(console.toFile)
    val own = Map(
      "SPARK_HOME" -> home.folder.toString,
      "SPARK_CONF_DIR" -> emptyConf.toString,
      "SPARK_LOCAL_IP" -> ChildJvm.Local,
      "JAVA_HOME" -> sys.props("java.home")
    )
    // Whatever this JVM was given for its own Spark is not for that one.
    Seq("SPARK_SCALA_VERSION", "SPARK_LOCAL_HOSTNAME", "HADOOP_CONF_DIR").foreach(builder.environment().remove)
    builder.environment().putAll((own ++ target.environment).asJava)
    Children.start(builder)
  }

  /** Waits for its end and answers the exit code.
    *
    * @param limitS a hang guard, in seconds
    */
  def waitFor(process: Process, limitS: Long): Int =
    try if (process.waitFor(limitS, TimeUnit.SECONDS)) process.exitValue() else -1
    finally Children.end(process)

  /** The end of what it and a driver in client mode have printed. */
  def lastWords: String = Files.readString(console).linesIterator.toSeq.takeRight(SparkSubmit.Words).mkString("\n")
}

object SparkSubmit {
  private val Words = 40
}
