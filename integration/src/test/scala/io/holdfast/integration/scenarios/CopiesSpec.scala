package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import io.holdfast.Holdfast
import io.holdfast.integration.Json
import org.apache.spark.TaskContext

/** One task of a stage takes for ever on the executor where it begins; the slots of the others are held. */
class CopiesSpec extends Scenarios {
  private val Slots = 4
  private val SlackMs = 5000
  private val important = "spark.holdfast.pool.important.priority" -> "5"
  private val copies = "spark.holdfast.copies" -> "shuffle"
  private val pool = "spark.scheduler.pool" -> "important"

  private def status(what: String): Int = Json.tree(Holdfast.status()).required(what).asInt

  /** A shuffle stage with a straggler whose first attempt ends when `gate` opens, then a second stage. */
  private def shuffled(app: App, gate: Gate, copyFails: Boolean = false): Running[Long] =
    app.start("important", pool) {
      val first = app.stage(Slots) { i =>
        if (i > 0) Thread.sleep(100)
        else if (TaskContext.get().attemptNumber() == 0) gate.await()
        else if (copyFails) throw new IllegalStateException("copies fail here")
      }
      Programs.next(first, Slots)(_ => ()).count()
    }

  private def stragglers(app: App): Seq[Launch] = app.launches.of("important").filter(l => l.stage == 0 && l.index == 0)

  // By Spark's own times, from the straggler's launch to the end of its copy: the copy's age, which is twice a median, the
  // 5 s that are promised, and what a busy machine may add.
  test("a straggler in a shuffle stage is copied to a held slot on another executor, and the copy wins") {
    withHoldfast("local-cluster[2,2,512]", important, copies) { app =>
      app.awaitExecutors(2)
      val never = app.gate()
      val crowd = new Crowd(app)
      val program = shuffled(app, never)
      app.awaitRunning("important", 1)
      crowd.start()
      assert(program.result == Slots)
      val own = app.launches.of("important")
      val both = stragglers(app)
      assert(both.size == 2 && both.head.executor != both.last.executor)
      // Nobody else got a slot of it before its last stage was launched.
      assert(app.launches.between(Crowd.Role, own.head.id, own.last.id).isEmpty)
      assert(status("copies") == 1 && status("copies_won") == 1)
      app.drain()
      assert(app.launches.miscounted == 0)
      val others = own.filter(l => l.stage == 0 && l.index != 0)
      val longest = others.map(l => app.launches.end(l) - l.time).max
      assert(app.launches.end(both.last) - both.head.time <= 2 * longest + 5000 + SlackMs)
      never.open()
      crowd.stop()
    }
  }

  without("copies: the straggler runs alone, and its end is waited for") {
    withHoldfast("local-cluster[2,2,512]", important, "spark.holdfast.copies" -> "off") { app =>
      app.awaitExecutors(2)
      val later = app.gate()
      val program = shuffled(app, later)
      app.await("the others' ends")(app.launches.ends("important").size == Slots - 1)
      Thread.sleep(1000) // ten times what the others took
      later.open()
      assert(program.result == Slots)
      app.drain()
      assert(stragglers(app).size == 1 && status("copies") == 0)
    }
  }

  test("a result stage writes each partition once, straggler or not") {
    withHoldfast("local-cluster[2,2,512]", important, copies) { app =>
      app.awaitExecutors(2)
      val (rows, later) = (app.folder.resolve("rows"), app.gate())
      Files.createDirectory(rows)
      val base = rows.toString
      val program = app.start("important", pool) {
        app
          .stage(Slots) { i =>
            if (i == 0) later.await()
            Files.createTempFile(Paths.get(base), s"partition-$i-", "")
            ()
          }
          .foreachPartition((_: Iterator[Int]) => ())
      }
      app.await("the others' ends")(app.launches.ends("important").size == Slots - 1)
      Thread.sleep(1000)
      later.open()
      program.result
      app.drain()
      assert(app.launches.of("important").size == Slots)
      assert(written(rows) == Slots && status("copies") == 0)
    }
  }

  private def written(folder: Path): Int = {
    val files = Files.list(folder)
    try files.iterator.asScala.size
    finally files.close()
  }

  test("a copy that fails leaves the outcome as it is without copies") {
    // With two failures allowed, one that a copy's counted for would end the job at the original's first one.
    withHoldfast("local-cluster[2,2,512]", important, copies, "spark.task.maxFailures" -> "2") { app =>
      app.awaitExecutors(2)
      val later = app.gate()
      val program = app.start("important", pool) {
        val first = app.stage(Slots) { i =>
          if (i > 0) Thread.sleep(100)
          else
            TaskContext.get().attemptNumber() match {
              case 0 => later.await(); throw new IllegalStateException("the original fails after its copy")
              case 1 => throw new IllegalStateException("the copy fails")
              case _ => ()
            }
        }
        Programs.next(first, Slots)(_ => ()).count()
      }
      app.await("the copy's failure")(app.launches.ends("important").exists(_._1.attempt == 1))
      later.open()
      assert(program.result == Slots)
      app.drain()
      assert(stragglers(app).map(_.attempt) == Seq(0, 1, 2) && status("copies") == 1)
    }
  }

  test("beside Spark's own speculation no task runs three times") {
    val speculation = Seq(
      "spark.speculation" -> "true",
      "spark.speculation.interval" -> "100ms",
      "spark.speculation.quantile" -> "0.5",
      "spark.speculation.minTaskRuntime" -> "100ms"
    )
    withHoldfast("local-cluster[2,2,512]", speculation :+ important :+ copies: _*) { app =>
      app.awaitExecutors(2)
      val later = app.gate()
      val program = app.start("important", pool) {
        // The copy, whosever it is, is as slow.
        val first = app.stage(Slots)(i => if (i > 0) Thread.sleep(100) else later.await())
        Programs.next(first, Slots)(_ => ()).count()
      }
      app.await("a copy")(stragglers(app).size == 2)
      Thread.sleep(1000)
      later.open()
      assert(program.result == Slots)
      app.drain()
      assert(stragglers(app).size == 2)
    }
  }
}
