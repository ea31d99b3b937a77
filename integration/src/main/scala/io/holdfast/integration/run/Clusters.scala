package io.holdfast.integration.run

import io.holdfast.integration.cluster.{Shape, StandaloneCluster}

/** Where experiments run: a master of the user's, or one of ours at a time. Experiments of one shape that follow each other share a
  * cluster, but never executors: each Spark has its own.
  */
final class Clusters(asked: Asked) extends AutoCloseable {
  private var running: Option[(Shape, StandaloneCluster)] = None
  private var started = 0

  /** A cluster of this shape: keys with which a Spark gets so much of it. */
  def of(shape: Shape): Shape => Map[String, String] = asked.master match {
    case Some(url) => users(url, _)
    case None if shape.local => taken => Map("spark.master" -> taken.localMaster)
    case None =>
      val own = ours(shape)
      own.conf(_)
  }

  /** Its executors have a Spark of their own; what else they need comes from the driver. */
  private def users(url: String, shape: Shape) = {
    val jars = Seq(asked.ownJar, asked.holdfastJar).mkString(",")
    StandaloneCluster.conf(url, shape) ++ Map("spark.jars" -> jars, "spark.executor.extraClassPath" -> "")
  }

  private def ours(shape: Shape): StandaloneCluster =
    running.collect { case (`shape`, cluster) => cluster }.getOrElse {
      close()
      started += 1
      val cluster = StandaloneCluster.start(shape, asked.cells.resolve(s"cluster-$started"))
      running = Some(shape -> cluster)
      cluster
    }

  override def close(): Unit = {
    running.foreach(_._2.close())
    running = None
  }
}
