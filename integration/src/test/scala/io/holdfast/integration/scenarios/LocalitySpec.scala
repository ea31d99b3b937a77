package io.holdfast.integration.scenarios

import org.apache.spark.SparkEnv
import org.apache.spark.rdd.RDD

/** A program whose cached partitions all lie on one executor, and who owns slots on another one, too. */
class LocalitySpec extends Scenarios {
  private val Slots = 4
  // Long enough that the first task of its kind on an executor, with classes to load, does not look remote.
  private val LocalMs = 1000L

  /** Runs three rounds over the cached data; how many tasks of each ran away from it. */
  private def remote(penalty: Int): Seq[Int] =
    withHoldfast(
      s"local-cluster[2,${Slots / 2 + 1},512]",
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
      val crowd = new Crowd(app).start()
      there.tail.foreach(launch => gates(launch.index).open())
      Wait.until("a hold for each partition")(held == Slots)
      go.open()
      val rounds = important.result
      gates.foreach(_.open())
      crowd.stop()
      assert(others.result == Slots + 2)
      rounds
    }

  test("a remote read that costs less than a second wave is taken") {
    assert(remote(penalty = 1).forall(_ == Slots / 2))
  }

  test("one that costs more is tried once") {
    val rounds = remote(penalty = 4)
    assert(rounds.head == Slots / 2 && rounds.tail.forall(_ == 0))
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
