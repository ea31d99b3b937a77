package io.holdfast.integration.scenarios

import java.io.File
import java.net.URLClassLoader
import java.nio.file.{Files, Path, Paths}
import java.util.jar.{JarEntry, JarFile, JarOutputStream}

import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

import org.apache.spark.{SparkConf, SparkContext}

/** A driver's class path with just these jars beside Spark: a class loader of its own, in which nothing is shared with this
  * JVM's Spark and Holdfast.
  */
object Isolated {
  private val PluginFile = "io/holdfast/HoldfastPlugin.class"

  /** This JVM's class path without Holdfast. */
  private lazy val spark: Seq[Path] =
    sys.props("java.class.path").split(File.pathSeparator).toSeq.map(Paths.get(_)).filter(Files.exists(_)).filterNot {
      entry =>
        if (Files.isDirectory(entry)) Files.exists(entry.resolve(PluginFile))
        else Using.resource(new JarFile(entry.toFile))(_.getEntry(PluginFile) != null)
    }

  /** The jar that the build made. */
  lazy val jar: Path =
    sys.props("java.class.path").split(File.pathSeparator).map(Paths.get(_)).find(_.endsWith("holdfast-spark.jar")).get

  /** The jars of Spark and of what it needs. */
  lazy val sparkJars: Seq[Path] = spark.filter(_.toString.endsWith(".jar"))

  /** A copy of the jar at `to`; `edit` answers an entry's new bytes, or none for an entry to leave out. */
  def copy(to: Path)(edit: (String, Array[Byte]) => Option[Array[Byte]]): Path = {
    Using.resources(new JarFile(jar.toFile), new JarOutputStream(Files.newOutputStream(to))) { (in, out) =>
      in.entries.asScala.filterNot(_.isDirectory).foreach { entry =>
        edit(entry.getName, in.getInputStream(entry).readAllBytes()).foreach { bytes =>
          out.putNextEntry(new JarEntry(entry.getName))
          out.write(bytes)
        }
      }
    }
    to
  }

  /** What came of a start.
    *
    * @param reason why Holdfast is off, as its status says; empty where it is on or not there
    */
  final case class Outcome(scheduler: String, master: String, sum: String, reason: String, warnings: Seq[String])

  /** Starts `local[2]` with these in front of Spark's class path, runs a job, and stops. */
  def start(first: Seq[Path], conf: (String, String)*): Outcome = {
    val urls = (first ++ spark).map(_.toUri.toURL).toArray
    // Never closed: hooks of what ran in there load classes when this JVM ends.
    val loader = new URLClassLoader("a driver", urls, ClassLoader.getPlatformClassLoader)
    val thread = Thread.currentThread
    val before = thread.getContextClassLoader
    thread.setContextClassLoader(loader)
    try {
      val program = loader.loadClass(classOf[IsolatedProgram].getName)
      val keys = conf.map { case (key, value) => s"$key=$value" }.toArray
      val run = program.getMethod("run", classOf[Array[String]])
      val said = run.invoke(program.getDeclaredConstructor().newInstance(), keys).asInstanceOf[Array[String]].toSeq
      Outcome(said.head, said(1), said(2), said(3), said.drop(4))
    } finally thread.setContextClassLoader(before)
  }
}

/** What runs in there. */
class IsolatedProgram {
  def run(keys: Array[String]): Array[String] = {
    val (result, warnings) = Warnings.during {
      val conf = new SparkConf(false).setMaster("local[2]").setAppName("isolated").set("spark.ui.enabled", "false")
      keys.map(_.split("=", 2)).foreach(pair => conf.set(pair(0), pair(1)))
      val sc = new SparkContext(conf)
      try {
        val sum = sc.parallelize(1 to 10, 4).map(i => (i % 2, i)).reduceByKey(_ + _).values.sum()
        Array(Internals.schedulerClass(sc), sc.master, sum.toString, reason)
      } finally sc.stop()
    }
    result ++ warnings
  }

  private def reason: String =
    Try(Class.forName("io.holdfast.Holdfast").getMethod("status").invoke(null).asInstanceOf[String]).toOption
      .flatMap(status => Option(io.holdfast.integration.Json.tree(status).get("reason")).map(_.asText))
      .getOrElse("")
}
