package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import org.apache.spark.SPARK_VERSION
import org.apache.spark.resource.{ResourceProfileBuilder, TaskResourceRequests}

/** A program whose tasks ask for more first than then: other slots on the same executors. */
class SizesSpec extends Scenarios {
  private val Large = 4
  private val Small = 8

  /** What the crowd gets before the last task of the second stage, whose tasks ask for what every task does. */
  private def stolen(cores: Int, first: TaskResourceRequests, conf: (String, String)*): Int =
    withHoldfast(s"local-cluster[2,$cores,512]", conf: _*) { app =>
      app.awaitExecutors(2)
      val gate = app.gate()
      // Not before there is a context: the first profile of all is taken for the default one.
      val asking = new ResourceProfileBuilder().require(first).build()
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        val large = app.stage(Large)(_ => gate.await()).withResources(asking)
        Programs.next(large, Small)(_ => Thread.sleep(100)).count()
      }
      app.awaitRunning("important", Large)
      val crowd = new Crowd(app, sleepMs = 1000).start()
      gate.open()
      assert(important.result == Large)
      crowd.stop()
      app.drain()
      val own = app.launches.of("important")
      assert(own.size == Large + Small)
      app.launches.between(Crowd.Role, own(Large - 1).id, own.last.id).size
    }

  private def stolenCores(conf: (String, String)*): Int =
    stolen(cores = 4, new TaskResourceRequests().cpus(2), conf: _*)

  /** Tasks of two cores each, as the application's key has it for all, in two stages of as many. */
  private def stolenFromTaskCpus(conf: (String, String)*): Int =
    withHoldfast("local-cluster[2,4,512]", Seq("spark.task.cpus" -> "2") ++ conf: _*) { app =>
      app.awaitExecutors(2)
      val slots = 4
      val (early, late) = (app.gate(), app.gate())
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        val first = app.stage(slots)(i => if (i == 0) late.await() else early.await())
        Programs.next(first, slots)(_ => Thread.sleep(100)).count()
      }
      app.awaitRunning("important", slots)
      val crowd = new Crowd(app, sleepMs = 1000).start()
      early.open()
      app.await("three ends")(app.launches.ends("important").size == slots - 1)
      if (conf.isEmpty) assert(held == slots - 1, "a hold for a task of two cores, not for each core")
      late.open()
      assert(important.result == slots)
      crowd.stop()
      app.drain()
      val own = app.launches.of("important")
      app.launches.between(Crowd.Role, own.head.id, own.last.id).size
    }

  /** Two GPUs an executor, of which a task asks for half of one unless it says more, and cores in plenty. */
  private def stolenGpus(conf: (String, String)*): Int = {
    assume(!SPARK_VERSION.startsWith("3."), "before 4.0 a task that asks for a whole GPU gets a share of one")
    val all = Seq(
      "spark.worker.resource.gpu.amount" -> "2",
      "spark.worker.resource.gpu.discoveryScript" -> discovery().toString,
      "spark.executor.resource.gpu.amount" -> "2",
      "spark.task.resource.gpu.amount" -> "0.5"
    )
    stolen(cores = 8, new TaskResourceRequests().cpus(1).resource("gpu", 1), all ++ conf: _*)
  }

  /** A worker runs it to learn what GPUs it has. */
  private def discovery(): Path = {
    val script = Files.createTempFile(Paths.get(sys.props("holdfast.scenarios.dir")), "gpus-", ".sh")
    Files.writeString(script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": [\"0\", \"1\"]}'\n")
    assert(script.toFile.setExecutable(true))
    script
  }

  test("a slot of two cores is held as two of one core for what comes next") {
    assert(stolenCores() == 0)
  }

  test("a slot of a GPU is held as two of half a GPU") {
    assert(stolenGpus() == 0)
  }

  test("with spark.task.cpus=2 a slot of two cores is held as one") {
    assert(stolenFromTaskCpus() == 0)
  }

  without("enforcing: the crowd takes slots of two cores") {
    assert(stolenFromTaskCpus("spark.holdfast.mode" -> "observe") > 0)
  }

  without("enforcing: the crowd takes the cores") {
    assert(stolenCores("spark.holdfast.mode" -> "observe") > 0)
  }

  without("enforcing: the crowd takes the GPUs") {
    assert(stolenGpus("spark.holdfast.mode" -> "observe") > 0)
  }
}
