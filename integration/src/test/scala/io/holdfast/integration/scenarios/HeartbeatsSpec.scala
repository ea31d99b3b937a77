package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path}

import io.holdfast.Holdfast
import io.holdfast.integration.Json
import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.holdfast.Heartbeat

/** Heartbeats as no executor sends them. The executors' own come too seldom to matter. */
class HeartbeatsSpec extends Scenarios {
  private val Tasks = 12
  private val Records = 10L
  private val conf = Seq(
    "spark.holdfast.stragglers" -> "gs",
    "spark.holdfast.copies" -> "all",
    "spark.executor.heartbeatInterval" -> "60s"
  )

  private def status(what: String): Int = Json.tree(Holdfast.status()).path(what).asInt

  test("heartbeats late, out of order, of ended attempts and of nobody, and of more records than expected") {
    withHoldfast("local-cluster[2,2,512]", conf: _*) { app =>
      app.awaitExecutors(2)
      val (gate, input) = (app.gate(), app.folder.resolve("input"))
      Heartbeats.input(input, Tasks, Records)
      val running = app.start("reads")(Heartbeats.reading(app.sc.textFile(input.toString, 1), gate).collect().toSeq)
      def launches = app.launches.of("reads")
      def ended = app.launches.ends("reads").map(_._1)
      def of(task: Int) = launches.filter(_.index == task)
      app.await("a finished task")(ended.nonEmpty && of(0).nonEmpty && of(1).nonEmpty)
      val (nearlyDone, silent) = (of(0).head, of(1).head)
      def beat(records: Long): Unit = Heartbeat.send(app.sc, nearlyDone.executor, nearlyDone.id -> records)

      // A hundred times what the finished ones have read, and then what was sent before.
      beat(100 * Records)
      beat(1)
      beat(-1)
      Heartbeat.send(app.sc, nearlyDone.executor, ended.head.id -> 1L, 4711L -> 1L)
      Heartbeat.send(app.sc, "no such executor", 4712L -> Records)
      app.await("a copy of the silent one, which wins")(ended.exists(l => l.index == 1 && l.attempt > 0))
      app.await("its first attempt's end")(ended.contains(silent))
      Heartbeat.send(app.sc, silent.executor, silent.id -> 1L, silent.id -> 100 * Records)

      // It is as old as the other, but has said that little is left.
      assert(of(0) == Seq(nearlyDone))
      gate.open()
      val rows = running.result
      assert(rows.size == Tasks * Records && rows.distinct.size == rows.size)
      assert(of(0).size == 1 && of(1).size == 2 && status("copies_won") >= 1, launches)
      // What comes when all is over.
      beat(Records)
      assert(app.run("after")(app.stage(Tasks)(_ => ()).count()) == Tasks)
    }
  }
}

/** What tasks do there, in executors. */
object Heartbeats {

  /** A file for each task. */
  def input(folder: Path, tasks: Int, records: Long): Unit = {
    Files.createDirectory(folder)
    (0 until tasks).foreach { i =>
      Files.writeString(folder.resolve(f"part-$i%02d"), (0L until records).map(r => s"$i-$r\n").mkString)
    }
  }

  /** First attempts of the first two tasks wait; all others take a second. */
  def reading(lines: RDD[String], gate: Gate): RDD[String] = lines.mapPartitionsWithIndex { (i, rows) =>
    val all = rows.toList
    if (i < 2 && TaskContext.get().attemptNumber() == 0) gate.await() else Thread.sleep(1000)
    all.iterator
  }
}
