package io.holdfast.integration.scenarios

import java.lang.management.ManagementFactory
import java.net.{InetSocketAddress, ServerSocket, Socket}
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.TaskContext
import org.apache.spark.resource.{ResourceProfileBuilder, TaskResourceRequests}

/** What executors get, and stage-level resources, where Spark derives them from the master. */
class ClustersSpec extends Scenarios {
  private val priority = "spark.holdfast.priority" -> "5"

  private def assertCores(app: App, executors: Int, cores: Int): Unit = {
    app.awaitExecutors(executors)
    assert(app.launches.cores.values.toSeq == Seq.fill(executors)(cores))
    assert(app.sc.defaultParallelism == executors * cores)
    val together = app.gate()
    val program = app.start("wide", priority)(app.stage(executors * cores)(_ => together.await()).count())
    app.awaitRunning("wide", executors * cores)
    together.open()
    assert(program.result == executors * cores)
  }

  private def assertProfiles(app: App): Unit = {
    val profile = new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(2)).build()
    val cpus = app.run("profile", priority) {
      Programs
        .next(app.stage(4)(_ => ()), 4)(_ => ())
        .withResources(profile)
        .map(_ => TaskContext.get().cpus())
        .collect()
    }
    assert(cpus.toSeq == Seq(2, 2, 2, 2))
  }

  test("local-cluster: executors have the cores that the master says, and withResources works") {
    val master = "local-cluster[2,3,1024]"
    withHoldfast(master) { app =>
      assert(app.sc.master == master)
      assertCores(app, executors = 2, cores = 3)
      assertProfiles(app)
    }
  }

  test("spark://: an executor has all cores of its worker, and withResources works") {
    val folder = Files.createTempDirectory("holdfast-standalone")
    val port = freePort()
    val master = daemon(folder, "Master", "--host", "127.0.0.1", "--port", s"$port", "--webui-port", "0")
    try {
      Wait.until("the standalone master")(answers(port))
      val url = s"spark://127.0.0.1:$port"
      val worker = daemon(
        folder,
        "Worker",
        Seq("--host", "127.0.0.1", "--webui-port", "0", "-c", "3", "-m", "1g", "-d", folder.toString, url): _*
      )
      try
        withHoldfast(url) { app =>
          assert(app.sc.master == url)
          assertCores(app, executors = 1, cores = 3)
          assertProfiles(app)
        }
      finally end(worker)
    } finally end(master)
  }

  private def freePort(): Int = {
    val socket = new ServerSocket(0)
    try socket.getLocalPort
    finally socket.close()
  }

  private def answers(port: Int): Boolean = {
    val socket = new Socket
    try Try(socket.connect(new InetSocketAddress("127.0.0.1", port), 100)).isSuccess
    finally socket.close()
  }

  private def daemon(folder: Path, name: String, arguments: String*): Process = {
    val options = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filter(_.startsWith("--add-"))
    val command = Seq(ProcessHandle.current().info().command().get(), "-Xmx256m", "-XX:+UseSerialGC") ++ options ++
      Seq("-cp", sys.props("java.class.path"), s"org.apache.spark.deploy.${name.toLowerCase}.$name") ++ arguments
    new ProcessBuilder(command: _*)
      .redirectErrorStream(true)
      .redirectOutput(folder.resolve(s"$name.log").toFile)
      .start()
  }

  private def end(process: Process): Unit = { process.destroy(); process.waitFor(); () }
}
