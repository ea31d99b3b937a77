package io.holdfast.integration.scenarios

import org.apache.spark.SparkException
import org.apache.spark.sql.{Column, SparkSession}
import org.apache.spark.sql.functions.{col, count, lit, rand, udf}

/** No slot is kept for another query. */
class PoolOfQueriesSpec extends PoolOfQueries {
  override protected def bridge = "0s"

  scenario("after a query nothing is held for the next one, whose-ever it is") { app =>
    app.awaitExecutors(2)
    val (before, expired) = (made, ends("expired"))
    app.run("important", pool)(query())
    val crowd = new Crowd(app).start()
    app.awaitRunning(Crowd.Role, Slots)
    assert(made > before, "it held slots between its stages")
    assert((held, ends("expired")) == ((0L, expired)), "no deadline had to come for the crowd to run")
    crowd.stop()
  }

  scenario("after a job of no query the pool keeps its slots for the next one") { app =>
    val program = app.gate()
    val bystander = app.start("bystander")(app.stage(1)(_ => program.await()).count())
    app.awaitRunning("bystander", 1)
    app.run("important", pool)(app.stage(Slots - 1)(_ => ()).count())
    assert(held > 0)
    app.run("important", pool)(query())
    app.await("the end of its holds")(held == 0)
    program.open()
    assert(bystander.result == 1)
  }

  scenario("of two queries at a time none takes the slots that the other one is going to need") { app =>
    val (bystander, first) = (app.gate(), app.gate())
    val waiting = app.start("bystander")(app.stage(1)(_ => bystander.await()).count())
    app.awaitRunning("bystander", 1)
    val earlier = app.start("earlier", pool)(query(3, first))
    app.awaitRunning("earlier", 3)
    val wanting = app.taskSets
    // Spark's own order has the later query's wide stage before the earlier one's next: that is a job of its own.
    val later = app.start("later", pool)(query(8, first))
    app.await("the later query's tasks")(app.taskSets > wanting)
    first.open()
    Seq(earlier, later).foreach(_.result)
    bystander.open()
    assert(waiting.result == 1)
    app.drain()
    val own = app.launches.of("earlier")
    assert(own.size > 3 && app.launches.between("later", own(2).id, own(3).id).isEmpty, app.launches.all)
  }

  scenario("what one query has shown is foreseen of another one at the same time") { app =>
    val (open, first, second, last) = (app.gate(), app.gate(), app.gate(), app.gate())
    open.open()
    app.run("shows", pool)(narrowing(open))
    val other = app.start("other", pool)(query(1, first))
    app.awaitRunning("other", 1)
    def inItsLastStage(role: String, gate: Gate): Long = {
      val query = app.start(role, pool)(narrowing(gate))
      app.await("its last stage")(app.launches.of(role).size == Slots && app.launches.running(role) == 1)
      val kept = held
      gate.open()
      query.result
      kept
    }
    assert(inItsLastStage("again", second) == 0, "it knows that nothing follows")
    assert(inItsLastStage("once more", last) == 0)
    first.open()
    other.result
  }

  scenario("of a query of any size the first nodes say whether it is known") { app =>
    def inItsLastStage(role: String, columns: Int, last: Column): Long = {
      val open = app.gate()
      val query = app.start(role, pool)(narrowing(open, Seq.fill(columns)(lit(1)) :+ last))
      app.await("its last stage")(app.launches.of(role).size == Slots && app.launches.running(role) == 1)
      val kept = held
      open.open()
      query.result
      kept
    }
    assert(inItsLastStage("many columns", 11000, lit(1)) > 0, "nobody has seen it before")
    assert(inItsLastStage("another one far behind", 11000, rand(1)) == 0, "it knows that nothing follows")
    assert(inItsLastStage("few columns", 2, lit(1)) > 0)
    assert(inItsLastStage("another one of few", 2, rand(1)) > 0)
  }

  scenario("a query of two sides is known again whichever of them comes first") { app =>
    def inItsLastStage(role: String, leftFirst: Boolean): Long = {
      val (left, right, last) = (app.gate(), app.gate(), app.gate())
      val query = app.start(role, pool)(joining(left, right, last))
      def awaitStage(launched: Int, running: Int): Unit = app.await(s"$launched launches") {
        app.launches.of(role).size == launched && app.launches.running(role) == running
      }
      (if (leftFirst) left else right).open()
      // Both scans, and what follows the one whose tasks have ended.
      awaitStage(2 * (Slots - 1) + 1, running = Slots - 1)
      (if (leftFirst) right else left).open()
      awaitStage(2 * (Slots - 1) + 3, running = 1)
      val kept = held
      last.open()
      query.result
      kept
    }
    assert(inItsLastStage("left first", leftFirst = true) > 0, "nobody has seen it before")
    assert(inItsLastStage("right first", leftFirst = false) == 0, "it knows that nothing follows")
  }

  end()
}

/** Slots are kept for another query for as long as the linger. */
class BridgedPoolOfQueriesSpec extends PoolOfQueries {
  override protected def bridge = "600s"

  scenario("the next query finds the slots of the one before") { app =>
    app.awaitExecutors(2)
    app.run("important", pool)(query())
    app.drain()
    val (kept, used, expired) = (held, ends("used"), ends("expired"))
    assert(kept > 0, "the end of the query has been heard")
    app.run("important", pool)(query())
    assert(ends("used") >= used + kept && ends("expired") == expired)
    // What fails leaves nothing behind.
    intercept[SparkException](app.run("important", pool)(app.stage(1)(_ => sys.error("on purpose")).count()))
    app.await("the end of its holds")(held == 0)
  }

  end()
}

/** Queries of several users in one pool, and programs of jobs there. */
trait PoolOfQueries extends SharedApplication {
  protected val Slots = 4
  protected val pool = "spark.scheduler.pool" -> "dashboards"

  /** How long slots are kept after a query. */
  protected def bridge: String

  override protected def master = s"local-cluster[2,${Slots / 2},512]"
  // Whoever kept slots for the linger would do so for longer than this takes.
  override protected def conf: Seq[(String, String)] = Seq(
    "spark.holdfast.pool.dashboards.priority" -> "10",
    "spark.holdfast.linger.first" -> "600s",
    "spark.holdfast.hold.max" -> "600s",
    "spark.holdfast.linger.query" -> bridge,
    "spark.sql.shuffle.partitions" -> Slots.toString,
    "spark.sql.adaptive.enabled" -> "true",
    "spark.sql.warehouse.dir" -> "warehouse-is-not-used"
  )

  protected def query(): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    val rows = spark.sql(s"select id % 7, count(*) from range(0, 7000, 1, $Slots) group by 1").collect()
    assert(rows.map(_.getLong(1)).sum == 7000)
  }

  /** Its first stage has so many tasks, which wait for a gate. */
  protected def query(width: Int, gate: Gate): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    val waits = udf { (id: Long) => gate.await(); id }
    val rows =
      spark.range(0, width.toLong, 1, width).select((waits(col("id")) % 2).as("k")).groupBy("k").count().collect()
    assert(rows.map(_.getLong(1)).sum == width)
  }

  /** Its first stage has all but one slot, and the one task of its last stage waits for a gate.
    *
    * @param unused columns of its plan that nothing is computed of
    */
  protected def narrowing(gate: Gate, unused: Seq[Column] = Nil): Unit = {
    val waits = udf { (n: Long) => gate.await(); n }
    val spark = SparkSession.builder().getOrCreate()
    val ids = spark.range(0, 7000, 1, Slots - 1).select(col("id") +: unused: _*)
    val counts = ids.groupBy(col("id") % 7).count()
    assert(counts.select(waits(col("count"))).collect().map(_.getLong(0)).sum == 7000)
  }

  /** Two sums of all but one slot each, one made into one partition; the one task of what joins them waits for a gate. */
  protected def joining(left: Gate, right: Gate, last: Gate): Unit = {
    val spark = SparkSession.builder().getOrCreate()
    def waits(gate: Gate) = udf { (n: Long) => gate.await(); n }
    def sums(gate: Gate) =
      spark.range(0, 21, 1, Slots - 1).groupBy(waits(gate)(col("id")) % 7).agg(count(lit(1)).as("n"))
    val joined = sums(left).coalesce(1).hint("merge").join(sums(right), "n").select(waits(last)(col("n")))
    assert(joined.collect().map(_.getLong(0)).toSeq == Seq.fill(49)(3L))
  }

  protected def ends(how: String): Long = holds.required(how).asLong
}
