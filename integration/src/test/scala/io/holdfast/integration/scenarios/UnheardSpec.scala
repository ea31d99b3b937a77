package io.holdfast.integration.scenarios

import java.util.concurrent.atomic.AtomicInteger

import scala.jdk.CollectionConverters._

import io.holdfast.integration.measure.HoldfastStatus
import org.apache.spark.SparkContext
import org.apache.spark.scheduler._
import org.apache.spark.sql.SparkSession

/** Spark drops listener events when a queue is full. */
class UnheardSpec extends Scenarios {
  import UnheardSpec._

  test("of a thousand jobs, many cancelled, every tenth end is not heard: nothing is left of any") {
    withSpark("local[4]", conf: _*) { app =>
      val spark = SparkSession.builder().getOrCreate()
      val deaf = Deaf.insteadOf(app.sc)
      val programs = (0 until Threads).map { thread =>
        app.start(s"program $thread") {
          for (i <- 0 until Jobs / Threads) {
            val group = s"group-$thread-$i"
            app.sc.setJobGroup(group, group, interruptOnCancel = true)
            i % 5 match {
              case 0 =>
                val job = app.stage(2)(_ => Thread.sleep(60000)).countAsync()
                while (!job.isCompleted) { app.sc.cancelJobGroup(group); Thread.sleep(2) }
              case 1 =>
                app.sc.clearJobGroup()
                spark.range(0, 4, 1, 2).repartition(2).collect()
              case _ => app.stage(2)(_ => ()).count()
            }
          }
        }
      }
      programs.foreach(_.result)
      app.drain()
      assert(deaf.dropped.get >= Jobs / 10)
      deaf.listens = true
      // What is missed is looked for when something is submitted, and believed a second later.
      Wait.until(s"an end of all: ${left.mkString(", ")}") {
        app.stage(1)(_ => ()).count()
        app.drain()
        Thread.sleep(100)
        left.values.forall(_ == 0)
      }
      assert(HoldfastStatus.readWhenIdle().holds.left == 0)
    }
  }
}

private object UnheardSpec {

  /** Each group runs once: what waits for another job of it would only make the scenario longer. */
  private val conf = Seq(
    "spark.plugins" -> Scenarios.Plugin,
    "spark.holdfast.group.*.priority" -> "5",
    "spark.holdfast.linger.first" -> "20ms",
    "spark.holdfast.linger.max" -> "20ms"
  )

  private val Jobs = 1000
  private val Threads = 8

  /** What the session keeps of jobs and executions. */
  private def left: Map[String, Int] = {
    val session = call(Class.forName("io.holdfast.session.Status"), null, "session")
    val jobs = field(session, "jobs")
    Map(
      "jobs" -> call(jobs.getClass, jobs, "known").asInstanceOf[java.util.Set[_]].size,
      "executions" -> call(jobs.getClass, jobs, "executions").asInstanceOf[java.util.Set[_]].size,
      "runs" -> field(jobs, "runs").asInstanceOf[java.util.Map[_, _]].size
    )
  }

  private def call(owner: Class[_], on: AnyRef, name: String): AnyRef = {
    val method = owner.getDeclaredMethod(name)
    method.setAccessible(true)
    method.invoke(on)
  }

  private def field(of: AnyRef, name: String): AnyRef = {
    val field = of.getClass.getDeclaredField(name)
    field.setAccessible(true)
    field.get(of)
  }

  /** Passes on what a listener of ours is told, but for every tenth end. */
  private class Deaf(listener: SparkListener) extends SparkListener {
    private val ends = new AtomicInteger
    val dropped = new AtomicInteger
    @volatile var listens = false

    private def heard: Boolean = {
      val heard = ends.incrementAndGet() % 10 != 0 || listens
      if (!heard) dropped.incrementAndGet()
      heard
    }

    override def onJobEnd(end: SparkListenerJobEnd): Unit = if (heard) listener.onJobEnd(end)
    override def onOtherEvent(event: SparkListenerEvent): Unit =
      if (!event.getClass.getName.endsWith("SQLExecutionEnd") || heard) listener.onOtherEvent(event)
  }

  private object Deaf {
    def insteadOf(sc: SparkContext): Deaf = {
      val bus = Internals.get(sc, "listenerBus")
      def method(name: String) = bus.getClass.getMethods.find(m => m.getName == name && m.getParameterCount == 1).get
      val all = Internals.get(bus, "listeners").asInstanceOf[java.util.List[AnyRef]]
      val ours = all.asScala.find(_.getClass.getSimpleName == "HoldfastListener").get
      val deaf = new Deaf(ours.asInstanceOf[SparkListener])
      method("removeListener").invoke(bus, ours)
      method("addToManagementQueue").invoke(bus, deaf)
      deaf
    }
  }
}
