package io.holdfast.integration.scenarios

import io.holdfast.Holdfast

/** Who comes first when one slot is free; a single slot makes the order of launches certain. */
class OrderSpec extends Scenarios {

  /** Submits programs one after the other while the slot is taken, then frees it. Returns the roles in the order of their launches. */
  private def order(app: App, programs: (App => Running[_])*)(beforeTheEnd: => Unit): Seq[String] = {
    val gate = app.gate()
    val first = app.start("first")(app.stage(1)(_ => gate.await()).count())
    app.awaitRunning("first", 1)
    val running = programs.map { program =>
      val before = app.taskSets
      val started = program(app)
      app.await("its task set")(app.taskSets > before)
      started
    }
    beforeTheEnd
    gate.open()
    (first +: running).foreach(_.result)
    app.drain()
    app.launches.all.map(_.role).tail
  }

  private def program(role: String, properties: (String, String)*): App => Running[_] =
    app => app.start(role, properties: _*)(app.stage(2)(_ => ()).count())

  private def scope(role: String, priority: Int): App => Running[_] =
    app => app.start(role)(Holdfast.workflow(role, priority)(app.stage(2)(_ => ()).count()))

  private def twice(roles: String*): Seq[String] = roles.flatMap(role => Seq(role, role))

  // All kinds of priorities, least important first; between them two programs without any.
  private val programs = Seq(
    program("negative", "spark.holdfast.priority" -> "-5"),
    program("none in b", "spark.scheduler.pool" -> "b"),
    program("none in a", "spark.scheduler.pool" -> "a"),
    scope("scope", 10),
    program("property", "spark.holdfast.priority" -> "20"),
    program("group", "spark.jobGroup.id" -> "etl-7"),
    program("tag", "spark.job.tags" -> "daily,report-7"),
    program("description", "spark.job.description" -> "select 1 from t"),
    program("pool", "spark.scheduler.pool" -> "vip"),
    program("property in a pool", "spark.scheduler.pool" -> "other", "spark.holdfast.priority" -> "50")
  )
  private val important = Seq("property in a pool", "pool", "tag", "description", "group", "property", "scope")
  private val conf = Seq(
    "spark.holdfast.group.etl-*.priority" -> "30",
    "spark.holdfast.tag.report-*.priority" -> "35",
    "spark.holdfast.description.select *.priority" -> "33",
    "spark.holdfast.pool.vip.priority" -> "40",
    "spark.holdfast.pool.other.priority" -> "1",
    "spark.holdfast.linger.first" -> "200ms",
    "spark.holdfast.linger.max" -> "200ms"
  )

  private def withMode(mode: String) = conf :+ ("spark.scheduler.mode" -> mode)

  test("FIFO: more important programs first, equal ones in the order of submission") {
    val launched = withHoldfast("local[1]", withMode("FIFO"): _*)(order(_, programs: _*)(()))
    assert(launched == twice(important ++ Seq("none in b", "none in a", "negative"): _*))
  }

  without("priorities by name: those count that programs give themselves, the others are equal") {
    val byName = conf.filterNot(_._1.endsWith(".priority")) :+ ("spark.scheduler.mode" -> "FIFO")
    val launched = withHoldfast("local[1]", byName: _*)(order(_, programs: _*)(()))
    val own = Seq("property in a pool", "property", "scope")
    val others = Seq("none in b", "none in a", "group", "tag", "description", "pool", "negative")
    assert(launched == twice(own ++ others: _*))
  }

  test("FAIR: more important programs first, equal ones as the pools have it") {
    val launched = withHoldfast("local[1]", withMode("FAIR"): _*)(order(_, programs: _*)(()))
    assert(launched == twice(important ++ Seq("none in a", "none in b", "negative"): _*))
  }

  test("among equals the order is Spark's own") {
    val equals = Seq("c", "a", "b").map(pool => program(pool, "spark.scheduler.pool" -> pool))
    Seq("FIFO", "FAIR").foreach { mode =>
      val stock = withSpark("local[1]", "spark.scheduler.mode" -> mode)(order(_, equals: _*)(()))
      val ours = withHoldfast("local[1]", "spark.scheduler.mode" -> mode)(order(_, equals: _*)(()))
      assert(ours == stock, mode)
    }
  }

  test("a priority that changes while programs wait changes their order") {
    val pools = Seq("a", "b", "c").map(pool => program(pool, "spark.scheduler.pool" -> pool))
    val launched = withHoldfast("local[1]", withMode("FIFO"): _*) { app =>
      order(app, pools: _*) {
        Holdfast.setPriority("pool.c", 7)
        Holdfast.setPriority("pool.b", 9)
        Holdfast.setPriority("pool.c", 8)
        intercept[IllegalArgumentException](Holdfast.setPriority("c", 1))
        ()
      }
    }
    assert(launched == twice("b", "c", "a"))
  }
}
