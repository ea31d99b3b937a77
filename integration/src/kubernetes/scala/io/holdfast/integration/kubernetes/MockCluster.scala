package io.holdfast.integration.kubernetes

import java.net.InetAddress
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path, Paths}
import java.util.{HashMap => JHashMap}
import java.util.logging.{Level, Logger}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import io.fabric8.kubernetes.api.model._
import io.fabric8.kubernetes.client.NamespacedKubernetesClient
import io.fabric8.kubernetes.client.utils.Serialization
import io.fabric8.kubernetes.client.server.mock.{KubernetesCrudDispatcher, KubernetesMockServer}
import io.fabric8.mockwebserver.{Context, MockWebServer}
import io.fabric8.mockwebserver.dsl.HttpMethod
import io.fabric8.mockwebserver.http.{Buffer, MockResponse, RecordedRequest}
import io.holdfast.integration.ChildJvm

/** The API server keeps objects and nothing more; the loop does what a kubelet does for Spark's pods. */
object MockCluster {
  private val PollMs = 200L

  /** The mock says every request. Kept, or its level would be forgotten. */
  private val requests = Logger.getLogger("io.fabric8.mockwebserver")

  /** Folder of pods, file that gets the URL, Spark's home. */
  def main(args: Array[String]): Unit = ChildJvm.main {
    val (pods, url, home) = (Paths.get(args(0)), Paths.get(args(1)), Paths.get(args(2)))
    requests.setLevel(Level.WARNING)
    val server = new KubernetesMockServer(new Context, new MockWebServer, new JHashMap, new ApiServer, false)
    server.init(InetAddress.getByName(ChildJvm.Local), 0)
    val kubelet = new Kubelet(server.createClient(), new PodProcess(pods, home))
    Runtime.getRuntime.addShutdownHook(new Thread(() => kubelet.close()))
    val beside = Files.writeString(url.resolveSibling("url.partial"), s"http://${ChildJvm.Local}:${server.getPort}")
    Files.move(beside, url)
    while (true) {
      kubelet.poll()
      Thread.sleep(PollMs)
    }
  }
}

/** What the mock does not do by itself: a new pod is pending, and applying an object that is not there makes it. */
private class ApiServer extends KubernetesCrudDispatcher {
  override def handleCreate(request: RecordedRequest): MockResponse =
    if (!request.getPath.endsWith("/pods")) super.handleCreate(request)
    else {
      val pod = Serialization.unmarshal(request.getUtf8Body, classOf[Pod])
      val pending = new PodBuilder(pod).editOrNewStatus().withPhase("Pending").endStatus().build()
      val body = new Buffer(Serialization.asJson(pending).getBytes(UTF_8))
      super.handleCreate(post(request, request.getPath, body))
    }

  override def handlePatch(request: RecordedRequest): MockResponse = {
    val path = request.getPath.takeWhile(_ != '?')
    val applies = String.valueOf(request.getHeader("Content-Type")).contains("apply-patch")
    if (!applies || findResource(getKey(path)) != null) super.handlePatch(request)
    else handleCreate(post(request, path.substring(0, path.lastIndexOf('/')), request.getBody))
  }

  private def post(request: RecordedRequest, path: String, body: Buffer) =
    new RecordedRequest(request.getHttpVersion, HttpMethod.POST, path, request.getHeaders, body)
}

/** Starts a process for each new pod, ends that of a pod that is deleted, and tells the API server of both. */
private class Kubelet(client: NamespacedKubernetesClient, starter: PodProcess) {
  private val processes = mutable.LinkedHashMap.empty[String, Process]
  private val over = mutable.HashSet.empty[String]

  def poll(): Unit = synchronized {
    val pods = client.pods().inAnyNamespace().list().getItems.asScala.toSeq
    pods.foreach { pod =>
      val name = pod.getMetadata.getName
      try
        processes.get(name) match {
          case None if volumes(pod).forall(_.isDefined) => begin(pod)
          case Some(process) if !process.isAlive && over.add(name) => report(pod, Some(process.exitValue()))
          case _ =>
        }
      catch { case NonFatal(e) => e.printStackTrace() }
    }
    val names = pods.map(_.getMetadata.getName).toSet
    processes.foreach { case (name, process) => if (!names(name) && process.isAlive) process.destroy() }
  }

  def close(): Unit = {
    val all = processes.values.toSeq.filter(_.isAlive)
    all.foreach(_.descendants().forEach(child => child.destroyForcibly(): Unit))
    all.foreach(_.destroyForcibly())
  }

  /** Config maps of a pod; none where Spark has not made it yet. */
  private def volumes(pod: Pod): Seq[Option[ConfigMap]] =
    pod.getSpec.getVolumes.asScala.toSeq.flatMap(volume => Option(volume.getConfigMap)).map { source =>
      Option(client.configMaps().inNamespace(pod.getMetadata.getNamespace).withName(source.getName).get())
    }

  private def begin(pod: Pod): Unit = {
    val name = pod.getMetadata.getName
    processes(name) = starter.start(pod, volumes(pod).flatten)
    println(s"started $name")
    report(pod, None)
  }

  private def report(pod: Pod, exit: Option[Int]): Unit = {
    val container = pod.getSpec.getContainers.get(0).getName
    val state = exit.fold(
      new ContainerStateBuilder().withNewRunning().withStartedAt(java.time.Instant.now().toString).endRunning().build()
    ) { code =>
      new ContainerStateBuilder().withNewTerminated().withExitCode(code).endTerminated().build()
    }
    val phase = exit.fold("Running")(code => if (code == 0) "Succeeded" else "Failed")
    val status =
      new ContainerStatusBuilder().withName(container).withState(state).withReady(exit.isEmpty).build()
    val own = client.pods().inNamespace(pod.getMetadata.getNamespace).withName(pod.getMetadata.getName)
    println(s"${pod.getMetadata.getName}: $phase")
    own.editStatus { (now: Pod) =>
      new PodBuilder(now)
        .editOrNewStatus()
        .withPhase(phase)
        .withPodIP(starter.address(pod))
        .withContainerStatuses(status)
        .endStatus()
        .build()
    }: Unit
  }
}

/** What the entry point of Spark's images does with a pod's variables and arguments. */
private class PodProcess(folder: Path, home: Path) {
  private val Driver = "driver"
  private val ImageConf = "/opt/spark/conf"
  private val JavaOption = "SPARK_JAVA_OPT_(\\d+)".r
  private val addresses = mutable.HashMap.empty[String, String]

  /** Each executor has an address of its own; a driver is where its service's name would lead. */
  def address(pod: Pod): String = addresses.getOrElseUpdate(
    pod.getMetadata.getName,
    if (role(pod) == Driver) ChildJvm.Local else s"127.0.1.${addresses.size + 10}"
  )

  def start(pod: Pod, configs: Seq[ConfigMap]): Process = {
    val name = pod.getMetadata.getName
    val conf = Files.createDirectories(folder.resolve(s"$name-conf"))
    configs.flatMap(_.getData.asScala).foreach { case (file, text) =>
      // No service has a name here.
      Files.writeString(
        conf.resolve(file),
        text.replaceAll("(?m)^spark\\.driver\\.host=.*$", s"spark.driver.host=${ChildJvm.Local}")
      )
    }
    val told = variables(pod)
    val command = if (role(pod) == Driver) driver(pod, conf) else executor(pod, told, conf)
    val builder = new ProcessBuilder(command.asJava)
      .directory(folder.toFile)
      .redirectErrorStream(true)
      .redirectOutput(folder.resolve(s"$name.log").toFile)
    val local = Files.createDirectories(folder.resolve(s"$name-local")).toString
    val own = Map("SPARK_HOME" -> home.toString, "SPARK_CONF_DIR" -> conf.toString, "SPARK_LOCAL_DIRS" -> local)
    builder.environment().putAll((told ++ own + ("SPARK_LOCAL_IP" -> address(pod))).asJava)
    builder.environment().remove("SPARK_LOCAL_HOSTNAME")
    builder.start()
  }

  private def role(pod: Pod): String = pod.getSpec.getContainers.get(0).getArgs.get(0)

  private def variables(pod: Pod): Map[String, String] =
    pod.getSpec.getContainers
      .get(0)
      .getEnv
      .asScala
      .toSeq
      .map { variable =>
        val reference = Option(variable.getValueFrom).flatMap(from => Option(from.getFieldRef)).map(_.getFieldPath)
        val value = reference.map(path => if (path == "status.podIP") address(pod) else pod.getMetadata.getName)
        variable.getName -> value.orElse(Option(variable.getValue)).getOrElse("")
      }
      .toMap

  private def driver(pod: Pod, conf: Path): Seq[String] = {
    val arguments = pod.getSpec.getContainers.get(0).getArgs.asScala.toSeq.tail.map(_.replace(ImageConf, conf.toString))
    val bind = s"spark.driver.bindAddress=${address(pod)}"
    Seq(home.resolve("bin/spark-submit").toString, "--conf", bind, "--deploy-mode", "client") ++ arguments
  }

  private def executor(pod: Pod, told: Map[String, String], conf: Path): Seq[String] = {
    val options =
      told.toSeq.collect { case (JavaOption(index), option) => index.toInt -> option }.sortBy(_._1).map(_._2)
    val classPath = Seq(told.getOrElse("SPARK_CLASSPATH", ""), conf.toString, s"$home/jars/*").filter(_.nonEmpty)
    val arguments = Seq(
      "--driver-url" -> told("SPARK_DRIVER_URL"),
      "--executor-id" -> told("SPARK_EXECUTOR_ID"),
      "--cores" -> told("SPARK_EXECUTOR_CORES"),
      "--app-id" -> told("SPARK_APPLICATION_ID"),
      "--hostname" -> address(pod),
      "--resourceProfileId" -> told("SPARK_RESOURCE_PROFILE_ID"),
      "--podName" -> pod.getMetadata.getName
    )
    val heap = Seq(s"-Xms${told("SPARK_EXECUTOR_MEMORY")}", s"-Xmx${told("SPARK_EXECUTOR_MEMORY")}")
    (ProcessHandle.current().info().command().get() +: options) ++ heap ++
      Seq("-cp", classPath.mkString(":"), "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend") ++
      arguments.flatMap { case (key, value) => Seq(key, value) }
  }
}
