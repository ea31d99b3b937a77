package io.holdfast.integration.scenarios

/** An important program begins while a crowd has all slots; one executor becomes free long before the other. */
class SpreadSpec extends Scenarios {
  private val Slots = 4
  private val common = Seq("spark.holdfast.pool.important.priority" -> "5", "spark.holdfast.spread.max" -> "10min")

  /** How many of the program's tasks executors 0 and 1 got. The second becomes free, by one slot, when all that the first may
    * get has run there.
    */
  private def filled(cached: Boolean, spreads: Boolean, conf: (String, String)*): (Int, Int) =
    withHoldfast("local-cluster[2,2,512]", conf ++ common: _*) { app =>
      app.awaitExecutors(2)
      val gates = Seq.fill(Slots)(app.gate())
      val crowd = app.start(Crowd.Role)(app.stage(Slots)(i => gates(i).await()).count())
      app.awaitRunning(Crowd.Role, Slots)
      val (first, second) = app.launches.of(Crowd.Role).partition(_.executor == "0")
      val important = app.start("important", "spark.scheduler.pool" -> "important") {
        // The longer the tasks take, the longer the rest of them waits for a balanced cache.
        val rdd = app.stage(Slots)(_ => Thread.sleep(if (spreads) 2000 else 0))
        (if (cached) rdd.persist() else rdd).count()
      }
      app.await("its task set")(app.taskSets == 2)
      first.foreach(launch => gates(launch.index).open())
      if (spreads) app.await("its share of the first executor")(app.launches.ends("important").size == Slots / 2)
      else important.over()
      gates(second.head.index).open()
      assert(important.result == Slots)
      gates(second.last.index).open()
      assert(crowd.result == Slots)
      app.drain()
      val (here, there) = app.launches.of("important").partition(_.executor == "0")
      (here.size, there.size)
    }

  test("what fills the cache is spread: the executor that is free first gets its share, the other one the rest") {
    assert(filled(cached = true, spreads = true) == (2, 2))
  }

  without("a cache to fill: it goes where there is room") {
    assert(filled(cached = false, spreads = false) == (4, 0))
  }

  without("spread: what fills the cache goes where there is room") {
    assert(filled(cached = true, spreads = false, "spark.holdfast.spread" -> "false") == (4, 0))
  }
}
