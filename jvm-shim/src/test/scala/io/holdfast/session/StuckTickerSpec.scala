package io.holdfast.session

import java.util.Properties
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import io.holdfast.bridge.{NativeEngine, Wake}
import io.holdfast.config.Settings
import io.holdfast.history.History
import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

/** Sessions whose ticker never does anything: rounds of offers and heartbeats do it. */
class StuckTickerSpec extends AnyFunSuite {
  private val Cpu = 1000

  private class Stuck(conf: (String, String)*) extends Timekeeper with SparkSide {
    var millis = 0L
    var revived = 0
    override def nanoTime(): Long = TimeUnit.MILLISECONDS.toNanos(millis)
    override def keep(session: Session, wake: Wake): Unit = ()
    override def revive(): Unit = revived += 1

    val session: Session = {
      val settings = Settings.parse(conf.toMap.asJava)
      new Session(settings, "a test", History.of(settings, new Configuration(false)), this, this)
    }
    session.open("app-1")
    session.beginRound(true)
    session.defineProfile(0, 0, Cpu, 0, 0)
    offer(1)

    def offer(free: Int): Unit = session.offer("e", 0, free * Cpu, 0, 0, false)

    def submit(job: Int, priority: Int, plan: Array[Int], tasks: Int = 1): SetRef = {
      val own = new Properties
      if (priority > 0) own.setProperty("spark.holdfast.priority", priority.toString)
      session.submitted(job, job * 10, tasks, 0, NativeEngine.SHUFFLE_MAP, false, own, false, plan, () => false)
    }

    def counters: Map[String, Int] = session.counters.asScala.map { case (name, n) => name -> n.intValue }.toMap

    /** The only slot is held for the second stage of an important job; another job waits for it. */
    def hold(): SetRef = {
      val first = submit(1, 10, Array(10, 1, 1, 0, 1, 11, 1, 0, 0, 2))
      session.launched(first, 1001, 0, "e", true)
      session.freed(1001, NativeEngine.FINISHED)
      session.ended(first)
      val crowd = submit(2, 0, Array(20, 1, 0, 0, 3))
      session.beginRound(true)
      offer(1)
      assert(session.ask(crowd, "e") == Asks.VETO && counters("held") == 1)
      crowd
    }
  }

  test("a hold ends in the first round after its deadline") {
    val stuck = new Stuck("spark.holdfast.hold.max" -> "2s")
    val crowd = stuck.hold()
    import stuck.session
    stuck.millis = 1999
    session.beginRound(true)
    stuck.offer(1)
    assert(session.ask(crowd, "e") == Asks.VETO)
    stuck.millis = 2000
    session.beginRound(true)
    stuck.offer(1)
    assert(stuck.counters("expired") == 1 && stuck.counters("held") == 0)
    assert(session.admits(crowd) && session.ask(crowd, "e") == Asks.ALLOW)
    session.close()
  }

  test("where only a ticker would ask for a round, a heartbeat does so a second later") {
    val stuck = new Stuck("spark.holdfast.hold.max" -> "2s")
    stuck.hold()
    val before = stuck.revived
    stuck.session.heartbeat()
    assert(stuck.revived == before, "nothing is due")
    stuck.millis = 2999
    stuck.session.heartbeat()
    assert(stuck.revived == before && stuck.counters("held") == 1, "a ticker that lives comes first")
    stuck.millis = 3000
    stuck.session.heartbeat()
    assert(stuck.counters("held") == 0)
    stuck.session.heartbeat()
    assert(stuck.revived == before + 1)
    stuck.session.close()
  }

  test("a job and an execution that have ended unheard are ended at a submission, or after a minute") {
    var runs = Set(1, 2)
    var executes = Set(7L)
    val stuck = new Stuck() {
      override def runsJob(job: Int): Boolean = runs(job)
      override def runsExecution(execution: Long): Boolean = executes(execution)
    }
    import stuck.session
    def known: Set[Int] = Internals.jobs(session).known.asScala.map(_.intValue).toSet
    def executions: Set[Long] = Internals.jobs(session).executions.asScala.map(_.longValue).toSet
    val own = new Properties
    own.setProperty("spark.sql.execution.id", "7")
    session.submitted(1, 10, 1, 0, NativeEngine.RESULT, false, own, false, Array(), () => true)
    stuck.submit(2, 0, Array())
    session.reconcile()
    runs = Set(2)
    executes = Set()
    stuck.millis = 1000
    session.reconcile()
    assert(known == Set(1, 2) && executions == Set(7L), "the listener's word may be on its way")
    stuck.millis = 1999
    session.reconcile()
    assert(known == Set(1, 2), "not yet a second")
    stuck.millis = 2000
    session.reconcile()
    assert(known == Set(2) && executions.isEmpty)
    session.closeWorkflow("another")
    runs = Set()
    stuck.millis = 61999
    session.heartbeat()
    stuck.millis = 62000
    session.heartbeat()
    assert(known == Set(2), "missed for the first time")
    stuck.millis = 122000
    session.heartbeat()
    assert(known == Set(2), "its set still runs, for another job")
    session.close()
  }

  test("a cancelled job whose end is not heard does not keep slots from who waits, though nothing is submitted") {
    var runs = Set(1, 2)
    val stuck = new Stuck() {
      override def runsJob(job: Int): Boolean = runs(job)
    }
    val crowd = stuck.hold()
    import stuck.session
    runs = Set(2)
    Seq(1000, 2000, 8000).foreach { at => // missed, ended, and the linger is over
      stuck.millis = at
      session.heartbeat()
    }
    assert(stuck.counters("held") == 0 && session.ask(crowd, "e") == Asks.ALLOW)
    session.close()
  }

  test("a job that was missed by mistake goes on with its next stage") {
    var runs = true
    val stuck = new Stuck() {
      override def runsJob(job: Int): Boolean = runs
    }
    import stuck.session
    val first = stuck.submit(1, 5, Array(10, 1, 1, 0, 1, 11, 1, 0, 0, 2))
    session.reconcile()
    runs = false
    Seq(1000, 2000).foreach { at =>
      stuck.millis = at
      session.reconcile()
    }
    runs = true
    val second = stuck.submit(1, 5, Array())
    session.ended(first)
    assert(Internals.jobs(session).known.asScala.map(_.intValue) == Set(1))
    session.ended(second)
    session.jobEnded(1, true)
    assert(Internals.jobs(session).known.isEmpty)
    session.close()
  }
}

private object Internals {
  def jobs(session: Session): Jobs = {
    val field = classOf[Session].getDeclaredField("jobs")
    field.setAccessible(true)
    field.get(session).asInstanceOf[Jobs]
  }
}
