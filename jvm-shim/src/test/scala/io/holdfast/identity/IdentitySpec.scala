package io.holdfast.identity

import java.util.Properties

import scala.jdk.CollectionConverters._

import io.holdfast.config.{Keys, Settings}
import org.scalatest.funsuite.AnyFunSuite

class IdentitySpec extends AnyFunSuite {
  // A job of Spark Connect makes its driver a server: new ones for each job.
  private def settings = Settings.parse(
    Map("spark.holdfast.pool.important.priority" -> "10", "spark.holdfast.group.etl-*.priority" -> "5").asJava
  )

  private val group = "spark.jobGroup.id" -> "etl-1"
  private val pool = "spark.scheduler.pool" -> "important"
  private val root = "spark.sql.execution.root.id" -> "3"
  private val session = "2b1d6f0e-0c0a-4f6e-9d6d-3a1f6f1f7c11"
  private val operation = s"SparkConnect_OperationTag_User_ann_lee_Session_${session}_Operation_7c11"
  private val execution = "spark.sql.execution.id" -> "4"

  private def of(entries: (String, String)*): Identity = in(settings, entries: _*)

  private def in(settings: Settings, entries: (String, String)*): Identity = {
    val properties = new Properties
    entries.foreach { case (key, value) => properties.setProperty(key, value) }
    Identity.of(properties, 7, settings)
  }

  private def nameless = new Identity("job:7", false, 0, Settings.ONE, 0, null, false, null, false, null, null, null)

  test("a job by itself is its own workflow, also without properties") {
    assert(of() == nameless)
    assert(Identity.of(null, 7, settings) == nameless)
  }

  test("the outermost name wins") {
    assert(of(Keys.LOCAL_WORKFLOW -> "w", group, pool, root).name == "workflow:w")
    assert(of(group, pool, root).name == "group:etl-1")
    assert(of(pool, root, execution).name == "pool:important")
    assert(of(root, execution).name == "sql:3")
    assert(of(execution).name == "sql:4")
    assert(of("spark.job.tags" -> s"mine,spark-session-$session").name == s"session:$session")
    assert(of("spark.job.tags" -> operation).name == s"user:ann_lee/session:$session")
  }

  test("a streaming query is one workflow, of which each micro-batch is a run") {
    val batch = of("sql.streaming.queryId" -> "q", group, pool, root, execution)
    assert(batch.name == "stream:q" && batch.run == "3" && batch.named)
    assert(of(Keys.LOCAL_WORKFLOW -> "w", "sql.streaming.queryId" -> "q", root).run == null, "asked to go on")
    assert(of(root).run == "3" && of(root, execution).name == "sql:3", "it ends with its execution")
  }

  test("a group that a SQL server made up for a statement ends with its execution; what people name goes on") {
    val statement = "spark.jobGroup.id" -> session
    val nested = of(statement, pool, root, execution)
    assert(nested.name == s"group:$session" && nested.run == "3" && nested.named)
    assert(of(statement, execution).run == "4")
    assert(of(statement).run == null, "nothing tells its end")
    assert(of(Keys.LOCAL_WORKFLOW -> "w", statement, root).run == null, "asked to go on")
    Seq("etl-1", s"run-$session").foreach(g => assert(of("spark.jobGroup.id" -> g, root).run == null, g))
  }

  test("a query in a pool is a run that a moment follows; jobs of no execution go on") {
    val query = of(pool, root, execution)
    assert(query.run == "3" && query.bridged && of(pool).run == null)
    val ending = Seq(of(root), of("sql.streaming.queryId" -> "q", pool, root), of("spark.jobGroup.id" -> session, root))
    ending.foreach(w => assert(w.run == "3" && !w.bridged, w))
  }

  test("names that people give recur in other applications; numbers and made-up ids do not") {
    val stream = "sql.streaming.queryId" -> session
    Seq(of(Keys.LOCAL_WORKFLOW -> "w", root), of(stream, root), of(group), of(pool)).foreach(w => assert(w.recurs, w))
    val madeUp = Seq("spark.jobGroup.id", Keys.LOCAL_WORKFLOW).map(key => of(key -> s"run-$session"))
    val numbered = Seq(of(), of(root), of("spark.job.tags" -> s"mine,spark-session-$session"))
    (madeUp ++ numbered).foreach(w => assert(!w.recurs, w))
  }

  test("a pool without a priority names nobody") {
    assert(of("spark.scheduler.pool" -> "background", root).name == "sql:3")
    assert(!of("spark.scheduler.pool" -> "background").named)
  }

  test("priority: local property, then job group, then pool, else 0") {
    assert(of(Keys.LOCAL_PRIORITY -> "-3", group, pool).priority == -3)
    assert(of(group, pool).priority == 5)
    assert(of("spark.jobGroup.id" -> "other", pool).priority == 10)
    assert(of(root).priority == 0)
  }

  test("priority by name: the first of group, tag, description, session, user, pool that matches") {
    val kinds =
      Seq("group.g*", "tag.report", "description.select *", s"session.$session", "user.ann*", "pool.important")
    val properties = Seq(
      "spark.jobGroup.id" -> "g1",
      "spark.job.tags" -> s"x,SparkConnect_SessionTag_User_ann_lee_Session_${session}_Tag_report",
      "spark.job.description" -> "select 1 from t"
    )
    def priority(kinds: Seq[(String, Int)], properties: (String, String)*): Int = {
      val conf = kinds.map { case (kind, value) => s"spark.holdfast.$kind.priority" -> value.toString }
      val settings = Settings.parse(conf.toMap.asJava)
      assert(settings.problems.isEmpty)
      val all = new Properties
      properties.foreach { case (key, value) => all.setProperty(key, value) }
      Identity.of(all, 7, settings).priority
    }
    val numbered = kinds.zipWithIndex.map { case (kind, i) => kind -> (i + 1) }
    kinds.indices.foreach { i =>
      assert(priority(numbered.drop(i), properties :+ pool: _*) == i + 1, kinds(i))
    }
    assert(priority(numbered.slice(3, 5), "spark.job.tags" -> operation) == 4)
    assert(priority(numbered.slice(4, 5), "spark.job.tags" -> operation) == 5)
    assert(
      priority(Seq("tag.nightly" -> 3), "spark.job.tags" -> s"spark-session-$session-thread-$session-nightly") == 3
    )
    assert(priority(Seq("tag.nightly" -> 3), "spark.job.tags" -> s"spark-session-$session-nightly") == 3)
    // A user's own tag, and what only looks like one of Spark Connect's.
    val own = s"SparkConnect_SessionTag_User_ann_Session_${session}_Tag_of_Session_x"
    assert(priority(Seq(s"session.$session" -> 3, "user.ann" -> 2), "spark.job.tags" -> own) == 3)
    assert(priority(Seq("tag.of_Session_x" -> 4), "spark.job.tags" -> own) == 4)
    Seq("SparkConnect_User_Session_x", "SparkConnect_User_", "SparkConnect_x_Session_User_").foreach { tag =>
      assert(priority(Seq("user.*" -> 3, "session.*" -> 3), "spark.job.tags" -> tag) == 0, tag)
    }
    assert(priority(numbered, "spark.job.tags" -> "SparkConnect_", "spark.jobGroup.id" -> "other") == 0)
  }

  test("a malformed local priority is as good as none") {
    assert(of(Keys.LOCAL_PRIORITY -> "high", pool).priority == 10)
  }

  test("isolation: local property, then job group, then pool, then everybody's") {
    val settings = Settings.parse(
      Map("spark.holdfast.pool.important.isolation" -> "0.5", "spark.holdfast.isolation" -> "0.9").asJava
    )
    def isolation(entries: (String, String)*): Int = {
      val properties = new Properties
      entries.foreach { case (key, value) => properties.setProperty(key, value) }
      Identity.of(properties, 7, settings).isolation
    }
    assert(isolation(Keys.LOCAL_ISOLATION -> "0.25", pool) == 250000)
    assert(isolation(Keys.LOCAL_ISOLATION -> "a lot", pool) == 500000)
    assert(isolation(root) == 900000)
  }

  test("declared parallelism: a number above 0, else none") {
    assert(of(Keys.LOCAL_PARALLELISM -> "64").parallelism == 64)
    Seq("0", "-3", "many").foreach(wrong => assert(of(Keys.LOCAL_PARALLELISM -> wrong).parallelism == 0, wrong))
  }

  test("blank names are none") {
    assert(of(Keys.LOCAL_WORKFLOW -> "  ", "spark.jobGroup.id" -> "", root).name == "sql:3")
  }
}
