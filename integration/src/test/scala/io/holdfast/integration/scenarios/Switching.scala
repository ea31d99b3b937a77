package io.holdfast.integration.scenarios

import scala.util.Try

import com.fasterxml.jackson.databind.JsonNode
import io.holdfast.Holdfast
import io.holdfast.integration.Json

/** Whether Holdfast is on, and what is said when it is not. */
trait Switching extends Scenarios {
  private val StockScheduler = "org.apache.spark.scheduler.TaskSchedulerImpl"
  protected val on: (String, String) = "spark.plugins" -> Scenarios.Plugin

  protected def works(app: App): Unit = { assert(app.run("program")(app.stage(4)(_ => ()).sum()) == 6.0); () }

  protected def status: JsonNode = Json.tree(Holdfast.status())

  protected def assertStock(app: App): Unit = {
    assert(Internals.schedulerClass(app.sc) == StockScheduler)
    assert(app.sc.master == "local[2]")
    assert(status.required("mode").asText == "off")
    works(app)
  }

  /** With this key and value Holdfast cannot be switched on; the message names both, and `also`. */
  protected def misconfigured(key: String, value: String, also: String): Unit = {
    test(s"$key=$value: one warning that says why, then Spark's own scheduling") {
      val (_, warnings) = Warnings.during(withSpark("local[2]", on, key -> value)(assertStock))
      assert(warnings.size == 1, warnings)
      assert(warnings.head.startsWith("Holdfast is off"))
      Seq(key, value, also).foreach(part => assert(warnings.head.contains(part)))
    }

    test(s"$key=$value: a failure when Holdfast is required") {
      val failed = Try(withSpark("local[2]", on, key -> value, "spark.holdfast.required" -> "true")(works))
      val said = Iterator.iterate(failed.failed.get)(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString(" / ")
      Seq("spark.holdfast.required=true", key, value, also).foreach(part => assert(said.contains(part)))
    }
  }
}
