package io.holdfast.config

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import io.holdfast.names.Names
import org.scalatest.funsuite.AnyFunSuite

class SettingsSpec extends AnyFunSuite {
  private val group = "spark.jobGroup.id"
  private val pool = "spark.scheduler.pool"

  private def names(entries: (String, String)*): Names = {
    val properties = new java.util.Properties
    entries.foreach { case (key, value) => properties.setProperty(key, value) }
    Names.of(properties)
  }

  private def parse(entries: (String, String)*): Settings = Settings.parse(entries.toMap.asJava)
  private def problems(entries: (String, String)*): Seq[String] = parse(entries: _*).problems.asScala.toSeq

  test("nothing configured: defaults, no problem, nobody has a priority") {
    val settings = parse("spark.app.name" -> "x")
    assert(settings.problems.isEmpty)
    assert(settings.mode == "enforce" && settings.enforces && !settings.required && settings.spread)
    val anybody = names(group -> "any", pool -> "any")
    assert(settings.priorities.of(anybody) == null && settings.isolation(anybody) == Settings.ONE)
    val config = settings.engineConfig.asScala
    assert(config("hold_max_ns") == 60000000000L && config("linger_factor") == 4 && config("grow") == true)
  }

  test("every key of the configuration accepts its own default") {
    Keys.all.asScala
      .filter(key => key.place == Keys.Place.CONF && !key.isPattern && key.defaultValue.nonEmpty)
      .foreach { key =>
        assert(problems(key.name -> key.defaultValue) == Nil, key.name)
      }
  }

  test("an unknown key is named with its value and the nearest key") {
    assert(
      problems("spark.holdfast.linger.frist" -> "2s") == Seq(
        "spark.holdfast.linger.frist=2s is not a key of Holdfast; the nearest is spark.holdfast.linger.first"
      )
    )
    assert(problems("spark.holdfast.pool.etl.prio" -> "2").head.endsWith("spark.holdfast.pool.<pool>.priority"))
    assert(
      problems("spark.holdfast.zzzzzzzzzzzzzzzz" -> "2") == Seq(
        "spark.holdfast.zzzzzzzzzzzzzzzz=2 is not a key of Holdfast"
      )
    )
  }

  test("internal keys are never suggested") {
    assert(!problems("spark.holdfast.test.panic.aftr" -> "2").head.contains("nearest"))
  }

  test("malformed values are named with the reason") {
    assert(
      problems("spark.holdfast.mode" -> "enforced").head
        .contains("is none of enforce | observe | off (did you mean enforce?)")
    )
    assert(problems("spark.holdfast.grow" -> "yes").head.contains("is neither true nor false"))
    assert(problems("spark.holdfast.hold.max" -> "soon").head.contains("is not a duration"))
    assert(problems("spark.holdfast.hold.max" -> "-1s").nonEmpty)
    assert(problems("spark.holdfast.linger.factor" -> "-1").head.contains("is negative"))
    assert(problems("spark.holdfast.pool.a.priority" -> "high").head.contains("is not a whole number"))
    assert(problems("spark.holdfast.log.max.size" -> "0").head.contains("is too small (at least 1m)"))
    assert(problems("spark.holdfast.log.max.size" -> "1000k").nonEmpty)
    assert(problems("spark.holdfast.log.max.size" -> "much").head.contains("is not a size"))
    assert(problems("spark.holdfast.log.max.parts" -> "0").head.contains("is too few"))
    assert(problems("spark.holdfast.priority" -> "3").head.contains("is a local property: set holdfast.priority"))
    assert(problems("spark.holdfast.priority.max" -> "-1").head.contains("is negative"))
    assert(problems("spark.holdfast.user.bob.priority.max" -> "much").head.contains("is not a whole number"))
    assert(problems("spark.holdfast.user.bob.holds.max" -> "-2").head.contains("is negative"))
    assert(problems("spark.holdfast.session.s.holds.max" -> "2").head.contains("is not a key of Holdfast"))
    assert(problems("spark.holdfast.group.a.priority.max" -> "3").head.contains("is not a key of Holdfast"))
    assert(problems("spark.holdfast.client.properties" -> "deny").head.contains("is none of ignore | allow"))
    assert(problems("spark.holdfast.log.dir" -> "hdfs://h/x").head.contains("is not a folder of this machine"))
  }

  test("all that is wrong is said at once") {
    assert(problems("spark.holdfast.grow" -> "yes", "spark.holdfast.mod" -> "x").size == 2)
  }

  test("durations are Spark's") {
    val config = parse("spark.holdfast.linger.first" -> "250ms", "spark.holdfast.linger.max" -> "2min").engineConfig
    assert(config.get("linger_first_ns") == 250000000L && config.get("linger_max_ns") == 120000000000L)
  }

  test("a log folder may be a file: URI, and is not looked at") {
    val folder = Files.createTempDirectory("holdfast-settings").resolve("a/b")
    val settings = parse("spark.holdfast.log.dir" -> folder.toUri.toString)
    assert(settings.problems.isEmpty && !Files.exists(folder) && settings.logDir.toPath == folder)
  }

  test("of several group patterns the most specific counts, then the order of their text") {
    val settings = parse(
      "spark.holdfast.group.*.priority" -> "1",
      "spark.holdfast.group.etl-*.priority" -> "2",
      "spark.holdfast.group.etl-night*.priority" -> "3",
      "spark.holdfast.group.?tl-x.priority" -> "4",
      "spark.holdfast.group.e?l-x.priority" -> "5"
    )
    def ofGroup(name: String) = settings.priorities.of(names(group -> name))
    assert(ofGroup("other") == 1)
    assert(ofGroup("etl-day") == 2)
    assert(ofGroup("etl-nightly") == 3)
    assert(ofGroup("etl-x") == 4)
  }

  test("names of pools and groups may contain dots; priorities may be negative") {
    val settings = parse("spark.holdfast.pool.a.b.priority" -> "-2", "spark.holdfast.group.c.d.priority" -> "7")
    assert(settings.problems.isEmpty)
    assert(settings.priorities.of(names(pool -> "a.b")) == -2)
    assert(settings.priorities.of(names(group -> "c.d")) == 7)
  }

  test("isolation: of the job group, the pool, everybody; in millionths") {
    val settings = parse(
      "spark.holdfast.isolation" -> "0.9",
      "spark.holdfast.pool.etl.isolation" -> "0.4",
      "spark.holdfast.group.night-*.isolation" -> "1"
    )
    assert(settings.problems.isEmpty)
    assert(settings.isolation(names()) == 900000 && settings.isolation(names(group -> "day", pool -> "x")) == 900000)
    assert(settings.isolation(names(pool -> "etl")) == 400000)
    assert(settings.isolation(names(group -> "night-1", pool -> "etl")) == Settings.ONE)
    Seq("1.1", "-0.1", "NaN", "much").foreach { wrong =>
      assert(problems("spark.holdfast.isolation" -> wrong).head.contains("is not a number from 0 to 1"), wrong)
      assert(problems("spark.holdfast.pool.etl.isolation" -> wrong).nonEmpty, wrong)
    }
    assert(problems("spark.holdfast.pool.etl.isolaton" -> "1").head.endsWith("spark.holdfast.pool.<pool>.isolation"))
  }

  test("the idle budget is a share, or none") {
    assert(parse().engineConfig.get("idle_budget_ppm") == null)
    assert(parse("spark.holdfast.idle.budget" -> "0.02").engineConfig.get("idle_budget_ppm") == 20000)
    assert(problems("spark.holdfast.idle.budget" -> "2").head.contains("is not a number from 0 to 1"))
  }

  test("policy static needs to know how many slots") {
    val (policy, slots) = ("spark.holdfast.policy" -> "static", "spark.holdfast.static.slots")
    assert(problems(policy).mkString.contains(slots))
    val settings = parse(policy, slots -> "4")
    assert(settings.problems.isEmpty && settings.enforces)
    assert(settings.engineConfig.asScala("static_slots") == 4)
  }

  test("observe mode never claims nor spreads, policy stock never enforces") {
    val observes = parse("spark.holdfast.mode" -> "observe", "spark.holdfast.spread" -> "true")
    assert(!observes.enforces && !observes.spread)
    assert(observes.engineConfig.get("grow") == false && observes.engineConfig.get("spread") == false)
    assert(!parse("spark.holdfast.policy" -> "stock").enforces)
  }

  test("edit distance") {
    assert(
      Nearest.distance("", "abc") == 3 && Nearest.distance("kitten", "sitting") == 3 && Nearest.distance("a", "a") == 0
    )
  }
}
