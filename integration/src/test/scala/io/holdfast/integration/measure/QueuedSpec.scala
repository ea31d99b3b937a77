package io.holdfast.integration.measure

import java.io.ObjectOutputStream

import org.scalatest.funsuite.AnyFunSuite

import io.holdfast.integration.programs.Recorded

class QueuedSpec extends AnyFunSuite {
  test("what the driver takes to serialize tasks lies before they could be launched") {
    val timeline = Recorded(4) { sc =>
      val slow = new QueuedSpec.Slow
      sc.parallelize(1 to 4, 4).map(i => (i % 2, i)).reduceByKey(_ + _, 4).map(_ => slow.toString.length).count()
      ()
    }
    val stages = timeline.foregroundStages
    assert(stages.size == 2)
    stages.foreach { stage =>
      val queued = stage.queued.getOrElse(fail(s"nothing was noted of $stage"))
      assert(stage.submitted <= queued)
      assert(timeline.tasksOf(stage).map(_.launch).forall(_ >= queued))
    }
    assert(stages.last.queued.exists(_ - stages.last.submitted >= QueuedSpec.SlowMs))
  }

  test("a second Spark of the JVM counts its stages anew") {
    val two = Seq.fill(2)(Recorded(4)(sc => { sc.parallelize(1 to 4, 4).count(); () }).foregroundStages)
    two.foreach(stages => assert(stages.map(s => s.id -> s.queued.exists(_ >= s.submitted)) == Seq(0 -> true)))
  }
}

object QueuedSpec {

  /** Longer than [[Counters.LateMs]]. */
  private val SlowMs = 400L

  private final class Slow extends Serializable {
    private def writeObject(out: ObjectOutputStream): Unit = {
      Thread.sleep(SlowMs)
      out.defaultWriteObject()
    }
  }
}
