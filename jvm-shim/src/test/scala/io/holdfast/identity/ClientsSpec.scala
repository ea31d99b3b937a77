package io.holdfast.identity

import java.util.Properties

import scala.jdk.CollectionConverters._

import io.holdfast.config.{Keys, Settings}
import io.holdfast.names.{Clients, Kind}
import io.holdfast.notice.{Heard, Notices}
import org.scalatest.funsuite.AnyFunSuite

/** What clients may take. */
class ClientsSpec extends AnyFunSuite {
  private val connect = "spark.plugins" -> "org.apache.spark.sql.connect.SparkConnectPlugin,com.example.Other"
  private val pool = "spark.scheduler.pool" -> "important"
  private val session = "2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c11"

  private def settings(conf: (String, String)*): Settings = {
    val settings = Settings.parse(conf.toMap.asJava)
    assert(settings.problems.isEmpty)
    settings
  }

  private def of(settings: Settings, entries: (String, String)*): Identity = {
    val properties = new Properties
    entries.foreach { case (key, value) => properties.setProperty(key, value) }
    Identity.of(properties, 7, settings)
  }

  private def tag(user: String) =
    "spark.job.tags" -> s"SparkConnect_OperationTag_User_${user}_Session_${session}_Operation_1"

  /** What `SET spark.holdfast...` of a SQL session leaves in a job's local properties. */
  private val set = Seq(
    "spark.holdfast.priority" -> Int.MaxValue.toString,
    "spark.holdfast.workflow" -> "other's",
    "spark.holdfast.isolation" -> "0.5",
    "spark.holdfast.parallelism" -> "64"
  )

  test("a server is told by its plugin or its main class; else one user has the driver") {
    def server(command: String, conf: (String, String)*) = Option(Clients.server(conf.toMap.asJava, command))
    assert(
      server(null).isEmpty && server("org.apache.spark.deploy.SparkSubmit --class com.example.Etl etl.jar").isEmpty
    )
    assert(server(null, connect).contains("Spark Connect server"))
    assert(
      server(null, "spark.plugins.defaultList" -> " org.apache.spark.sql.connect.SparkConnectPlugin").nonEmpty
    )
    val submit = "org.apache.spark.deploy.SparkSubmit --master yarn --class"
    val thrift = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
    assert(server(s"$submit $thrift spark-internal").contains("Thrift server"))
    assert(server(s"org.apache.spark.deploy.yarn.ApplicationMaster --class $thrift").contains("Thrift server"))
    assert(server(s"$submit org.apache.spark.sql.connect.service.SparkConnectServer x.jar").nonEmpty)
    assert(server(s"$submit org.apache.kyuubi.engine.spark.SparkSQLEngine k.jar").contains("Kyuubi engine"))
    assert(server(s"$submit com.example.My$thrift x.jar").isEmpty, "whole names only")
    assert(server(s"$submit org.apache.spark.deploy.PythonRunner users.py").isEmpty, "all its threads are one user's")
  }

  test("what a SQL session sets counts where one user has the driver, and not under a server") {
    val alone = of(settings(), set: _*)
    assert(alone.name == "workflow:other's" && alone.priority == Int.MaxValue)
    assert(alone.isolation == 500000 && alone.parallelism == 64)
    Seq(settings(connect), settings("spark.holdfast.client.properties" -> "ignore")).foreach { settings =>
      val ignored = of(settings, set: _*)
      assert(ignored.name == "job:7" && ignored.priority == 0)
      assert(ignored.isolation == Settings.ONE && ignored.parallelism == 0)
    }
    val allowed = of(settings(connect, "spark.holdfast.client.properties" -> "allow"), set: _*)
    assert(allowed.priority == Int.MaxValue)
  }

  test("what no SQL session can set counts everywhere, and before what it can") {
    val own = Seq(
      Keys.LOCAL_PRIORITY -> "5",
      Keys.LOCAL_WORKFLOW -> "mine",
      Keys.LOCAL_ISOLATION -> "0.25",
      Keys.LOCAL_PARALLELISM -> "2"
    )
    Seq(settings(), settings(connect)).foreach { settings =>
      val mine = of(settings, own ++ set: _*)
      assert(mine.name == "workflow:mine" && mine.priority == 5 && mine.isolation == 250000 && mine.parallelism == 2)
    }
    assert(own.forall(!_._1.startsWith("spark")), "Spark copies into SQL sessions what begins so, and from there")
  }

  test("a program that starts a server itself is one from the first client on") {
    val byEvent = settings()
    assert(!byEvent.clients.ignored)
    byEvent.clients.started("s", session, "alice")
    assert(byEvent.clients.ignored && of(byEvent, set: _*).priority == 0)
    val byTag = settings()
    assert(of(byTag, set :+ tag("alice"): _*).priority == 0 && byTag.clients.server == "Spark Connect server")
  }

  test(
    "the application's own value, which Spark copies into each SQL session, is no claim: for each key that is both"
  ) {
    val both = Keys.all.asScala.filter(_.place == Keys.Place.LOCAL_PROPERTY).map(key => Keys.alias(key.name))
    assert(both.filter(key => Keys.all.asScala.exists(_.name == key)) == Seq("spark.holdfast.isolation"))
    val conf = settings(
      "spark.holdfast.isolation" -> "0.9",
      "spark.holdfast.pool.important.isolation" -> "0.4",
      "spark.holdfast.pool.important.priority" -> "1"
    )
    val copied = of(conf, pool, "spark.holdfast.isolation" -> "0.9")
    assert(copied.isolation == 400000 && copied.claim == null)
    assert(of(conf, pool, "spark.holdfast.isolation" -> "0.8").isolation == 800000, "that is one")
    assert(of(conf, pool, Keys.LOCAL_ISOLATION -> "0.9").isolation == 900000, "nor is this a copy")
  }

  test("nothing has a priority above the highest: of all, or of its session or user") {
    val conf = settings(
      connect,
      "spark.holdfast.priority.max" -> "10",
      "spark.holdfast.user.ann*.priority.max" -> "20",
      s"spark.holdfast.session.$session.priority.max" -> "15",
      "spark.holdfast.tag.Spark*.priority" -> "100",
      "spark.holdfast.group.*.priority" -> "5",
      "spark.holdfast.pool.important.priority" -> "-3"
    )
    val ten = of(conf, Keys.LOCAL_PRIORITY -> "99")
    assert(ten.priority == 10 && ten.claim == "holdfast.priority=99, priority 99 capped at 10")
    assert(of(conf, tag("bob")).priority == 15, "the session's comes before the user's")
    assert(of(conf, "spark.job.tags" -> "SparkConnect_User_ann_Session_1_Operation_2").priority == 20)
    assert(of(conf, "spark.jobGroup.id" -> "etl").priority == 5 && of(conf, pool).priority == -3)
    conf.priorities.put(Kind.POOL, "important", 1000)
    assert(of(conf, pool).priority == 10, "nor by setPriority")
    assert(of(settings("spark.holdfast.priority.max" -> "0"), Keys.LOCAL_PRIORITY -> "1").priority == 0)
  }

  test("under a server a job that is nobody's gets the least of what any user may") {
    val conf = settings(
      connect,
      "spark.holdfast.priority.max" -> "10",
      "spark.holdfast.user.ann.priority.max" -> "20",
      "spark.holdfast.user.mallory.priority.max" -> "2",
      "spark.holdfast.user.mallory.holds.max" -> "3",
      "spark.holdfast.user.*.holds.max" -> "8",
      "spark.holdfast.pool.important.priority" -> "15"
    )
    def ofUser(user: String) = of(conf, pool, "kyuubi.session.user" -> user)
    assert(ofUser("ann").priority == 15 && ofUser("bob").priority == 10 && ofUser("mallory").priority == 2)
    assert(ofUser("bob").holdsMax == 8 && ofUser("mallory").holdsMax == 3)
    val hidden = of(conf, pool, "spark.jobGroup.id" -> "report", "spark.sql.execution.id" -> "7")
    assert(
      hidden.name == "sql:7" && hidden.priority == 2 && hidden.holdsMax == 3,
      "SET spark.jobGroup.id hides who it is"
    )
    assert(of(settings("spark.holdfast.user.mallory.holds.max" -> "3"), pool).holdsMax == null, "no server, no users")
  }

  test("what a client chose is a claim, what the configuration gives is none") {
    def claim(settings: Settings, entries: (String, String)*) = Option(of(settings, entries: _*).claim)
    val server = settings(
      connect,
      "spark.holdfast.group.etl-*.priority" -> "5",
      "spark.holdfast.pool.important.priority" -> "4",
      "spark.holdfast.user.alice.priority" -> "3"
    )
    assert(claim(server, "spark.jobGroup.id" -> "etl-1").contains("group etl-1"))
    assert(claim(server, pool).contains("pool important"))
    assert(claim(server, tag("alice")).isEmpty && claim(server).isEmpty)
    assert(claim(server, set.head).contains(s"spark.holdfast.priority=${Int.MaxValue} (ignored)"))
    assert(claim(settings(), set.head).contains(s"spark.holdfast.priority=${Int.MaxValue}"))
    assert(claim(settings("spark.holdfast.pool.important.priority" -> "4"), pool).isEmpty, "its own program's")
  }

  test("no two of users, kinds and names have one name") {
    val texts = Seq(
      "a",
      "b",
      "a/b",
      "user:a",
      "pool:important",
      "workflow:a",
      "7",
      "sql:7",
      "a%2Fb",
      "a/group:b",
      "\u202e",
      "\\u202e"
    )
    val conf = Seq("spark.holdfast.client.properties" -> "allow", "spark.holdfast.pool.*.priority" -> "1")
    val settings = this.settings(conf ++ texts.map(text => s"spark.holdfast.pool.$text.priority" -> "1"): _*)
    val kinds =
      Seq(
        Keys.LOCAL_WORKFLOW,
        "sql.streaming.queryId",
        "spark.jobGroup.id",
        "spark.scheduler.pool",
        "spark.sql.execution.id"
      )
    val users = None +: texts.map(Some(_))
    // What is no number is no execution of Spark's.
    def may(kind: String, text: String) = kind != "spark.sql.execution.id" || text.forall(_.isDigit)
    val names = for (user <- users; kind <- kinds; text <- texts if may(kind, text)) yield {
      of(settings, user.map("kyuubi.session.user" -> _).toSeq :+ (kind -> text): _*).name
    }
    assert(names.distinct.size == names.size, names.diff(names.distinct))
    assert(of(settings, "kyuubi.session.user" -> "a", "spark.jobGroup.id" -> session).name == s"user:a/group:$session")
    assert(names.contains("user:a/workflow:b") && names.contains("workflow:pool:important"))
  }

  test("many malformed properties mute no warning of another kind") {
    val said = Heard.during {
      val conf = settings()
      (1 to 10 * Notices.MOST).foreach(i => of(conf, Keys.LOCAL_PRIORITY -> s"high-$i-$hashCode"))
      Notices.warnOnce(Notices.About.LOG, s"given up $hashCode")
      Notices.warnOnce(Notices.About.SELF, s"also $hashCode")
    }
    assert(said.size <= Notices.MOST + 2 && said.takeRight(2) == Seq(s"given up $hashCode", s"also $hashCode"))
    assert(said.dropRight(2).lastOption.forall(_.endsWith("(further warnings of this kind are left out)")))
  }
}
