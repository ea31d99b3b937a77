package io.holdfast.integration.scenarios

import scala.util.Try

import io.holdfast.Holdfast

/** On, off, half configured, misconfigured, and beside others. */
class SwitchSpec extends Switching {
  test("the jar on the class path without the plugin changes nothing") {
    withSpark("local[2]", "spark.holdfast.pool.important.priority" -> "5") { app =>
      assertStock(app)
      assert(status.required("reason").asText.contains("not switched on"))
      assert(app.run("scope")(Holdfast.workflow("scope", 5)(app.stage(2)(_ => ()).count())) == 2)
    }
  }

  test("switched on") {
    withHoldfast("local[2]") { app =>
      val scheduler = Internals.schedulerClass(app.sc)
      assert(scheduler.startsWith("org.apache.spark.scheduler.holdfast."))
      assert(status.required("mode").asText == "enforce")
      works(app)
    }
  }

  test("mode off") {
    val (_, warnings) = Warnings.during(withSpark("local[2]", on, "spark.holdfast.mode" -> "off")(assertStock))
    assert(warnings.isEmpty)
  }

  // Key, value, and what the message must say besides them.
  Seq(
    ("spark.holdfast.polcy", "ssr", "spark.holdfast.policy"),
    ("spark.holdfast.pool.important.prioritty", "3", "spark.holdfast.pool.<pool>.priority"),
    ("spark.holdfast.mode", "enforc", "enforce"),
    ("spark.holdfast.hold.max", "soon", "duration"),
    ("spark.holdfast.grow", "yes", "true"),
    ("spark.holdfast.pool.important.priority", "high", "whole number"),
    ("spark.holdfast.priority", "3", "local property")
  ).foreach { case (key, value, also) => misconfigured(key, value, also) }

  test("a master that nobody supports: one warning, then Spark's own error") {
    def error(plugins: (String, String)*) = Try(withSpark("nonsense", plugins: _*)(works)).failed.get.getMessage
    val (said, warnings) = Warnings.during(error(on))
    assert(said == error())
    assert(warnings.size == 1)
    assert(warnings.head.contains("nonsense"))
  }

  test("another plugin before Holdfast's sees the master as it is") {
    withHoldfast("local[2]", "spark.plugins" -> s"${classOf[Neighbour].getName},${Scenarios.Plugin}") { app =>
      assert(Neighbour.master == "local[2]")
      assertBoth(app)
    }
  }

  test("another plugin after Holdfast's sees the rewritten master: one warning that says where ours belongs") {
    val plugins = s"${Scenarios.Plugin},${classOf[Neighbour].getName}"
    val (_, warnings) = Warnings.during(withHoldfast("local[2]", "spark.plugins" -> plugins) { app =>
      assert(Neighbour.master == "holdfast:local[2]")
      assertBoth(app)
    })
    assert(warnings.size == 1, warnings)
    Seq(s"spark.plugins=$plugins", "spark.master=holdfast:local[2]", s"put ${Scenarios.Plugin} last")
      .foreach(part => assert(warnings.head.contains(part)))
  }

  test("named twice: on once, and one warning") {
    val plugins = s"${Scenarios.Plugin},${classOf[Neighbour].getName},${Scenarios.Plugin}"
    val (_, warnings) = Warnings.during(withHoldfast("local[2]", "spark.plugins" -> plugins)(assertBoth))
    assert(warnings.size == 2, warnings)
    assert(warnings.head.contains(s"spark.plugins=$plugins names ${Scenarios.Plugin} 2 times: name it once, last"))
    assert(warnings.last.contains(s"${classOf[Neighbour].getName} starts after Holdfast"))
  }

  private def assertBoth(app: App): Unit = {
    assert(status.required("mode").asText == "enforce")
    assert(app.sc.master == "local[2]")
    assert(app.sc.getConf.get("spark.plugins") == classOf[Neighbour].getName)
    assert(Neighbour.onExecutor == "driver")
    works(app)
  }

  test("all other settings stay as they are") {
    def settings(plugins: (String, String)*) = {
      // What Spark makes anew for each application.
      val volatile = Set("spark.app.id", "spark.app.startTime", "spark.driver.port", "spark.app.submitTime")
      withSpark(
        "local[2]",
        Seq("spark.dynamicAllocation.maxExecutors" -> "7", "spark.task.maxFailures" -> "9") ++ plugins: _*
      ) { app =>
        (
          app.sc.getConf.getAll.toMap
            .removedAll(volatile)
            .filterNot { case (key, value) =>
              key.startsWith("spark.holdfast.") || value.contains(app.folder.toString)
            },
          app.sc.defaultParallelism
        )
      }
    }
    assert(settings(on) == settings())
  }
}
