package io.holdfast.integration.run

import io.holdfast.integration.cluster.{Shape, StandaloneCluster}

/** Where experiments run: a master of the user's, or one of ours at a time. Experiments of one shape that follow each other share a
  * cluster, but never executors: each Spark has its own.
  */
final class Clusters(asked: Asked) extends AutoCloseable {
  private var running: Option[(Shape, StandaloneCluster)] = None
  private var started = 0

  /** Keys with which a Spark gets this shape's executors. */
  def of(shape: Shape): Map[String, String] = asked.master match {
    case Some(url) => users(url, shape)
    case None if shape.local => Map("spark.master" -> shape.localMaster)
    case None => ours(shape)
  }

  /** Its executors have a Spark of their own; what else they need comes from the driver. */
  private def users(url: String, shape: Shape) = {
    val jars = Seq(asked.ownJar, asked.holdfastJar).mkString(",")
    StandaloneCluster.conf(url, shape) ++ Map("spark.jars" -> jars, "spark.executor.extraClassPath" -> "")
  }

  private def ours(shape: Shape) = {
    if (!running.exists(_._1 == shape)) {
      close()
      started += 1
      running = Some(shape -> StandaloneCluster.start(shape, asked.cells.resolve(s"cluster-$started")))
    }
    running.fold(Map.empty[String, String])(_._2.conf)
  }

  override def close(): Unit = {
    running.foreach(_._2.close())
    running = None
  }
}
