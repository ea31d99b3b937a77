package io.holdfast.session

import java.util.concurrent.TimeUnit.SECONDS

import scala.jdk.CollectionConverters._

import io.holdfast.bridge.Wake
import io.holdfast.config.Settings
import io.holdfast.history.History
import org.scalatest.funsuite.AnyFunSuite

/** When free slots are asked for again, and when not. */
class WakeSpec extends AnyFunSuite {
  private val second = SECONDS.toNanos(1)

  /** How often a backend is asked for offers, by a clock that the test moves. */
  private class Asked {
    val wake = new Wake
    var now = 0L
    var times = 0

    def serve(): Int = {
      if (wake.take(now).reoffer) times += 1
      times
    }

    def want(): Int = {
      wake.reoffer()
      serve()
    }
  }

  test("until a round over all executors has begun one request is enough; what is wanted after that makes another") {
    val asked = new Asked
    (1 to 9).foreach(_ => assert(asked.want() == 1))
    asked.wake.roundBegins()
    asked.now += 2 * second
    assert(asked.serve() == 1, "that round has heard of all nine")
    (1 to 9).foreach(_ => assert(asked.want() == 2))
  }

  test("a round that begins before the request does not answer what is wanted after it") {
    val asked = new Asked
    asked.wake.roundBegins()
    assert(asked.want() == 1)
    asked.wake.roundBegins()
    asked.wake.roundBegins()
    assert(asked.serve() == 1)
    assert(asked.want() == 2)
  }

  test("when no round comes the request is made again after a second, if offers are wanted still") {
    val asked = new Asked
    assert(asked.want() == 1)
    asked.now += second
    assert(asked.serve() == 1, "nobody has wanted anything since")
    asked.now -= 1
    assert(asked.want() == 1)
    asked.now += 1
    assert(asked.serve() == 2)
    asked.now += second - 1
    assert(asked.want() == 2)
  }

  test("a round over some executors answers no request") {
    var revived = 0
    var wake: Wake = null
    val time = new Timekeeper {
      override def nanoTime(): Long = 0
      override def keep(session: Session, kept: Wake): Unit = wake = kept
    }
    val settings = Settings.parse(Map.empty[String, String].asJava)
    val session = new Session(settings, "none", History.of(settings, null), () => revived += 1, time)
    session.open("app-1")
    def wantAfterRound(ofAll: Boolean): Int = {
      session.beginRound(ofAll)
      wake.reoffer()
      Ticker.serve(session, wake.take(0))
      revived
    }
    assert(wantAfterRound(true) == 1)
    assert(wantAfterRound(false) == 1)
    assert(wantAfterRound(true) == 2)
    session.close()
  }
}
