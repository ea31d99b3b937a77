package io.holdfast.integration.cluster

import java.net.{InetSocketAddress, ServerSocket, Socket}
import java.nio.file.Path

import scala.util.{Try, Using}

import io.holdfast.integration.{ChildJvm, Children, SparkKeys}

/** A standalone master and its workers on this machine, each a process with a host address of its own, so that to Spark they are
  * different hosts. They end with [[close]], and with this JVM, however that ends.
  *
  * @param url for `spark.master`
  */
final class StandaloneCluster private (val url: String, shape: Shape, processes: Seq[Process]) extends AutoCloseable {

  /** With these keys an application gets the shape's executors. */
  def conf: Map[String, String] = StandaloneCluster.conf(url, shape) + ("spark.driver.host" -> ChildJvm.Local)

  /** The processes, the master first. */
  def pids: Seq[Long] = processes.map(_.pid)

  /** Ends the workers with their executors, then the master. */
  override def close(): Unit = processes.reverse.foreach(Children.end)
}

/** What a cluster offers an application.
  *
  * @param slots of each executor
  * @param memoryMb of each executor's heap
  */
final case class Shape(workers: Int, executorsPerWorker: Int, slots: Int, memoryMb: Int) {
  require(workers > 0 && workers <= 250, s"workers is $workers; give 1 to 250 (each has an address 127.0.0.x)")
  require(
    executorsPerWorker > 0 && slots > 0 && memoryMb > 0,
    s"executorsPerWorker is $executorsPerWorker, slots $slots, memoryMb $memoryMb; give 1 or more"
  )

  def executors: Int = workers * executorsPerWorker
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

  private val Logging = "io/holdfast/integration/cell-log4j2.properties"

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
    * @throws java.lang.IllegalStateException with the last words of a master that does not start
    */
  def start(shape: Shape, folder: Path, sparkJars: Seq[Path] = Nil): StandaloneCluster = {
    val (url, master) = startMaster(folder, Attempts)
    val workers = (0 until shape.workers).map { i =>
      startWorker(shape, folder, s"127.0.0.${FirstHost + i}", url, sparkJars)
    }
    new StandaloneCluster(url, shape, master +: workers)
  }

  private def startMaster(folder: Path, attempts: Int): (String, Process) = {
    val port = freePort()
    val jvm = daemon(folder.resolve("master"), ChildJvm.Local)
    // With more tries of its own it would answer at a port that nobody knows; its REST server has the same port in every master.
    val master = jvm
      .copy(options = jvm.options ++ Seq("-Dspark.port.maxRetries=0", "-Dspark.master.rest.enabled=false"))
      .start(Daemon, Seq("master.Master", "--host", ChildJvm.Local, "--port", s"$port", "--webui-port", "0"))
    val until = System.nanoTime() + StartS * 1000000000L
    while (master.isAlive && !answers(port) && System.nanoTime() < until) Thread.sleep(50)
    if (master.isAlive && answers(port)) (s"spark://${ChildJvm.Local}:$port", master)
    else {
      Children.end(master)
      if (attempts > 1) startMaster(folder, attempts - 1)
      else throw new IllegalStateException(s"the standalone master does not start: ${jvm.lastWords}")
    }
  }

  private def startWorker(shape: Shape, folder: Path, host: String, url: String, sparkJars: Seq[Path]): Process = {
    val own = folder.resolve(s"worker-$host")
    val cores = shape.executorsPerWorker * shape.slots
    val memory = shape.executorsPerWorker * shape.memoryMb
    val offer = Seq("--cores", s"$cores", "--memory", s"${memory}m", "--work-dir", own.resolve("work").toString)
    daemon(own, host)
      .copy(sparkJars = sparkJars)
      .start(Daemon, Seq("worker.Worker", "--host", host, "--webui-port", "0") ++ offer :+ url)
  }

  private def daemon(folder: Path, host: String) =
    ChildJvm(folder, Logging, Heap +: SparkKeys.QuietJvm, host = host)

  private val Daemon = "io.holdfast.integration.cluster.Daemon"

  private def freePort(): Int = Using.resource(new ServerSocket(0))(_.getLocalPort)

  private def answers(port: Int): Boolean = Using.resource(new Socket) { socket =>
    Try(socket.connect(new InetSocketAddress(ChildJvm.Local, port), 100)).isSuccess
  }
}

/** Runs one of Spark's daemons for as long as the JVM that started this one lives. */
object Daemon {

  /** The class in `org.apache.spark.deploy`, and its arguments. */
  def main(args: Array[String]): Unit = ChildJvm.main {
    Class
      .forName(s"org.apache.spark.deploy.${args.head}")
      .getMethod("main", classOf[Array[String]])
      .invoke(null, args.tail)
  }
}
