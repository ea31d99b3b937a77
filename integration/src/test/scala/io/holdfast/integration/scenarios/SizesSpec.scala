package io.holdfast.integration.scenarios

import org.apache.spark.resource.{ResourceProfileBuilder, TaskResourceRequests}

/** A program whose tasks need two cores first and one core then: other slots on the same executors. */
class SizesSpec extends Scenarios {
  private val Large = 4
  private val Small = 8

  private def stolen(conf: (String, String)*): Int =
    withHoldfast("local-cluster[2,4,512]", conf: _*) { app =>
      app.awaitExecutors(2)
      val gate = app.gate()
      val twoCores = new ResourceProfileBuilder().require(new TaskResourceRequests().cpus(2)).build()
      val important = app.start("important", "spark.holdfast.priority" -> "5") {
        val large = app.stage(Large)(_ => gate.await()).withResources(twoCores)
        Programs.next(large, Small)(_ => Thread.sleep(100)).count()
      }
      app.awaitRunning("important", Large)
      val crowd = new Crowd(app, sleepMs = 1000).start()
      gate.open()
      assert(important.result == Large)
      crowd.stop()
      app.drain()
      val own = app.launches.of("important")
      assert(own.size == Large + Small)
      app.launches.between(Crowd.Role, own(Large - 1).id, own.last.id).size
    }

  test("a slot of two cores is held as two of one core for what comes next") {
    assert(stolen() == 0)
  }

  without("enforcing: the crowd takes them") {
    assert(stolen("spark.holdfast.mode" -> "observe") > 0)
  }
}
