package io.holdfast.integration.scenarios

import io.holdfast.Holdfast
import org.apache.spark.HashPartitioner
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{Dataset, SparkSession}
import org.apache.spark.sql.functions.{col, udf}

/** Slots that are claimed for a wide stage which then does not come: in its first run a workflow goes from one task to four,
  * in its second one from one to one.
  */
class GiveBackSpec extends Scenarios {
  private val Slots = 4
  private val conf = Seq(
    "spark.sql.adaptive.enabled" -> "true",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "1k",
    "spark.sql.adaptive.coalescePartitions.minPartitionSize" -> "1k",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst" -> "false",
    "spark.sql.shuffle.partitions" -> Slots.toString,
    "spark.sql.warehouse.dir" -> "warehouse-is-not-used",
    // What ends a hold here is that it is not needed any more.
    "spark.holdfast.linger.first" -> "60s",
    "spark.holdfast.linger.max" -> "60s"
  )

  test("what was claimed for the wide stage of a query goes to the crowd when adaptive execution makes it narrow") {
    givesBack { app =>
      val spark = SparkSession.builder().config(app.sc.getConf).getOrCreate()
      (round, narrow, last) => {
        val rows = if (round == 1) 20000 else Slots
        GiveBack.query(spark, rows, narrow, last).collect().length == rows
      }
    }
  }

  test("and when the wide stage is skipped, since its output is there") {
    givesBack { app =>
      val wide = GiveBack.shuffled(app.stage(Slots)(_ => ()))
      (_, narrow, last) => {
        app.stage(1)(_ => narrow.await()).count()
        GiveBack.reading(wide, last).count() == Slots
      }
    }
  }

  /** @param program
    *   in its second run it is done with its narrow stage when the first gate opens, and with its last one when the second
    *   does
    */
  private def givesBack(program: App => (Int, Gate, Gate) => Boolean): Unit =
    // In the driver nobody but us asks for offers again.
    withHoldfast(s"local[${Slots + 1}]", conf: _*) { app =>
      val work = program(app)
      def start(round: Int, narrow: Gate, last: Gate) =
        app.start(s"important-$round")(Holdfast.workflow("nightly", 5)(work(round, narrow, last)))
      val open = app.gate()
      open.open()
      assert(start(1, open, open).result)
      app.drain()
      assert(widths(app, 1) == Seq(1, Slots) || widths(app, 1) == Seq(1, Slots, 1))

      // While somebody's task runs, holds across a gap do not yield as they do when all that is left is waiting.
      val bystander = app.gate()
      val waiting = app.start("bystander")(app.stage(1)(_ => bystander.await()).count())
      app.awaitRunning("bystander", 1)
      val (narrow, last) = (app.gate(), app.gate())
      val important = start(2, narrow, last)
      app.awaitRunning("important-2", 1)
      val crowd = new Crowd(app).start()
      Wait.until("a hold for each task of the wide stage but the one whose slot is in use")(held == Slots - 1)
      app.drain()
      assert(app.launches.of(Crowd.Role).isEmpty)
      val (dropped, expired) = (count("dropped"), count("expired"))
      narrow.open()
      app.awaitRunning(Crowd.Role, Slots - 1)
      app.drain()
      assert(!important.isOver && widths(app, 2) == Seq(1, 1))
      // The last stage began first, and the crowd got what that did not need.
      assert(app.launches.of("important-2").last.id < app.launches.of(Crowd.Role).head.id)
      assert(held == 0 && count("dropped") == dropped + Slots - 1 && count("expired") == expired)
      last.open()
      assert(important.result)
      bystander.open()
      waiting.result
      crowd.stop()
    }

  private def count(what: String): Long = holds.required(what).asLong

  /** How many tasks each stage of a round launched. */
  private def widths(app: App, round: Int): Seq[Int] = {
    val own = app.launches.of(s"important-$round")
    own.map(_.stage).distinct.map(stage => own.count(_.stage == stage))
  }
}

/** What goes to executors must know nothing of a suite. */
object GiveBack {

  def shuffled(before: RDD[Int]): RDD[(Int, Int)] = before.map(k => (k, k)).partitionBy(new HashPartitioner(1))

  def reading(shuffled: RDD[(Int, Int)], gate: Gate): RDD[Int] =
    shuffled.values.mapPartitions { rows => gate.await(); rows }

  /** A stage of one task and, behind a shuffle, one of as many as its rows are worth; one row waits in each. */
  def query(spark: SparkSession, rows: Long, narrow: Gate, last: Gate): Dataset[Long] = {
    import spark.implicits._
    def waiting(gate: Gate) = udf { (id: Long) => if (id == 0) gate.await(); id }.asNondeterministic()
    val before = spark.range(0, rows, 1, 1).select(waiting(narrow)(col("id")).as("id"))
    before.repartition(col("id")).select(waiting(last)(col("id")).as("id")).as[Long]
  }
}
