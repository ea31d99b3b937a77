package io.holdfast.integration.cluster

import java.nio.file.{Files, Path}

import io.holdfast.integration.{ChildJvm, Children}

/** A mock of Kubernetes' API server, and a loop that runs each pod's process on this machine: it shows that Spark's own backend
  * gets what it asks for, not authentication, images or scheduling. Both live in one process, and pods end with it.
  */
final class KubernetesMock private (url: String, process: Process, shape: Shape) extends Cluster {

  override def target(mode: String): Target = {
    val conf = Map(
      "spark.kubernetes.container.image" -> "none:1",
      "spark.kubernetes.namespace" -> "default",
      "spark.kubernetes.allocation.batch.delay" -> "200ms",
      "spark.driver.host" -> ChildJvm.Local
    )
    // In a cluster this is the API server's name inside it; a driver gets its own host by its service's name.
    val own = if (mode == "client") conf else conf - "spark.driver.host" + ("spark.kubernetes.driver.master" -> url)
    val executors = StandaloneCluster.conf(url, shape) - "spark.master" - "spark.cores.max"
    Target(s"k8s://$url", executors ++ own, Map("KUBECONFIG" -> "/dev/null"))
  }

  override def close(): Unit = Children.end(process)
}

object KubernetesMock {
  private val Main = "io.holdfast.integration.kubernetes.MockCluster"
  private val Pods = "pods"
  private val StartS = 300

  /** Starts it; the API server answers when this returns.
    *
    * @param folder its own
    * @param classPath of the mock, with [[Main]]
    * @param home what pods find in their image
    */
  def start(shape: Shape, folder: Path, classPath: String, home: SparkHome): KubernetesMock = {
    val jvm = ChildJvm(
      folder.resolve("mock"),
      ChildJvm.Logging,
      "-Xmx256m" +: ChildJvm.QuietJvm,
      classPath = Some((classPath +: Daemon.classPath).mkString(java.io.File.pathSeparator))
    )
    val (pods, told) = (Files.createDirectories(folder.resolve(Pods)), folder.resolve("url"))
    val process = jvm.start(Main, Seq(pods, told, home.folder).map(_.toString))
    val until = System.nanoTime() + StartS * 1000000000L
    while (process.isAlive && !Files.exists(told) && System.nanoTime() < until) Thread.sleep(100)
    if (Files.exists(told)) new KubernetesMock(Files.readString(told), process, shape)
    else {
      Children.end(process)
      throw new IllegalStateException(s"the mock of Kubernetes does not start: ${jvm.lastWords}")
    }
  }
}
