package io.holdfast.session

import java.util.Properties

import scala.jdk.CollectionConverters._

import io.holdfast.bridge.NativeEngine
import org.scalatest.funsuite.AnyFunSuite

/** What runs where, as the shim books it. */
class ExecutorsSpec extends AnyFunSuite {
  private val executors = new Executors((_, _, _, _, _, _, _) => (), (_, _, _) => ())
  private val executor = executors.add("e", 0)
  private var aborted = false
  executors.defineProfile(0, 1000, 0, 0)

  private def set(id: Int, zombie: => Boolean): SetRef = {
    val job = new JobRef(id, new WorkflowRef(id, s"job:$id", s"job:$id", s"job:$id", false), null, new Properties)
    new SetRef(id, job, new SetRef.Shape(2, 0, executors.demand(0), NativeEngine.RESULT, () => zombie))
  }

  private def unsent(cpu: Int): Seq[Long] = executors.unsent(executor, cpu, 0, 0).asScala.map(_.longValue).toSeq

  test("attempts of an aborted set that Spark never sent end when their executor offers what they would have") {
    assert(executor.offered(4000, 0, 0))
    val (large, other) = (set(1, aborted), set(2, zombie = false))
    Seq(11L, 12L).foreach(executors.launched(large, _, executor))
    executors.launched(other, 13, executor)
    assert(unsent(1000).isEmpty, "all of them run")
    aborted = true
    assert(unsent(1000).isEmpty, "they may still run")
    assert(unsent(2000) == Seq(11), "one of them does not")
    assert(unsent(3000) == Seq(12) && executor.running(0) == 1000)
    assert(!executors.freed(12), "what Spark may say of it later is nothing new")
    // Whoever may launch still is believed: the executor is larger than was known.
    assert(unsent(4000).isEmpty && executor.offered(4000, 0, 0) && executor.capacity(0) == 5000)
  }
}
