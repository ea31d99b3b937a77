package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._
import scala.util.Try

import io.holdfast.Holdfast
import org.apache.spark.{SparkEnv, TaskContext}

/** Tasks that fail, shuffle files that disappear, executors that die. */
class FaultsSpec extends SharedApplication {
  private val Slots = 4
  private val priority = "spark.holdfast.priority" -> "5"

  override protected def master = s"local-cluster[2,${Slots / 2},512]"
  override protected def conf: Seq[(String, String)] = Seq(
    "spark.holdfast.linger.first" -> "5s",
    "spark.rpc.message.maxSize" -> "1"
  )

  scenario("a task that fails in a final stage is launched again in its slot") { app =>
    app.awaitExecutors(2)
    val (fail, retried) = (app.gate(), app.gate())
    val important = app.start("important", priority) {
      app
        .stage(Slots) { i =>
          if (i > 0) retried.await()
          else if (TaskContext.get().attemptNumber() > 0) retried.open()
          else { fail.await(); throw new IllegalStateException("the first attempt fails") }
        }
        .count()
    }
    app.awaitRunning("important", Slots)
    val crowd = new Crowd(app).start()
    fail.open()
    assert(important.result == Slots)
    crowd.stop()
    app.drain()
    val own = app.launches.of("important")
    assert(own.size == Slots + 1)
    assert(own.last.attempt == 1)
    assert(own.last.executor == own.find(_.index == own.last.index).get.executor)
    assert(app.launches.between(Crowd.Role, own.head.id, own.last.id).isEmpty)
  }

  scenario("a fetch failure that retries a stage") { app =>
    val crowdMayCome = app.gate()
    val again = app.gate()
    val important = app.start("shuffled") {
      Holdfast.workflow("shuffled", 5) {
        val shuffled = Programs.next(app.stage(Slots)(_ => Thread.sleep(100)), Slots)(_ => Thread.sleep(100))
        val before = shuffled.sum()
        crowdMayCome.open()
        again.await()
        (before, shuffled.sum())
      }
    }
    crowdMayCome.await()
    val crowd = new Crowd(app).start()
    val deleted = shuffleFiles(app.folder.resolve("local"))
    assert(deleted.nonEmpty)
    deleted.foreach(Files.delete)
    again.open()
    assert(important.result == ((6.0, 6.0)))
    crowd.stop()
    app.drain()
    val own = app.launches.of("shuffled")
    assert(own.exists(_.stageAttempt > 0))
    assert(app.launches.ends("shuffled").map(_._2.getClass.getSimpleName).contains("FetchFailed"))
    // The crowd waited from the gap on; the stages that ran again did not lose their slots to it.
    assert(app.launches.between(Crowd.Role, own.head.id, own.last.id).isEmpty)
  }

  private def shuffleFiles(folder: Path): Seq[Path] = {
    val files = Files.walk(folder)
    try files.iterator.asScala.filter(_.getFileName.toString.startsWith("shuffle_")).toSeq
    finally files.close()
  }

  // More than once only in the nightly run: each waits for a new executor.
  for (round <- 1 to (if (Scenarios.Nightly) 20 else 1))
    scenario(s"an executor that dies with holds on it, and with what has finished there (round $round)")(dies(_, round))

  private def dies(app: App, round: Int): Unit = {
    app.awaitExecutors(2)
    app.drain()
    val from = app.launches.all.lastOption.fold(0L)(_.id + 1)
    def own = app.launches.of("survivor").filter(_.id >= from)
    val folder = app.folder.resolve(s"executors-$round")
    Files.createDirectory(folder)
    val base = folder.toString
    val all = Gate(s"$base/all")
    val important = app.start("survivor", priority) {
      val first = app.stage(Slots) { _ =>
        val me = SparkEnv.get.executorId
        Files.writeString(Paths.get(base, s"pid-$me"), ProcessHandle.current().pid().toString)
        Wait.until("the executor's gate")(all.isOpen || Gate(s"$base/$me").isOpen)
      }
      Programs.next(first, Slots)(_ => Thread.sleep(100)).sum()
    }
    app.awaitRunning("survivor", Slots)
    val crowd = new Crowd(app).start()
    val dropped = holds.required("dropped").asLong
    val victim = own.head.executor
    Gate(s"$base/$victim").open()
    Wait.until("holds on the executor")(held == Slots / 2)
    kill(folder.resolve(s"pid-$victim"))
    app.await("the loss of the executor")(app.launches.gone.contains(victim))
    Wait.until("the end of its holds")(holds.required("dropped").asLong >= dropped + Slots / 2)
    all.open()
    assert(important.result == 6.0)
    crowd.stop()
    app.drain()
    // What was lost with it ran again, elsewhere, and nothing else did.
    assert(own.size == 2 * Slots + Slots / 2)
    assert(own.drop(Slots).forall(_.executor != victim))
  }

  scenario("tasks that are too large to be sent leave nothing behind") { app =>
    val etl = Seq(priority, "spark.jobGroup.id" -> "etl")
    // One that has joined may have nothing to offer yet.
    def onEverySlot(role: String): Unit = {
      val all = app.gate()
      val stage = app.start(role, etl: _*)(app.stage(Slots)(_ => all.await()).count())
      app.awaitRunning(role, Slots)
      all.open()
      assert(stage.result == Slots)
    }
    onEverySlot("before")
    val refused = app.run("large", etl: _*) {
      val large = app.sc.parallelize(Seq.fill(Slots)(new Array[Byte](2 << 20)), Slots)
      Try(large.map(_.length).sum()).failed.map(_.getMessage).toOption
    }
    assert(refused.exists(_.contains("spark.rpc.message.maxSize")))
    // Were they still booked as running, the group would need no further slot.
    onEverySlot("after")
    Wait.until("a hold on every slot")(held == Slots)
  }

  private def kill(pidFile: Path): Unit = {
    val process = ProcessHandle.of(Files.readString(pidFile).trim.toLong).get
    assert(process.destroyForcibly())
    process.onExit().get()
    ()
  }

  end()
}
