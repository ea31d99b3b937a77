package io.holdfast.integration.scenarios

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.JsonNode
import io.holdfast.Holdfast
import io.holdfast.integration.Json
import org.scalatest.Assertion

/** A program whose first stage has a straggler, beside a crowd: how long are the slots of the others kept? */
class IsolationSpec extends Scenarios {
  private val Slots = 4

  // Without a linger, what expires has expired at a barrier.
  private val common = Seq(
    "spark.holdfast.hold.max" -> "10min",
    "spark.holdfast.linger.first" -> "0s",
    "spark.holdfast.linger.max" -> "0s"
  )

  private def account(workflow: String): Option[JsonNode] =
    Json.tree(Holdfast.status()).required("workflows").elements.asScala.find(_.get("workflow").asText == workflow)

  private def count(account: Option[JsonNode], what: String): Int = account.get.required(what).asInt

  /** Runs the program; the straggler ends when the crowd has got so many `slots`. */
  private def straggling(slots: Int, conf: (String, String)*)(check: Option[JsonNode] => Assertion): Assertion =
    withHoldfast("local-cluster[2,2,512]", conf ++ common: _*) { app =>
      app.awaitExecutors(2)
      val (begun, straggler) = (app.gate(), app.gate())
      val important = app.start("important", "spark.scheduler.pool" -> "important") {
        val first = app.stage(Slots) { i => begun.await(); if (i == 0) straggler.await() else Thread.sleep(200) }
        Programs.next(first, Slots)(_ => ()).count()
      }
      app.awaitRunning("important", Slots)
      val crowd = new Crowd(app, sleepMs = 60000, until = Some(straggler)).start()
      begun.open()
      app.await("the three others' ends")(app.launches.ends("important").size == Slots - 1)
      app.awaitRunning(Crowd.Role, slots)
      straggler.open()
      assert(important.result == Slots)
      crowd.stop()
      check(account("pool:important"))
    }

  test("isolation 0.4: after D the slots of a straggling stage are given back") {
    straggling(3, "spark.holdfast.pool.important.priority" -> "5", "spark.holdfast.pool.important.isolation" -> "0.4") {
      account =>
        assert(count(account, "expired") == 3)
        assert(count(account, "barriers") > count(account, "kept"))
    }
  }

  test("an idle budget: when it is used up, so are they") {
    straggling(3, "spark.holdfast.pool.important.priority" -> "5", "spark.holdfast.idle.budget" -> "0.01") { account =>
      assert(count(account, "expired") >= 3)
      val status = Json.tree(Holdfast.status())
      // 1 % of four slots, beginning with half a minute of them.
      assert(status.required("idle_slot_s").asDouble < 0.01 * 4 * (30 + 60))
    }
  }

  without("a deadline and a budget: they are kept for the next stage") {
    straggling(0, "spark.holdfast.pool.important.priority" -> "5") { account =>
      assert(count(account, "used") > 0 && count(account, "expired") == 0 && count(account, "barriers") == 0)
    }
  }

  without("isolation: nothing is held") {
    straggling(3, "spark.holdfast.pool.important.priority" -> "5", "spark.holdfast.isolation" -> "0") { account =>
      assert(account.isEmpty)
    }
  }
}
