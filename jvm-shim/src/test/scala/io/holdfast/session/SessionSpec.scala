package io.holdfast.session

import java.util.Properties

import scala.jdk.CollectionConverters._

import io.holdfast.bridge.{NativeEngine, Wake}
import io.holdfast.config.{Keys, Settings}
import io.holdfast.entry.HoldfastRequired
import io.holdfast.history.History
import io.holdfast.identity.Identity
import io.holdfast.names.Clients
import io.holdfast.notice.Heard
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

  test("whatever fails, Spark offers its slots again to whom it has refused them") {
    val revived = new java.util.concurrent.CountDownLatch(1)
    val session = opened(() => revived.countDown())
    session.fail("a test", new Exception)
    assert(revived.await(10, java.util.concurrent.TimeUnit.SECONDS) && !session.live)
    session.close()
  }

  test("that a session cannot be opened is said once, each time if it is required") {
    def said(conf: (String, String)*) = {
      val settings = Settings.parse(conf.toMap.asJava)
      val session = new Session(settings, "4.1.0", History.of(settings, null), () => ())
      Heard.during((1 to 3).foreach { _ =>
        if (settings.required) assertThrows[HoldfastRequired](session.unavailable(new Exception("a test")))
        else session.unavailable(new Exception("a test"))
      })
    }
    assert(said() == Seq("Holdfast is off, Spark's own scheduling goes on: a test"))
    assert(said("spark.holdfast.required" -> "true").isEmpty)
  }

  test("what Spark throws when it is asked to offer its slots ends neither timer nor session") {
    val session = opened(() => throw new Exception("a checked one: the backend has stopped"))
    session.revive()
    assert(session.live && failed(session) == 0)
    session.close()
  }

  private def defaults = Settings.parse(Map.empty[String, String].asJava)

  /** Jobs that notes which workflows are closed or have ended a run, and what was said of them. */
  private class Closing extends Jobs.Steps {
    var closed = Seq.empty[Int]
    var ended = Seq.empty[Int]

    /** Workflow, and the one that it is akin to. */
    var kin = Seq.empty[(Int, Int)]
    val jobs = new Jobs(this, named(_, _, _), History.of(defaults, null))

    /** Workflow, priority, isolation and parallelism. */
    var opened = Seq.empty[Seq[Int]]
    override def step(kind: Int, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int): Unit =
      if (kind == NativeEngine.WORKFLOW_CLOSED) closed :+= a
      else if (kind == NativeEngine.RUN_ENDED) ended :+= a
      else if (kind == NativeEngine.AKIN) kin :+= a -> b
      else if (kind == NativeEngine.WORKFLOW_OPENED) opened :+= Seq(a, b, c, d)
      else if (kind == NativeEngine.BOUNDED) bounds :+= Seq(a, b, c)

    /** Workflow, tenant, holds. */
    var bounds = Seq.empty[Seq[Int]]
    var users = Seq.empty[(Int, String)]
    var claims = Seq.empty[(Int, String)]
    var workflows = Seq.empty[String]
    private def named(kind: Int, id: Int, name: String): Unit = kind match {
      case NativeEngine.NAME_USER => users :+= id -> name
      case NativeEngine.NAME_CLAIM => claims :+= id -> name
      case NativeEngine.NAME_WORKFLOW => workflows :+= name
      case _ =>
    }

    def submit(settings: Settings, job: Int, entries: (String, String)*): JobRef = {
      val properties = new Properties
      entries.foreach { case (key, value) => properties.setProperty(key, value) }
      jobs.submit(job, Identity.of(properties, job, settings), properties, true)
    }
  }

  private val report = "spark.jobGroup.id" -> "report"
  private def user(name: String) =
    "spark.job.tags" -> s"SparkConnect_OperationTag_User_${name}_Session_1_Operation_2"

  test("a workflow has the largest priority of its live jobs, and all that this job says of it") {
    val closing = new Closing
    val (most, half) = (Settings.ONE, Settings.ONE / 2)
    closing.submit(defaults, 1, report, Keys.LOCAL_PRIORITY -> "10", Keys.LOCAL_PARALLELISM -> "8")
    closing.submit(defaults, 2, report, Keys.LOCAL_PRIORITY -> "3", Keys.LOCAL_ISOLATION -> "0")
    closing.submit(defaults, 3, report, Keys.LOCAL_PRIORITY -> "20", Keys.LOCAL_ISOLATION -> "0.5")
    val ten = Seq(0, 10, most, 8)
    assert(closing.opened == Seq(ten, ten, Seq(0, 20, half, 0)), "a lesser job lowers nothing")
    closing.jobs.ended(3, true)
    closing.jobs.ended(1, true)
    assert(closing.opened.drop(3) == Seq(ten, Seq(0, 3, 0, 0)), "what the live ones have")
    closing.jobs.ended(2, true)
    assert(closing.opened.size == 5, "in the gap it has what its last job had")
  }

  test("two clients that give the same name have two workflows") {
    val closing = new Closing
    val settings = Settings.parse(
      Map("spark.plugins" -> "org.apache.spark.sql.connect.SparkConnectPlugin").asJava
    )
    closing.submit(settings, 1, report, user("alice"))
    closing.submit(settings, 2, report, user("bob"))
    closing.submit(settings, 3, report)
    closing.submit(settings, 4, report, "spark.sql.execution.root.id" -> "7")
    assert(closing.workflows == Seq("user:alice/group:report", "user:bob/group:report", "job:3", "sql:7"))
  }

  test("whoever names a SQL execution of another user's joins nothing and ends nothing") {
    val closing = new Closing
    val execution = "spark.sql.execution.root.id" -> "7"
    closing.submit(defaults, 1, execution, user("alice"))
    closing.submit(defaults, 2, execution, user("bob"))
    assert(closing.workflows == Seq("user:alice/sql:7", "user:bob/sql:7"))
    closing.jobs.closeRun("7")
    assert(closing.closed == Seq(0, 1), "both have said that they end with it")
  }

  test("a Thrift server's statement is its user's; one whose user is heard late keeps its name and gets the rest") {
    val settings = Settings.parse(Map("spark.holdfast.user.alice.priority" -> "9").asJava)
    val (early, late) = ("2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c11", "2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c12")
    val closing = new Closing
    def submit(job: Int, group: String) = closing.submit(settings, job, "spark.jobGroup.id" -> group)
    assert(!settings.clients.started("s1", early, "alice"))
    submit(1, early)
    submit(2, late)
    assert(closing.opened.map(_(1)) == Seq(9, 0))
    assert(settings.clients.started("s2", late, "alice"), "a job of it was named before")
    closing.jobs.reprioritise(settings)
    submit(3, late)
    assert(closing.workflows == Seq(s"user:alice/group:$early", s"group:$late"))
    assert(closing.opened.drop(2).map(_.take(2)) == Seq(Seq(1, 9), Seq(1, 9)))
    assert(closing.users == Seq(0 -> "alice", 1 -> "alice"))
    Seq("s1", "s2").foreach(settings.clients.closed)
    assert(settings.clients.statements == 0)
    (1 to 2 * Clients.MOST_STATEMENTS).foreach(i => settings.clients.started(s"s$i", s"g$i", "u"))
    assert(settings.clients.statements == Clients.MOST_STATEMENTS)
  }

  private val shown = "spark.job.description" -> "select a from t where b = 1"

  test("a server's statement is known again by its user and its text without literals") {
    val settings = Settings.parse(Map.empty[String, String].asJava)
    val groups = (1 to 6).map(i => f"2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c$i%02d")
    val closing = new Closing
    def run(i: Int, user: String, text: (String, String), execution: Int): Unit = {
      if (user != null) settings.clients.started(s"s$i", groups(i), user)
      val id = "spark.sql.execution.root.id" -> execution.toString
      closing.submit(settings, 10 * i, "spark.jobGroup.id" -> groups(i), text, id)
      closing.submit(settings, 10 * i + 1, "spark.jobGroup.id" -> groups(i), text, id)
    }
    run(0, "alice", shown, 1)
    closing.jobs.executionEnded(1)
    run(1, "alice", shown.copy(_2 = "SELECT a FROM t WHERE b = 2 -- again"), 2)
    assert(closing.workflows == Seq("user:alice/statement:select a from t where b = ?"))
    run(2, "alice", shown, 3)
    run(3, "bob", shown, 4)
    val (second, bobs) =
      ("user:alice/statement:select a from t where b = ? (2)", "user:bob/statement:select a from t where b = ?")
    assert(closing.workflows.drop(1) == Seq(second, bobs), "two at a time are two workflows")
    assert(closing.kin == Seq(1 -> 0, 2 -> 0), "of one text, whoever's")
    val entries = Seq("alice", "bob").map { user =>
      val properties = new java.util.Properties
      Seq("spark.jobGroup.id" -> groups(if (user == "bob") 3 else 2), shown, "spark.sql.execution.root.id" -> "9")
        .foreach { case (key, value) => properties.setProperty(key, value) }
      val identity = Identity.of(properties, 9, settings)
      assert(identity.name.startsWith(s"user:$user/"))
      identity.lasting
    }
    assert(entries.distinct == Seq("statement:select a from t where b = ?"), "one entry in the history")
    closing.jobs.executionEnded(2)
    assert(closing.closed == Seq(0, 0))
    val whole = closing.workflows.size
    run(2, "alice", shown, 3)
    assert(closing.workflows.size == whole && closing.opened.last.head == 1, "it keeps its name to its end")
    run(4, "alice", shown, 5)
    run(5, null, shown, 6)
    assert(closing.workflows.drop(3) == Seq(s"group:${groups(5)}"), "the first one's name is free, nobody's has none")
  }

  test("an operation of Spark Connect is known again by its plan; one that is heard late keeps its name") {
    val settings = Settings.parse(Map("spark.plugins" -> "org.apache.spark.sql.connect.SparkConnectPlugin").asJava)
    val closing = new Closing
    def tag(operation: Int) = s"SparkConnect_OperationTag_User_ann_Session_1_Operation_$operation"
    def submit(job: Int, operation: Int) = closing.submit(
      settings,
      job,
      "spark.job.tags" -> s"other,${tag(operation)}",
      "spark.sql.execution.root.id" -> operation.toString
    )
    def heard(operation: Int, b: Int) = settings.clients
      .operation(s"o$operation", tag(operation), s"plan_id: $operation sql { query: \"select a from t where b = $b\" }")
    heard(1, 17)
    submit(1, 1)
    closing.jobs.executionEnded(1)
    heard(2, 18)
    submit(2, 2)
    submit(3, 3)
    heard(3, 19)
    submit(4, 3)
    assert(closing.workflows == Seq("user:ann/statement:select a from t where b = ?", "user:ann/sql:3"))
    (1 to 3).foreach(i => settings.clients.closed(s"o$i"))
    assert(settings.clients.statements == 0)
  }

  test("what a user's workflows hold at most is said of each of them") {
    val settings = Settings.parse(Map("spark.holdfast.user.a*.holds.max" -> "3").asJava)
    val closing = new Closing
    Seq("alice", "anna", "alice", "bob").zipWithIndex.foreach { case (name, i) =>
      closing.submit(settings, i, "spark.jobGroup.id" -> s"g$i", user(name))
    }
    assert(closing.bounds == Seq(Seq(0, 1, 3), Seq(1, 2, 3), Seq(2, 1, 3)))
  }

  test("the log is told what was claimed, and when it counts no more") {
    val closing = new Closing
    closing.submit(defaults, 1, report, "spark.holdfast.priority" -> "99")
    closing.submit(defaults, 2, report)
    closing.jobs.ended(1, true)
    assert(closing.claims == Seq(0 -> "spark.holdfast.priority=99", 0 -> ""))
  }

  test("the log is told whose a workflow is") {
    val closing = new Closing
    val conf = defaults
    Seq(None, Some("alice"), Some("alice"), Some("bob")).zipWithIndex.foreach { case (name, i) =>
      closing.submit(conf, i, Seq("spark.jobGroup.id" -> "etl") ++ name.map(user): _*)
    }
    assert(closing.workflows == Seq("group:etl", "user:alice/group:etl", "user:bob/group:etl"))
    assert(closing.users == Seq(1 -> "alice", 2 -> "bob"))
  }

  test("the end of a micro-batch that is heard late does not end the next one") {
    val closing = new Closing
    import closing.jobs
    Seq(1 -> "7", 2 -> "8").foreach { case (job, run) =>
      jobs.submit(
        job,
        new Identity("stream:q", true, 5, Settings.ONE, 0, run, false, null, false, null, null, null),
        new Properties,
        true
      )
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

  test("of several executions in one made-up group the last that ends closes it") {
    val closing = new Closing
    val group = "spark.jobGroup.id" -> "2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c11"
    Seq(1 -> 7, 2 -> 8).foreach { case (job, execution) =>
      closing.submit(defaults, job, group, "spark.sql.execution.root.id" -> execution.toString)
    }
    closing.jobs.executionEnded(8)
    assert(closing.closed.isEmpty, "another one still runs, though it came first")
    closing.jobs.executionEnded(7)
    assert(closing.closed == Seq(0) && closing.ended.isEmpty)
  }

  test("of queries at a time in one pool each is a workflow; the end of one ends a run, and closes nothing") {
    val closing = new Closing
    val settings = Settings.parse(Map("spark.holdfast.pool.dashboards.priority" -> "9").asJava)
    val pool = "spark.scheduler.pool" -> "dashboards"
    def query(job: Int, execution: Int): Int = {
      closing.submit(settings, job, pool, "spark.sql.execution.root.id" -> execution.toString)
      closing.opened.last.head
    }
    assert(Seq(query(1, 7), query(2, 8), query(3, 8), query(4, 7)) == Seq(0, 1, 1, 0))
    assert(closing.workflows == Seq("pool:dashboards", "pool:dashboards (2)"))
    assert(closing.kin == Seq(1 -> 0), "both repeat the same; once for as long as it has jobs")
    closing.jobs.executionEnded(7)
    assert(closing.ended == Seq(0))
    assert(Seq(query(5, 8), query(6, 9)) == Seq(1, 0), "the next one finds what the first has left")
    closing.submit(settings, 7, pool)
    assert(closing.opened.last.head == 0)
    closing.jobs.executionEnded(9)
    assert(closing.ended.size == 1, "a program of jobs goes on in the pool")
    closing.jobs.executionEnded(8)
    assert(closing.ended == Seq(0, 1) && closing.closed.isEmpty)
    assert(query(8, 10) == 1, "slots of the one that ended last wait for the next one")
  }

  test("a query keeps its name beside a program of jobs of the same user and pool") {
    val closing = new Closing
    val settings = Settings.parse(Map("spark.holdfast.pool.dashboards.priority" -> "9").asJava)
    val of = Seq("spark.scheduler.pool" -> "dashboards", user("ann"))
    closing.submit(settings, 1, of: _*)
    Seq(2, 3).foreach(closing.submit(settings, _, of :+ "spark.sql.execution.root.id" -> "7": _*))
    assert(closing.workflows == Seq("user:ann/pool:dashboards", "user:ann/pool:dashboards (2)"))
    assert(closing.opened.map(_.head) == Seq(0, 1, 1))
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
