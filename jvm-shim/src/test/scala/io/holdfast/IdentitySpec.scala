package io.holdfast

import java.util.Properties

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

class IdentitySpec extends AnyFunSuite {
  private val settings = Settings.parse(
    Map("spark.holdfast.pool.important.priority" -> "10", "spark.holdfast.group.etl-*.priority" -> "5").asJava
  )

  private val group = "spark.jobGroup.id" -> "etl-1"
  private val pool = "spark.scheduler.pool" -> "important"
  private val root = "spark.sql.execution.root.id" -> "3"
  private val execution = "spark.sql.execution.id" -> "4"

  private def of(entries: (String, String)*): Identity = {
    val properties = new Properties
    entries.foreach { case (key, value) => properties.setProperty(key, value) }
    Identity.of(properties, 7, settings)
  }

  test("a job by itself is its own workflow, also without properties") {
    assert(of() == new Identity("job:7", false, 0, Settings.ONE, 0))
    assert(Identity.of(null, 7, settings) == new Identity("job:7", false, 0, Settings.ONE, 0))
  }

  test("the outermost name wins") {
    assert(of(Keys.LOCAL_WORKFLOW -> "w", group, pool, root).name == "w")
    assert(of(group, pool, root).name == "group:etl-1")
    assert(of(pool, root, execution).name == "pool:important")
    assert(of(root, execution).name == "sql:3")
    assert(of(execution).name == "sql:4")
    assert(of("spark.job.tags" -> "mine,spark-session-abc").name == "session:spark-session-abc")
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
