package io.holdfast.session

import java.util.Properties

import io.holdfast.bridge.{NativeEngine, Pick}
import io.holdfast.config.Keys
import io.holdfast.notice.Heard
import org.scalatest.funsuite.AnyFunSuite

/** What a session tells and asks an engine that says which task is next. */
class StragglersSpec extends AnyFunSuite {
  private val Tasks = 4
  private val Stage = 11
  private val Second = 1000000000L

  /** A session with one executor, and one result stage that runs there. */
  private class Running(conf: (String, String)*) {
    var now = 0L
    val session: Session = new VirtualTime(() => now, lagMillis = 0).session(conf.toMap, () => ())
    session.open("app-1")
    assert(session.live)
    session.beginRound(true)
    session.defineProfile(0, 0, 1000, 0, 0)
    Seq("e", "f").foreach(session.offer(_, 0, 4000, 0, 0, false))
    private val plan = Array(Stage, Tasks, 0, 0, 1)
    val set: SetRef =
      session.submitted(1, Stage, Tasks, 0, NativeEngine.RESULT, false, null, false, plan, () => false)
    val stragglers: Stragglers = session.stragglers

    def launch(attempt: Long, task: Int): Unit = session.launched(set, attempt, task, "e", true)
    def pick: Long = stragglers.pick(set, "f")
  }

  private val gs = "spark.holdfast.stragglers" -> "gs"
  private val all = "spark.holdfast.copies" -> "all"

  test("where the engine picks, its choices come through the library") {
    val running = new Running(gs, all)
    assert(running.stragglers.told && running.stragglers.picking)
    assert(running.pick == Pick.HOST, "no bound: the host's order")
    (0 until Tasks).foreach(task => running.launch(1000L + task, task))
    running.now = Second
    running.session.freed(1000, NativeEngine.FINISHED)
    running.now = 10 * Second
    running.session.tick()
    assert(Pick.isCopy(running.pick) && Pick.copied(running.pick) == 1, running.pick)
    assert(running.stragglers.wantsCopies(running.set) && running.stragglers.copy(running.set, "f") == 1)
    assert(running.stragglers.pick(running.set, "e") == Pick.NOTHING, "not where it runs")
    running.session.close()
    assert(running.pick == Pick.HOST, "after the end")
  }

  test("the default asks nothing, nor does an engine that only observes") {
    val holds = new Running(all)
    assert(!holds.stragglers.told && !holds.stragglers.picking && !holds.stragglers.mayCopy)
    assert(holds.pick == Pick.HOST)
    holds.session.close()
    val observing = new Running(gs, "spark.holdfast.mode" -> "observe")
    assert(observing.stragglers.told && !observing.stragglers.picking)
    assert(observing.pick == Pick.HOST)
    observing.session.close()
  }

  private def local(properties: (String, String)*): Properties = {
    val local = new Properties
    properties.foreach { case (key, value) => local.setProperty(key, value) }
    local
  }

  test("an action of ours has its deadline since it was called, so that its end does not come first") {
    val called = System.currentTimeMillis() - 2000
    val running = new Running(gs)
    val waited = local(Keys.LOCAL_DEADLINE -> "5s", Keys.LOCAL_PARTIAL -> called.toString)
    running.stragglers.bounded(1, Stage, false, Stragglers.UNBOUNDED, waited)
    running.now = 3 * Second
    running.session.tick()
    assert(running.session.status(null).contains("\"bounds_passed\":1"))
    running.session.close()
  }

  private val Smallest = 0xffffffffL << 3 | 3

  test("a deadline lets the smallest task begin, until it has passed") {
    val running = new Running(gs)
    running.stragglers.sized(running.set, Array(40, 30, 20, 10))
    running.stragglers.bounded(1, Stage, false, Stragglers.UNBOUNDED, local(Keys.LOCAL_DEADLINE -> "5s"))
    assert(running.pick == Smallest)
    running.now = 6 * Second
    running.session.tick()
    assert(running.pick == Pick.HOST, "somebody may still wait for the rest")
    assert(running.session.status(null).contains("\"bounds_passed\":1"))
    running.session.close()
  }

  test("a driver that pauses past a deadline finds an ordinary job, whatever it hears first") {
    val heard = Seq[Running => Unit](
      _.session.freed(4003, NativeEngine.FINISHED),
      _.stragglers.progressed(4003, 500000),
      _.launch(4002, 2),
      _.session.tick()
    )
    heard.foreach { first =>
      val running = new Running(gs, all)
      running.stragglers.sized(running.set, Array(40, 30, 20, 10))
      running.stragglers.bounded(1, Stage, false, Stragglers.UNBOUNDED, local(Keys.LOCAL_DEADLINE -> "5s"))
      running.launch(4003, 3)
      running.now = 3600 * Second
      first(running)
      assert(running.pick == Pick.HOST)
      assert(running.session.status(null).contains("\"bounds_passed\":1"))
      running.session.close()
    }
  }

  test("of an approximate action and a property the earlier deadline counts, and what nobody waits for is ordinary") {
    Seq(2000L -> true, 60000L -> true, 0L -> false, -5L -> false).foreach { case (left, bounded) =>
      val running = new Running(gs)
      running.stragglers.bounded(1, Stage, false, left, local(Keys.LOCAL_DEADLINE -> "3s"))
      assert((running.pick == Smallest) == bounded, left)
      running.now = math.min(3000, left) * Second / 1000 + 1000000
      running.session.tick()
      assert(running.pick == Pick.HOST, left)
      running.session.close()
    }
  }

  test("an action that ends when it has enough leaves out as many tasks as its error says, the largest") {
    val running = new Running(gs)
    running.stragglers.sized(running.set, Array(40, 30, 20, 10))
    val enough = local(Keys.LOCAL_ERROR -> "0.5", Keys.LOCAL_PARTIAL -> "true")
    running.stragglers.bounded(1, Stage, false, Stragglers.UNBOUNDED, enough)
    running.launch(2003, 3)
    val pick = running.pick
    assert(Pick.isPending(pick) && Pick.largest(pick) && Pick.most(pick) == 20)
    running.launch(2002, 2)
    Seq(2003L, 2002L).foreach(running.session.freed(_, NativeEngine.FINISHED))
    assert(running.pick == Pick.NOTHING, "its bound is met")
    running.session.close()
  }

  test("with an error an action that waits for all partitions gets all of them, and hears why") {
    val running = new Running(gs)
    val said = Heard.during {
      running.stragglers.bounded(1, Stage, false, Stragglers.UNBOUNDED, local(Keys.LOCAL_ERROR -> "0.25"))
    }
    assert(said.size == 1 && said.head.contains(Keys.LOCAL_ERROR) && said.head.contains("all partitions"), said)
    assert(Pick.isPending(running.pick) && Pick.largest(running.pick))
    (0 until Tasks).foreach { task =>
      assert(running.pick != Pick.NOTHING)
      running.launch(3000L + task, task)
      running.session.freed(3000L + task, NativeEngine.FINISHED)
    }
    running.session.close()
  }

  test("a malformed bound costs one warning with key, value and fix, and the job is ordinary") {
    val wrong = Seq("NaN", "-3s", "0", "soon", "1.5s").map(Keys.LOCAL_DEADLINE -> _) ++
      Seq("NaN", "-0.1", "1", "1.5", "few").map(Keys.LOCAL_ERROR -> _)
    wrong.foreach { case (key, value) =>
      val running = new Running(gs)
      def bound(job: Int): Unit =
        running.stragglers.bounded(job, Stage, false, Stragglers.UNBOUNDED, local(key -> value))
      val said = Heard.during(bound(1))
      assert(said.size == 1 && said.head.contains(s"$key=$value is not a ") && said.head.contains("for example"), said)
      assert(running.pick == Pick.HOST)
      running.session.close()
    }
  }

  test("a bound that can change nothing is ignored, which is said") {
    def said(conf: Seq[(String, String)], barrier: Boolean, more: (String, String)*): String = {
      val running = new Running(conf: _*)
      val deadline = more :+ (Keys.LOCAL_DEADLINE -> "5s")
      val said = Heard.during {
        running.stragglers.bounded(1, Stage, barrier, Stragglers.UNBOUNDED, local(deadline: _*))
      }
      assert(running.pick == Pick.HOST)
      running.session.close()
      said.mkString
    }
    assert(said(Nil, barrier = false).contains("spark.holdfast.stragglers=holds"))
    assert(said(Seq(gs), barrier = true).contains("barrier"))
    assert(said(Seq(gs), barrier = false, "sql.streaming.queryId" -> "q").contains("streaming"))
  }

  test("what an attempt has read says when it ends, whatever comes late or twice") {
    val running = new Running(gs, all)
    (0 until Tasks).foreach(task => running.launch(1000L + task, task))
    running.now = Second
    running.session.freed(1000, NativeEngine.FINISHED)
    running.now = 2 * Second
    running.stragglers.progressed(1001, 990000)
    running.stragglers.progressed(1002, 100000)
    running.stragglers.progressed(1003, 900000)
    Seq(1000L, 77L).foreach(running.stragglers.progressed(_, 500000))
    running.stragglers.progressed(1002, 50000)
    assert(running.pick == (2L << 2 | 2), "the one that is least far")
    assert(running.session.live)
    running.session.close()
    running.stragglers.progressed(1002, 500000)
  }

  test("all numbers of a choice are read back") {
    val most = 0xffffffffL
    Seq(true, false).foreach { largest =>
      val pick = most << 3 | (if (largest) 4 else 0) | 3
      assert(Pick.isPending(pick) && !Pick.isCopy(pick))
      assert(Pick.largest(pick) == largest && Pick.most(pick) == most)
    }
  }
}
