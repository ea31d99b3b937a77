package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import org.apache.spark.SparkEnv
import org.apache.spark.rdd.RDD

/** A program whose cached partitions all lie on one executor, and who owns slots on another one, too. */
class LocalitySpec extends Scenarios {
  private val Slots = 4
  // Long enough that the first task of its kind on an executor, with classes to load, does not look remote.
  private val LocalMs = 1000L

  /** Runs three rounds over the cached data; how many tasks of each ran away from it. The program holds all slots that come
    * free, beside a crowd, or finds them free, on Spark as it is.
    */
  private def remote(penalty: Int, holds: Boolean = true): Seq[Int] =
    withSpark(
      s"local-cluster[2,${Slots / 2 + 1},512]",
      "spark.plugins" -> (if (holds) Scenarios.Plugin else ""),
      "spark.holdfast.pool.important.priority" -> "5",
      "spark.holdfast.spread" -> "false",
      "spark.holdfast.linger.first" -> "5s"
    ) { app =>
      app.awaitExecutors(2)
      // One slot of each executor stays busy, so that holds in a gap do not yield to whoever waits.
      val gates = Seq.fill(Slots + 2)(app.gate())
      val others = app.start("others")(app.stage(Slots + 2)(i => gates(i).await()).count())
      app.awaitRunning("others", Slots + 2)
      val (here, there) = app.launches.of("others").partition(_.executor == "0")
      here.tail.foreach(launch => gates(launch.index).open())
      app.await("free slots on one executor")(app.launches.ends("others").size == here.size - 1)
      val (cached, go) = (app.gate(), app.gate())
      val important = app.start("important", "spark.scheduler.pool" -> "important") {
        val data = Placed.cached(app, Slots)
        data.count()
        cached.open()
        go.await()
        Seq.fill(3)(Placed.round(data, LocalMs, penalty))
      }
      cached.await()
      val crowd = Option.when(holds)(new Crowd(app).start())
      there.tail.foreach(launch => gates(launch.index).open())
      app.await("free slots on the other one")(app.launches.ends("others").size == Slots)
      if (holds) Wait.until("a hold for each partition")(held == Slots)
      go.open()
      val rounds = important.result
      gates.foreach(_.open())
      crowd.foreach(_.stop())
      assert(others.result == Slots + 2)
      if (holds) assertNothingLeft()
      rounds
    }

  test("a remote read that costs less than a second wave is taken") {
    assert(remote(penalty = 1).forall(_ == Slots / 2))
  }

  without("holds: Spark waits for its locality, and a second wave is what comes of it") {
    assert(remote(penalty = 1, holds = false).forall(_ == 0))
  }

  nightly("one that costs more is tried on an executor that is new to it, and once more") {
    assert(remote(penalty = 4) == Seq(Slots / 2, Slots / 2, 0))
  }

  /** The program's partitions lie on one executor; while it was away that was taken, and it holds slots on the other one. A slot
    * next to its partitions comes free: how many tasks of its next round run away from them?
    */
  private def remoteAfterAPause(grow: Boolean): Int =
    withHoldfast(
      "local-cluster[2,2,512]",
      "spark.holdfast.spread" -> "false",
      "spark.holdfast.grow" -> grow.toString,
      "spark.locality.wait" -> "100ms",
      "spark.holdfast.linger.first" -> "60s",
      "spark.holdfast.linger.max" -> "60s"
    ) { app =>
      app.awaitExecutors(2)
      val last = app.gate()
      val gates = Seq.fill(4)(app.gate())
      val others = app.start("others")(app.stage(4)(i => gates(i).await()).count())
      app.awaitRunning("others", 4)
      // Which tasks are on which executor is Spark's choice.
      val (home, away) = app.launches.of("others").partition(_.executor == "0")
      def open(tasks: Seq[Launch]): Unit = tasks.foreach(task => gates(task.index).open())
      open(home)
      app.await("two free slots")(app.launches.ends("others").size == 2)
      val (again, taken) = (app.gate(), app.gate())
      val program = app.start("important") {
        val data = Holdfast.workflow("mine", 5) {
          val data = Placed.cached(app, 2)
          data.count()
          data
        }
        taken.await()
        Holdfast.workflow("mine", 5) {
          val rounds = Placed.round(data, 500, 1)
          again.await()
          (rounds, Placed.round(data, 500, 1))
        }
      }
      app.await("the cached partitions")(app.launches.ends("important").size == 2)
      val takers = app.start("takers")(app.stage(2)(_ => last.await()).count())
      app.awaitRunning("takers", 2)
      val crowd = new Crowd(app, sleepMs = 60000).start()
      val known = app.taskSets
      taken.open()
      app.await("the round's task set")(app.taskSets > known)
      open(away)
      app.await("a round away from the partitions")(app.launches.ends("important").size == 4)
      Wait.until("two holds")(held == 2)
      last.open()
      assert(takers.result == 2)
      app.drain()
      again.open()
      val (before, after) = program.result
      assert(before == 2 && others.result == 4)
      crowd.stop()
      after
    }

  test("a hold is swapped for one next to the program's partitions") {
    assert(remoteAfterAPause(grow = true) == 0)
  }

  without("grow: it is not") {
    assert(remoteAfterAPause(grow = false) == 2)
  }
}

/** The functions go to executors: they must know nothing of a suite. */
object Placed {

  /** Each partition remembers where it was cached. */
  def cached(app: App, n: Int): RDD[String] =
    app.stage(n)(_ => ()).mapPartitions(_ => Iterator(SparkEnv.get.executorId)).cache()

  /** A task takes `ms`, or so many times as long where its partition is not. Answers how many ran there. */
  def round(data: RDD[String], ms: Long, penalty: Int): Int =
    data
      .mapPartitions { rows =>
        val away = rows.next() != SparkEnv.get.executorId
        Thread.sleep(if (away) penalty * ms else ms)
        Iterator(if (away) 1 else 0)
      }
      .collect()
      .sum
}
