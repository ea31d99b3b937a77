package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Using

import io.holdfast.integration.ChildJvm
import io.holdfast.integration.cluster.{Shape, StandaloneCluster}
import org.apache.spark.{SparkEnv, TaskContext}
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

  nightly("spark://: an executor has all cores of its worker, and withResources works, beside another cluster") {
    Using.resources(oneWorker(slots = 1), oneWorker(slots = 3)) { (_, cluster) =>
      withHoldfast(cluster.url) { app =>
        assert(app.sc.master == cluster.url)
        assertCores(app, executors = 1, cores = 3)
        assertProfiles(app)
      }
    }
  }

  test("spark://: workers have hosts of their own, and end with all that they started") {
    val cluster =
      StandaloneCluster.start(Shape(workers = 2, executorsPerWorker = 2, slots = 1, memoryMb = 512), folder())
    val started =
      try
        withHoldfast(cluster.url, (cluster.conf - "spark.master").toSeq: _*) { app =>
          app.awaitExecutors(4)
          val together = app.gate()
          val program = app.start("wide", priority) {
            app.stage(4)(_ => together.await()).map(_ => SparkEnv.get.blockManager.blockManagerId.host).collect()
          }
          app.awaitRunning("wide", 4)
          val executors = cluster.pids.flatMap(ProcessHandle.of(_).get.descendants().iterator().asScala)
          together.open()
          assert(program.result.sorted.toSeq == Seq("127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"))
          assert(executors.size == 4)
          executors
        }
      finally cluster.close()
    assert(cluster.pids.forall(isOver) && started.forall(!_.isAlive))
  }

  test("spark://: a cluster ends when the process that started it is killed") {
    val own = folder()
    val holder = ChildJvm(own.resolve("holder"), "scenarios-log4j2.properties", Seq("-Xmx256m"))
      .start("io.holdfast.integration.scenarios.Abandoned", Seq(own.toString))
    val told = own.resolve("pids")
    Wait.until("the cluster's processes")(Files.exists(told))
    val pids = Files.readString(told).split(' ').toSeq.map(_.toLong)
    assert(pids.size == 2 && !pids.exists(isOver))
    holder.destroyForcibly()
    Wait.until(s"the end of ${pids.mkString(", ")}")(pids.forall(isOver))
  }

  private def oneWorker(slots: Int) = StandaloneCluster.start(Shape(1, 1, slots, memoryMb = 1024), folder())

  private def folder(): Path = Files.createTempDirectory("holdfast-standalone")

  private def isOver(pid: Long): Boolean = !ProcessHandle.of(pid).map[Boolean](_.isAlive).orElse(false)
}

/** Starts a cluster, says so in a file and does nothing more. */
object Abandoned {
  def main(args: Array[String]): Unit = ChildJvm.main {
    val folder = Paths.get(args(0))
    val cluster = StandaloneCluster.start(Shape(1, 1, slots = 1, memoryMb = 512), folder)
    val beside = Files.writeString(folder.resolve("pids.partial"), cluster.pids.mkString(" "))
    Files.move(beside, folder.resolve("pids"))
    Thread.sleep(Long.MaxValue)
  }
}
