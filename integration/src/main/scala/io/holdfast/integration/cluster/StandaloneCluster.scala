package io.holdfast.integration.cluster

import java.nio.file.Path

import com.fasterxml.jackson.annotation.JsonInclude
import com.fasterxml.jackson.annotation.JsonInclude.Include
import io.holdfast.integration.{ChildJvm, Children}

/** A standalone master and its workers on this machine, each a process with a host address of its own, so that to Spark they are
  * different hosts. They end with [[close]], and with this JVM, however that ends.
  *
  * @param url for `spark.master`
  */
final class StandaloneCluster private (val url: String, shape: Shape, processes: Seq[Process]) extends Cluster {

  /** With these keys an application gets the shape's executors. */
  def conf: Map[String, String] = conf(shape)

  /** With these keys it gets so much of them. */
  def conf(taken: Shape): Map[String, String] =
    StandaloneCluster.conf(url, taken) + ("spark.driver.host" -> ChildJvm.Local)

  override def target(mode: String): Target =
    if (mode == "client") Target(url, conf - "spark.master")
    else
      Target(url, conf - "spark.master" - "spark.driver.host" + ("spark.standalone.submit.waitAppCompletion" -> "true"))

  /** The processes, the master first. */
  def pids: Seq[Long] = processes.map(_.pid)

  /** Ends the workers with their executors, then the master. */
  override def close(): Unit = processes.reverse.foreach(Children.end)
}

/** What a cluster offers an application.
  *
  * @param slots of each executor
  * @param memoryMb of each executor's heap
  * @param local whether they are executors of a `local-cluster` master instead, all with one host address
  */
final case class Shape(
    workers: Int,
    executorsPerWorker: Int,
    slots: Int,
    memoryMb: Int,
    @JsonInclude(Include.NON_DEFAULT) local: Boolean = false
) {
  require(workers > 0 && workers <= 250, s"workers is $workers; give 1 to 250 (each has an address 127.0.0.x)")
  require(
    executorsPerWorker > 0 && slots > 0 && memoryMb > 0,
    s"executorsPerWorker is $executorsPerWorker, slots $slots, memoryMb $memoryMb; give 1 or more"
  )

  def executors: Int = workers * executorsPerWorker

  /** Half of the executors, each as large. */
  def half: Shape = {
    require(
      executors % 2 == 0,
      s"$executors executors cannot be halved; give an even number of workers or of executors"
    )
    if (workers % 2 == 0) copy(workers = workers / 2) else copy(executorsPerWorker = executorsPerWorker / 2)
  }

  /** The `local-cluster` master of this shape. */
  def localMaster: String = s"local-cluster[$executors,$slots,$memoryMb]"
}

object StandaloneCluster {

  /** With these keys an application gets the shape's executors from any master that has enough. */
  def conf(url: String, shape: Shape): Map[String, String] = Map(
    "spark.master" -> url,
    "spark.executor.cores" -> shape.slots.toString,
    "spark.executor.instances" -> shape.executors.toString,
    "spark.executor.memory" -> s"${shape.memoryMb}m",
    "spark.cores.max" -> (shape.executors * shape.slots).toString,
    "spark.scheduler.minRegisteredResourcesRatio" -> "1.0"
  )

  /** A daemon needs little; what executors get is not part of it. */
  private val Heap = "-Xmx256m"
  private val StartS = 60

  /** Another program may take the free port before the master does. */
  private val Attempts = 3

  /** Where the first worker lives; the master is at [[ChildJvm.Local]]. */
  private val FirstHost = 2

  /** Starts them; the master answers when this returns, workers come as they come.
    *
    * @param folder their own: logs, and what executors write
    * @param sparkJars Spark's, for executors that do not get their driver's class path
    * @param home a Spark installation that they are of; else they are of the Spark on this JVM's class path
    * @param spare workers beyond the shape's, for drivers
    * @throws java.lang.IllegalStateException with the last words of a master that does not start
    */
  def start(
      shape: Shape,
      folder: Path,
      sparkJars: Seq[Path] = Nil,
      home: Option[SparkHome] = None,
      spare: Int = 0
  ): StandaloneCluster = {
    val classPath = home.map(_.classPath)
    val (url, master) = startMaster(folder, classPath, Attempts)
    val jars = home.fold(sparkJars)(_.jars)
    val workers = (0 until shape.workers + spare).map { i =>
      startWorker(shape, s"127.0.0.${FirstHost + i}", url, daemon(folder, _, _, classPath).copy(sparkJars = jars))
    }
    new StandaloneCluster(url, shape, master +: workers)
  }

  private def startMaster(folder: Path, classPath: Option[String], attempts: Int): (String, Process) = {
    val port = Ports.free()
    val jvm = daemon(folder, "master", ChildJvm.Local, classPath)
    // With more tries of its own it would answer at a port that nobody knows; its REST server has the same port in every master.
    val master = jvm
      .copy(options = jvm.options ++ Seq("-Dspark.port.maxRetries=0", "-Dspark.master.rest.enabled=false"))
      .start(
        Daemon.Name,
        Seq(s"$Deploy.master.Master", "--host", ChildJvm.Local, "--port", s"$port", "--webui-port", "0")
      )
    val until = System.nanoTime() + StartS * 1000000000L
    while (master.isAlive && !Ports.answers(port) && System.nanoTime() < until) Thread.sleep(50)
    if (master.isAlive && Ports.answers(port)) (s"spark://${ChildJvm.Local}:$port", master)
    else {
      Children.end(master)
      if (attempts > 1) startMaster(folder, classPath, attempts - 1)
      else throw new IllegalStateException(s"the standalone master does not start: ${jvm.lastWords}")
    }
  }

  private def startWorker(shape: Shape, host: String, url: String, jvm: (String, String) => ChildJvm): Process = {
    val cores = shape.executorsPerWorker * shape.slots
    val memory = shape.executorsPerWorker * shape.memoryMb
    val own = jvm(s"worker-$host", host)
    val work = own.folder.resolve("work").toString
    val offer = Seq("--cores", s"$cores", "--memory", s"${memory}m", "--work-dir", work)
    own.start(Daemon.Name, Seq(s"$Deploy.worker.Worker", "--host", host, "--webui-port", "0") ++ offer :+ url)
  }

  private def daemon(folder: Path, name: String, host: String, classPath: Option[String]) =
    ChildJvm(folder.resolve(name), ChildJvm.Logging, Heap +: ChildJvm.QuietJvm, host = host, classPath = classPath)

  private val Deploy = "org.apache.spark.deploy"
}
