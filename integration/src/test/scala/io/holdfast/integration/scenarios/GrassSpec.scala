package io.holdfast.integration.scenarios

import java.nio.file.{Files, Path}

import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** Every tenth task of a job reads its records slowly, in its first attempt; every slot may run a copy. */
class GrassSpec extends Scenarios {
  private val Tasks = 40
  private val Records = 10
  private val RecordMs = 15L
  private val Slowness = 20
  private val Master = "local-cluster[2,2,512]"

  /** Executors say often how far they are. */
  private val heartbeat = "spark.executor.heartbeatInterval" -> "200ms"
  private val all = "spark.holdfast.copies" -> "all"
  private val gs = "spark.holdfast.stragglers" -> "gs"

  private def status(what: String): Int = Json.tree(Holdfast.status()).path(what).asInt

  /** A file for each task. */
  private def input(app: App): Path = {
    val folder = Files.createDirectory(app.folder.resolve("input"))
    (0 until Tasks).foreach { i =>
      Files.writeString(folder.resolve(f"part-$i%02d"), (0 until Records).map(r => s"$i-$r\n").mkString)
    }
    folder
  }

  /** The rows of all tasks, as the job counted them. */
  private def run(app: App, slowness: Int = Slowness): Seq[String] =
    app.run("grass")(Programs.reading(app.sc, input(app).toString, RecordMs, slowness).collect().toSeq)

  private def rowsOnce(rows: Seq[String]): Unit = {
    assert(rows.size == Tasks * Records)
    assert(rows.distinct.size == rows.size)
  }

  /** What the program says of a task, from the application's log. */
  private def explain(folder: Path, launch: Launch): String = {
    val log = Files.list(folder.resolve("logs")).iterator.next().toString
    val asked = Seq(Scenarios.Cli, "explain", log, "--stage", launch.stage.toString, "--task", launch.index.toString)
    val process = new ProcessBuilder(asked: _*).redirectErrorStream(true).start()
    val said = new String(process.getInputStream.readAllBytes())
    assert(process.waitFor() == 0, said)
    said
  }

  test("stragglers are copied, the copies win, and each result counts once") {
    val (folder, copied) = withHoldfast(Master, gs, all, heartbeat) { app =>
      app.awaitExecutors(2)
      rowsOnce(run(app))
      assert(status("copies") >= 1 && status("copies_won") >= 1, Holdfast.status())
      app.drain()
      val launches = app.launches.of("grass")
      val copied = launches.groupBy(_.index).filter(_._2.size > 1)
      assert(copied.values.forall(attempts => attempts.map(_.executor).distinct.size == attempts.size), copied)
      assert(copied.keySet.exists(_ % 10 == 0) && app.launches.miscounted == 0)
      assert(Json.tree(Holdfast.status()).path("copies_lost_slot_s").asDouble > 0, Holdfast.status())
      (app.folder, copied.values.head.last)
    }
    val said = explain(folder, copied)
    assert(said.contains(s"a copy was launched on executor ${copied.executor}, since t_rem "), said)
    assert(
      said.contains(", saving ") && said.contains("(GS)") && said.contains("not copied: no task of its stage"),
      said
    )
  }

  test("where executors say nothing meanwhile, stragglers are copied once they are old") {
    withHoldfast(Master, gs, all, "spark.executor.heartbeatInterval" -> "60s") { app =>
      app.awaitExecutors(2)
      rowsOnce(run(app))
      assert(status("copies") >= 1 && status("copies_won") >= 1, Holdfast.status())
    }
  }

  test("with the default no task runs twice") {
    withHoldfast(Master, all, heartbeat) { app =>
      app.awaitExecutors(2)
      rowsOnce(run(app, slowness = 3))
      assert(status("copies") == 0 && app.launches.of("grass").size == Tasks)
    }
  }

  test("an approximate action of Spark's has a deadline: what is done by then is counted, the rest comes later") {
    withHoldfast(Master, gs, heartbeat) { app =>
      app.awaitExecutors(2)
      val rows = Programs.reading(app.sc, input(app).toString, RecordMs, 1)
      val approximate = app.run("grass")(rows.countApprox(timeout = 3000))
      val all = approximate.getFinalValue()
      assert(all.mean == Tasks * Records && all.low == all.high)
      // Deadline-bound, as the engine says that it was, and as it will be when its log is replayed.
      assert(status("bounds_met") + status("bounds_passed") == 1, Holdfast.status())
    }
  }
}
