package io.holdfast.integration.run

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.holdfast.integration.cluster.SparkHome
import io.holdfast.integration.plan.Experiment
import io.holdfast.integration.programs.dashboards.{ServerKind, ServerSpec}

/** What the Sparks of an experiment with a server are started with.
  *
  * @param home the Spark that has the server
  */
final case class Served(spec: ServerSpec, home: SparkHome) {
  private val kind = ServerKind.named(spec.kind)

  def classPath: String = home.classPath

  /** By its class Holdfast knows a server from a JVM's command line, as from that of `spark-submit`. */
  def arguments: Seq[String] = kind.mainClass.toSeq

  /** Each thread of a PySpark program has a thread of the driver to itself, with its local properties: PySpark's default. */
  def environment: Map[String, String] = Map("PYSPARK_PIN_THREAD" -> "true")

  /** What Holdfast adds: under a server a client can choose its pool, so there the administrator names users. */
  def holdfast: Map[String, String] = if (kind.mainClass.isEmpty) SparkKeys.holdfast else SparkKeys.holdfastOfUsers
}

object Served {

  /** @throws java.lang.IllegalArgumentException if there is no Python with PySpark for it */
  def of(experiment: Experiment, asked: Asked): Option[Served] = experiment.server.map { name =>
    val known = for (python <- asked.python; users <- asked.users) yield {
      val spec = ServerSpec(name, python.resolve("bin/python").toString, users.toString)
      Served(spec, SparkHome(pyspark(python)))
    }
    known.getOrElse(
      throw new IllegalArgumentException(
        s"the server '$name' needs --python and --users; ./gradlew dashboards gives both"
      )
    )
  }

  private def pyspark(python: Path): Path = {
    val versions = Using.resource(Files.list(python.resolve("lib")))(_.iterator.asScala.toSeq)
    versions
      .map(_.resolve("site-packages/pyspark"))
      .find(Files.isDirectory(_))
      .getOrElse(throw new IllegalArgumentException(s"$python has no pyspark"))
  }
}
