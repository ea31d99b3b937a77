package io.holdfast

import java.util.Properties

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

/** A session without Spark. */
class SessionSpec extends AnyFunSuite {

  private def opened(revive: Runnable = () => ()): Session = {
    val session = new VirtualTime(() => 0L, lagMillis = 0).session(Map.empty, revive)
    session.open("app-1")
    assert(session.live)
    session
  }

  private def failed(session: Session): Int = session.counters.get("failed").intValue

  test("whoever asks for counters after the end hears the last ones, and nobody is told of a failure") {
    val session = opened()
    session.beginRound()
    session.defineProfile(0, 0, 1000, 0, 0)
    session.offer("e", 0, 4000, 0, 0, false)
    val before = session.counters.asScala.toMap
    session.close()
    assert(session.counters.asScala.toMap == before && failed(session) == 0)
    assert(session.status(null).contains("\"mode\":\"enforce\""))
  }

  test("what Spark throws when it is asked to offer its slots ends neither timer nor session") {
    val session = opened(() => throw new Exception("a checked one: the backend has stopped"))
    session.revive()
    assert(session.live && failed(session) == 0)
    session.close()
  }

  test("the end of a micro-batch that is heard late does not end the next one") {
    val closed = Seq.newBuilder[Int]
    val steps = new Jobs.Steps {
      override def step(kind: Int, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int): Unit =
        if (kind == NativeEngine.WORKFLOW_CLOSED) closed += a
      override def named(workflow: WorkflowRef): Unit = ()
    }
    val jobs = new Jobs(steps, History.of(Settings.parse(Map.empty[String, String].asJava), null))
    Seq(1 -> "7", 2 -> "8").foreach { case (job, run) =>
      jobs.submit(job, new Identity("stream:q", true, 5, Settings.ONE, 0, run, false), new Properties, true)
    }
    jobs.closeRun("7")
    assert(closed.result().isEmpty)
    jobs.closeRun("8")
    assert(closed.result().size == 1)
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
