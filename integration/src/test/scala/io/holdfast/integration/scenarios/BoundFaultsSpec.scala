package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths, StandardOpenOption}
import java.util.concurrent.atomic.AtomicLong

import scala.jdk.CollectionConverters._
import scala.util.Try

import io.holdfast.Holdfast
import io.holdfast.integration.Json
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.streaming.Trigger

/** Bounds that cannot be meant, and jobs with bounds whose executors, stages and copies end before their time. */
class BoundFaultsSpec extends SharedApplication {
  private val Slots = 4
  private val RowsOfABatch = 80
  private val partial = "holdfast.partial" -> "true"

  override protected def master = s"local-cluster[2,${Slots / 2},512]"
  override protected def conf: Seq[(String, String)] = Seq(
    "spark.holdfast.stragglers" -> "gs",
    "spark.holdfast.copies" -> "all",
    "spark.executor.heartbeatInterval" -> "200ms"
  )

  /** Absent until there is one. */
  private def counted(what: String): Int = Json.tree(Holdfast.status()).path(what).asInt
  private def met: Int = counted("bounds_met")
  private def passed: Int = counted("bounds_passed")

  scenario("a bound that cannot be meant changes nothing") { app =>
    app.awaitExecutors(2)
    val wrong = Seq("NaN", "-3s", "0", "soon").map("holdfast.deadline" -> _) ++
      Seq("NaN", "-0.1", "1", "few").map("holdfast.error" -> _)
    wrong.zipWithIndex.foreach { case (bound, i) =>
      assert(app.run(s"wrong-$i", bound, partial)(app.stage(2 * Slots)(_ => ()).count()) == 2 * Slots, bound)
    }
    val past = app.run("past")(app.stage(2 * Slots)(_ => ()).countApprox(timeout = 0))
    assert(past.getFinalValue().mean == 2 * Slots)
    val together = app.run("together", "holdfast.deadline" -> "1ms") {
      app.sc.parallelize(0 until Slots, Slots).barrier().mapPartitions(rows => rows).count()
    }
    assert(together == Slots && met + passed == 0, Holdfast.status())
    assert(app.run("exact", "holdfast.error" -> "0", partial)(app.stage(Slots)(_ => ()).count()) == Slots)
    assert(met == 1)
  }

  scenario("the bound of a job is its result stage's: all tasks before it run, and of that no more than it needs") {
    app =>
      val before = met
      val running = app.start("shuffled", "holdfast.error" -> "0.5", partial) {
        Try(Programs.next(app.stage(2 * Slots)(_ => ()), 2 * Slots)(_ => ()).count())
      }
      Wait.until("its bound")(met > before)
      app.drain()
      def launched =
        app.launches.of("shuffled").groupBy(_.stage).toSeq.sortBy(_._1).map(_._2.map(_.index).distinct.size)
      val atBound = launched
      assert(atBound.head == 2 * Slots && atBound.last >= Slots && atBound.last < 2 * Slots, atBound)
      // The slots are free for others, and the set launches nothing in them.
      assert(app.run("others")(app.stage(2 * Slots)(_ => ()).count()) == 2 * Slots)
      app.drain()
      assert(launched == atBound)
      app.sc.cancelAllJobs()
      assert(running.result.isFailure)
  }

  scenario("a job is cancelled while a copy of it commits: one attempt has the permission, and the slots are free") {
    app =>
      val (committing, go) = (app.gate(), app.gate())
      val written = Files.createDirectory(app.folder.resolve("committed"))
      val running =
        app.start("committing", "holdfast.error" -> "0", partial, "spark.job.interruptOnCancel" -> "false") {
          val base = written.toString
          Try(app.stage(Slots)(BoundFaults.commit(base, committing, go)).count())
        }
      committing.await()
      app.sc.cancelAllJobs()
      assert(running.result.isFailure)
      go.open()
      app.await("the ends of its attempts")(app.launches.running("committing") == 0)
      assert(app.launches.of("committing").count(_.index == 0) == 2)
      assert(
        Files.list(written).iterator.asScala.map(_.getFileName.toString).toSeq.sorted == (0 until Slots).map(_.toString)
      )
      assert(app.run("after")(app.stage(Slots)(_ => ()).count()) == Slots)
  }

  scenario("a stage is retried after its bound: all of it is counted") { app =>
    val (later, before) = (app.gate(), passed)
    val retried = app.start("retried", "holdfast.deadline" -> "2s") {
      // Half of the tasks read after the files are gone, and all read what every task before them has left.
      val rows = BoundFaults.forEach(app.stage(Slots)(_ => ()), 2 * Slots)
      Programs.next(rows, 2 * Slots)(_ => later.await()).count()
    }
    Wait.until("the deadline")(passed > before)
    val files = shuffleFiles(app.folder.resolve("local"))
    assert(files.nonEmpty, app.launches.of("retried"))
    files.foreach(Files.delete)
    later.open()
    assert(retried.result == Slots * 2 * Slots)
    app.drain()
    assert(app.launches.of("retried").exists(_.stageAttempt > 0), app.launches.of("retried"))
  }

  scenario("the executor of the only copy is lost: the first attempt goes on, and counts once") { app =>
    val folder = Files.createDirectory(app.folder.resolve("lost"))
    val all = app.gate()
    val base = folder.toString
    val rows = app.start("lost")(app.stage(Slots)(i => if (i == 0) BoundFaults.wait(base, all)).collect().toSeq)
    app.await("a copy")(app.launches.of("lost").exists(l => l.index == 0 && l.attempt > 0))
    val copy = app.launches.of("lost").filter(_.index == 0).last
    Wait.until("the copy's process")(Gate(s"$base/${copy.executor}").isOpen)
    val process = ProcessHandle.of(Files.readString(folder.resolve(copy.executor)).trim.toLong).get
    assert(process.destroyForcibly())
    app.await("the loss of the executor")(app.launches.gone.contains(copy.executor))
    all.open()
    assert(rows.result.sorted == (0 until Slots))
    app.drain()
    assert(app.launches.of("lost").count(l => l.index == 0 && l.executor != copy.executor) == 1)
    app.awaitExecutors(2)
  }

  scenario("a streaming batch has no bound: all its rows come, and a warning says why") { app =>
    val (before, rows) = (met + passed, new AtomicLong)
    val bounds = Seq("holdfast.deadline" -> "1ms", "holdfast.error" -> "0.5", partial)
    val (_, warnings) = Warnings.during {
      app.run("stream", bounds: _*)(BoundFaults.stream(app.folder, RowsOfABatch, Slots, rows))
    }
    app.drain()
    assert(rows.get == RowsOfABatch && met + passed == before, Holdfast.status())
    assert(app.launches.of("stream").map(_.index).distinct.size == Slots)
    assert(warnings.exists(_.contains("a streaming batch needs all of its tasks; unset it there")), warnings)
  }

  private def shuffleFiles(folder: Path): Seq[Path] = {
    val files = Files.walk(folder)
    try files.iterator.asScala.filter(_.getFileName.toString.startsWith("shuffle_")).toSeq
    finally files.close()
  }

  end()
}

/** What tasks do there, in executors. */
object BoundFaults {

  /** Writes its partition if Spark lets it commit. The first attempt of the first one never asks; its copy stops in between. */
  def commit(base: String, committing: Gate, go: Gate)(partition: Int): Unit = {
    val task = TaskContext.get()
    val straggles = partition == 0
    if (straggles && task.attemptNumber() == 0) go.await()
    if (mayCommit(task)) {
      if (straggles) {
        committing.open()
        go.await()
      }
      Files.writeString(Paths.get(base, partition.toString), "", StandardOpenOption.CREATE_NEW)
      ()
    }
  }

  private def mayCommit(task: TaskContext): Boolean = {
    val coordinator = SparkEnv.get.getClass.getMethod("outputCommitCoordinator").invoke(SparkEnv.get)
    val ask = coordinator.getClass.getMethods.find(_.getName == "canCommit").get
    val numbers = Seq(task.stageId(), task.stageAttemptNumber(), task.partitionId(), task.attemptNumber())
    ask.invoke(coordinator, numbers.map(Int.box): _*).asInstanceOf[Boolean]
  }

  /** Rows for each partition of the next stage. */
  def forEach(before: RDD[Int], partitions: Int): RDD[Int] = before.flatMap(_ => 0 until partitions)

  /** Leaves the process's id, once for each executor, and waits. */
  def wait(base: String, all: Gate): Unit = {
    val file = Paths.get(base, SparkEnv.get.executorId)
    Files.writeString(file, ProcessHandle.current().pid().toString, StandardOpenOption.CREATE_NEW)
    all.await()
  }

  /** One batch of a query; its thread takes over the local properties of this one. */
  def stream(folder: Path, rows: Int, partitions: Int, seen: AtomicLong): Unit = {
    val source = SparkSession.builder().getOrCreate().readStream.format("rate-micro-batch")
    val query = source
      .option("rowsPerBatch", rows)
      .option("numPartitions", partitions)
      .load()
      .writeStream
      .option("checkpointLocation", folder.resolve("checkpoint").toString)
      .trigger(Trigger.ProcessingTime("10 minutes"))
      .foreachBatch((batch: DataFrame, _: Long) => { seen.addAndGet(batch.collect().length.toLong); () })
      .start()
    Wait.until("a batch's progress")(query.lastProgress != null)
    query.stop()
  }
}
