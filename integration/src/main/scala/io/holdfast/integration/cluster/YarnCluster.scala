package io.holdfast.integration.cluster

import java.io.File
import java.net.URI
import java.net.http.{HttpClient, HttpRequest, HttpResponse}
import java.nio.file.{Files, Path}
import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.Try

import io.holdfast.integration.{ChildJvm, Children, Json}

/** YARN on this machine: a resource manager and node managers, each a JVM with a host address of its own and each in a rack of
  * its own. There is no HDFS: its file system is this machine's.
  *
  * @param shape of an application's executors; there is a node for each of its workers, and one for the application master
  */
final class YarnCluster private (shape: Shape, folder: Path, jars: Seq[Path], home: SparkHome) extends Cluster {
  import YarnCluster._

  private val hosts = (0 to shape.workers).map(i => s"127.0.0.${FirstHost + i}")
  private val config = new YarnConfig(folder, hosts, shape)
  private val managerJvm = daemon("resourcemanager", config.write(clientConf, Map.empty))
  private val manager = managerJvm.start(Daemon.Name, Seq(s"$Server.resourcemanager.ResourceManager"))
  private var nodes = hosts.map(host => host -> startNode(host)).toMap

  override def target(mode: String): Target = {
    val quiet = ChildJvm.QuietJvm.mkString(" ")
    val conf = Map(
      "spark.yarn.jars" -> s"local:${home.folder}/jars/*",
      "spark.yarn.stagingDir" -> folder.resolve("staging").toUri.toString,
      "spark.yarn.appMasterEnv.SPARK_LOCAL_IP" -> ChildJvm.Local,
      "spark.yarn.am.memory" -> "256m",
      "spark.yarn.am.memoryOverhead" -> "64m",
      "spark.yarn.am.extraJavaOptions" -> quiet,
      "spark.yarn.report.interval" -> "500",
      "spark.driver.memoryOverhead" -> "64m",
      "spark.executor.memoryOverhead" -> "64m"
    )
    val executors = StandaloneCluster.conf("yarn", shape) - "spark.master" - "spark.cores.max"
    Target("yarn", executors ++ conf, Map("HADOOP_CONF_DIR" -> clientConf.toString))
  }

  /** Ends a node as a machine ends: node manager and containers at once, without a word to anybody.
    *
    * @throws java.lang.IllegalArgumentException if an application master runs there
    */
  def crash(host: String): Unit = {
    val containers = nodes(host).descendants().iterator.asScala.toSeq
    val commands = containers.flatMap(child => Option(child.info().commandLine().orElse(null)))
    require(
      !commands.exists(c => c.contains("ApplicationMaster") || c.contains("ExecutorLauncher")),
      s"an application master runs on $host"
    )
    nodes(host).destroyForcibly()
    containers.foreach(_.destroyForcibly())
    Children.end(nodes(host))
    containers.foreach(_.onExit().get())
  }

  /** Starts a node again that has crashed. */
  def restart(host: String): Unit = {
    nodes += host -> startNode(host)
    awaitNodes()
  }

  /** Ends node managers with their containers, then the resource manager. */
  override def close(): Unit = (nodes.values.toSeq :+ manager).foreach(Children.end)

  private def startNode(host: String): Process = {
    val own = folder.resolve(s"nodemanager-$host")
    daemon(own.getFileName.toString, config.write(folder.resolve(s"conf-$host"), config.node(host, own)))
      .start(Daemon.Name, Seq(s"$Server.nodemanager.NodeManager"))
  }

  /** Whether all nodes are there. */
  private def awaitNodes(): Boolean = {
    val until = System.nanoTime() + StartS * 1000000000L
    while (manager.isAlive && config.running < nodes.size && System.nanoTime() < until) Thread.sleep(HeartbeatMs.toLong)
    config.running == nodes.size
  }

  private def daemon(name: String, conf: Path) = ChildJvm(
    folder.resolve(name),
    ChildJvm.Logging,
    s"-Dhadoop.home.dir=$folder" +: (Heap ++ ChildJvm.QuietJvm),
    classPath = Some((conf.toString +: (jars.map(_.toString) ++ Daemon.classPath)).mkString(File.pathSeparator)),
    environment = Map("HADOOP_CONF_DIR" -> conf.toString, "JAVA_HOME" -> sys.props("java.home"))
  )

  private def clientConf: Path = folder.resolve("conf")
}

object YarnCluster {
  private val Server = "org.apache.hadoop.yarn.server"
  private val Heap = Seq("-Xmx256m", "-Xss512k")
  private val StartS = 300
  private val Attempts = 3
  private val FirstHost = 2
  private val HeartbeatMs = 200
  private val ExpiryMs = 10000
  private val NodeMemoryMb = 4096

  /** A host of the same rack as a node's, where no node is. */
  def neighbour(host: String): String = host.replace("127.0.0.", "127.0.1.")

  /** Starts it; all nodes are there when this returns.
    *
    * @param folder its own: logs, and what containers write
    * @param jars Hadoop's, of daemons
    * @param home where applications find Spark
    * @throws java.lang.IllegalStateException with the last words of a resource manager that does not start
    */
  def start(shape: Shape, folder: Path, jars: Seq[Path], home: SparkHome, attempts: Int = Attempts): YarnCluster = {
    Files.createDirectories(folder.resolve("staging"))
    val cluster = new YarnCluster(shape, folder, jars, home)
    if (cluster.awaitNodes()) cluster
    else {
      cluster.close()
      // Another program may have taken one of its ports.
      if (attempts > 1) start(shape, folder, jars, home, attempts - 1)
      else throw new IllegalStateException(s"YARN does not start: ${cluster.managerJvm.lastWords}")
    }
  }

  /** What daemons and clients read. */
  private class YarnConfig(folder: Path, hosts: Seq[String], shape: Shape) {
    private val http = HttpClient.newHttpClient()
    private val ports = Seq("", "scheduler.", "resource-tracker.", "admin.", "webapp.").map(_ -> Ports.free()).toMap
    private val racks = folder.resolve("racks")

    private def addresses =
      ports.map { case (service, port) => s"yarn.resourcemanager.${service}address" -> s"${ChildJvm.Local}:$port" }

    private val yarn: Map[String, Any] = Map(
      "yarn.resourcemanager.hostname" -> ChildJvm.Local,
      "yarn.resourcemanager.am.max-attempts" -> 1,
      "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms" -> HeartbeatMs,
      "yarn.nm.liveness-monitor.expiry-interval-ms" -> ExpiryMs,
      "yarn.scheduler.minimum-allocation-mb" -> 64,
      "yarn.scheduler.maximum-allocation-mb" -> NodeMemoryMb,
      "yarn.nodemanager.resource.memory-mb" -> NodeMemoryMb,
      "yarn.nodemanager.resource.cpu-vcores" -> shape.executorsPerWorker * shape.slots,
      "yarn.nodemanager.pmem-check-enabled" -> false,
      "yarn.nodemanager.vmem-check-enabled" -> false,
      "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage" -> 100,
      "yarn.nodemanager.disk-health-checker.min-free-space-per-disk-mb" -> 0,
      // A container's SPARK_LOCAL_IP must not be the node manager's own.
      "yarn.nodemanager.env-whitelist" -> "JAVA_HOME",
      "yarn.timeline-service.enabled" -> false,
      "yarn.log-aggregation-enable" -> false
    )

    // One executor fits on a node, and none beside an application master: what runs where is no matter of chance.
    private val capacity: Map[String, Any] = Map(
      "yarn.scheduler.capacity.root.queues" -> "default",
      "yarn.scheduler.capacity.root.default.capacity" -> 100,
      "yarn.scheduler.capacity.maximum-am-resource-percent" -> 1.0,
      "yarn.scheduler.capacity.resource-calculator" -> "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"
    )

    private val core: Map[String, Any] = Map(
      "fs.defaultFS" -> "file:///",
      "hadoop.tmp.dir" -> folder.resolve("tmp"),
      "hadoop.http.filter.initializers" -> "",
      "net.topology.node.switch.mapping.impl" -> "org.apache.hadoop.net.TableMapping",
      "net.topology.table.file.name" -> racks
    )

    /** Of one node: its own addresses and folders. */
    def node(host: String, own: Path): Map[String, Any] = Map(
      "yarn.nodemanager.hostname" -> host,
      "yarn.nodemanager.address" -> s"$host:0",
      "yarn.nodemanager.localizer.address" -> s"$host:0",
      "yarn.nodemanager.webapp.address" -> s"$host:0",
      "yarn.nodemanager.collector-service.address" -> s"$host:0",
      "yarn.nodemanager.local-dirs" -> own.resolve("local"),
      "yarn.nodemanager.log-dirs" -> own.resolve("logs")
    )

    def write(into: Path, further: Map[String, Any]): Path = {
      Files.createDirectories(into)
      Files.writeString(racks, hosts.flatMap(h => Seq(h, neighbour(h)).map(each => s"$each /rack-$h\n")).mkString)
      xml(into.resolve("yarn-site.xml"), yarn ++ addresses ++ further)
      xml(into.resolve("capacity-scheduler.xml"), capacity)
      xml(into.resolve("core-site.xml"), core)
      Files.writeString(into.resolve("log4j.properties"), Log)
      into
    }

    private def xml(path: Path, entries: Map[String, Any]): Unit = {
      val lines =
        entries.toSeq.sortBy(_._1).map { case (k, v) => s"<property><name>$k</name><value>$v</value></property>" }
      Files.writeString(path, lines.mkString("<configuration>\n", "\n", "\n</configuration>\n"))
      ()
    }

    /** How many nodes the resource manager knows and can use. */
    def running: Int = Try {
      val url = URI.create(s"http://${ChildJvm.Local}:${ports("webapp.")}/ws/v1/cluster/nodes?states=RUNNING")
      val request =
        HttpRequest.newBuilder(url).timeout(Duration.ofSeconds(5)).header("Accept", "application/json").build()
      Json.tree(http.send(request, HttpResponse.BodyHandlers.ofString()).body).path("nodes").path("node").size
    }.getOrElse(0)
  }

  private val Log = """log4j.rootLogger=INFO,console
                      |log4j.appender.console=org.apache.log4j.ConsoleAppender
                      |log4j.appender.console.target=System.err
                      |log4j.appender.console.layout=org.apache.log4j.PatternLayout
                      |log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
                      |""".stripMargin
}
