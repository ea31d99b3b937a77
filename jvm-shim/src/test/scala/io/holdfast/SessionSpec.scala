package io.holdfast

import java.util.Properties

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** A session without Spark. */
class SessionSpec extends AnyFunSuite {

  private def opened(spark: SparkSide = () => ()): Session = {
    val session = new VirtualTime(() => 0L, lagMillis = 0).session(Map.empty, spark)
    session.open("app-1")
    assert(session.live)
    session
  }

  private def failed(session: Session): Int = session.counters.get("failed").intValue

  test("whoever asks for counters after the end hears the last ones, and nobody is told of a failure") {
    val session = opened()
    session.beginRound(true)
    session.defineProfile(0, 0, 1000, 0, 0)
    session.offer("e", 0, 4000, 0, 0, false)
    val before = session.counters.asScala.toMap
    session.close()
    assert(session.counters.asScala.toMap == before && failed(session) == 0)
    assert(session.status(null).contains("\"mode\":\"enforce\""))
  }

  test("a session that fails shows what it last looked up, and holds nothing") {
    val session = opened()
    session.beginRound(true)
    session.defineProfile(0, 0, 1000, 0, 0)
    session.offer("e", 0, 1000, 0, 0, false)
    val important = new Properties
    important.setProperty("spark.holdfast.priority", "10")
    // Of two stages each: its number, tasks, what follows, of which profile, signature.
    val plan = Array(11, 1, 1, 0, 1, 12, 1, 0, 0, 2)
    val set =
      session.submitted(1, 11, 1, 0, NativeEngine.SHUFFLE_MAP, false, important, false, plan, () => false)
    session.launched(set, 1001, 0, "e", true)
    session.freed(1001, NativeEngine.FINISHED)
    assert(session.asking)
    session.housekeeping()
    session.fail("a test", new Exception)
    val counters = session.counters.asScala
    assert(!session.asking && failed(session) == 1)
    assert(Seq("made", "held", "dropped").map(counters(_).intValue) == Seq(1, 0, 1))
    session.close()
  }

  test("what Spark throws when it is asked to offer its slots ends neither timer nor session") {
    val session = opened(() => throw new Exception("a checked one: the backend has stopped"))
    session.revive()
    assert(session.live && failed(session) == 0)
    session.close()
  }

  private val defaults = Settings.parse(Map.empty[String, String].asJava)

  /** Jobs that notes which workflows are closed. */
  private class Closing extends Jobs.Steps {
    var closed = Seq.empty[Int]
    val jobs = new Jobs(this, named(_, _, _), History.of(defaults, null))
    override def step(kind: Int, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int): Unit =
      if (kind == NativeEngine.WORKFLOW_CLOSED) closed :+= a
    var users = Seq.empty[(Int, String)]
    private def named(kind: Int, id: Int, name: String): Unit =
      if (kind == NativeEngine.NAME_USER) users :+= id -> name
  }

  test("the log is told whose a workflow's latest job was, where that changes") {
    val closing = new Closing
    def submit(job: Int, user: Option[String]): Unit = {
      val properties = new Properties
      properties.setProperty("spark.jobGroup.id", "etl")
      // The tag that a Spark Connect server sets.
      user.foreach(u =>
        properties.setProperty("spark.job.tags", s"SparkConnect_OperationTag_User_${u}_Session_1_Operation_2")
      )
      closing.jobs.submit(job, Identity.of(properties, job, defaults), properties, true)
      ()
    }
    submit(1, None)
    submit(2, Some("alice"))
    submit(3, Some("alice"))
    submit(4, Some("bob"))
    submit(5, None)
    assert(closing.users == Seq(0 -> "alice", 0 -> "bob", 0 -> ""))
  }

  test("the end of a micro-batch that is heard late does not end the next one") {
    val closing = new Closing
    import closing.jobs
    Seq(1 -> "7", 2 -> "8").foreach { case (job, run) =>
      jobs.submit(job, new Identity("stream:q", true, 5, Settings.ONE, 0, run, false), new Properties, true)
    }
    jobs.closeRun("7")
    assert(closing.closed.isEmpty)
    jobs.closeRun("8")
    assert(closing.closed.size == 1)
  }

  test("a SQL server's statement ends with its outermost execution, and by nothing else") {
    val closing = new Closing
    import closing.jobs
    def submit(job: Int, executions: (String, String)*): Unit = {
      val properties = new Properties
      properties.setProperty("spark.jobGroup.id", "2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c11")
      executions.foreach { case (key, value) => properties.setProperty(key, value) }
      jobs.submit(job, Identity.of(properties, job, defaults), properties, true)
      ()
    }
    submit(1, "spark.sql.execution.id" -> "8", "spark.sql.execution.root.id" -> "7")
    jobs.closeRun("8")
    assert(closing.closed.isEmpty, "it was inside of another one")
    jobs.closeRun("7")
    assert(closing.closed.size == 1)
    submit(2, "spark.sql.execution.id" -> "9")
    submit(3)
    jobs.closeRun("9")
    assert(closing.closed.size == 1, "the job that came last is of no execution")
  }

  test("when the timer is interrupted Spark goes on by itself, and is asked to offer its slots") {
    var revived = 0
    val session = opened(() => revived += 1)
    val ticker = new Ticker(session, new Wake)
    ticker.start()
    ticker.interrupt()
    ticker.join()
    assert(!session.live && failed(session) == 1 && revived == 1)
    session.close()
  }

  test("the timer survives an error, and Spark goes on by itself") {
    val wake = new Wake
    val session = opened(() => throw new NoSuchMethodError("revive"))
    val ticker = new Ticker(session, wake)
    ticker.start()
    wake.reoffer()
    while (session.live && ticker.isAlive) Thread.sleep(1)
    assert(ticker.isAlive && failed(session) == 1)
    wake.close()
    ticker.join()
    session.close()
  }
}
