package io.holdfast.session

import java.lang.management.ManagementFactory
import java.util.Properties

import io.holdfast.bridge.NativeEngine
import org.scalatest.funsuite.AnyFunSuite

/** A driver that lives for long: short jobs of many names, executors, profiles and users that come and go. What it takes must
  * not grow once everything has been seen. The engine's own memory is counted to the byte in rust/engine/tests/soak.rs.
  */
class SoakSpec extends AnyFunSuite {
  import SoakSpec._

  private var millis = 0L
  private val time = new VirtualTime(() => millis * 1000000, lagMillis = 0)
  private val session = time.session(Map("spark.holdfast.group.name-?.priority" -> "5"), () => ())
  private var attempt = 0L

  test(s"$Runs jobs of $Names names: the heap does not grow in the last three quarters") {
    session.open("soak")
    (0 until Runs / 4).foreach(job)
    val heap = heapInUse()
    (Runs / 4 until Runs).foreach(job)
    val grown = heapInUse() - heap
    assert(session.live && session.counters.get("made").longValue > 0)
    assert(grown < MostHeap, s"$heap bytes grew by $grown")
    session.close()
    assert(session.counters.get("held").longValue == 0)
  }

  /** Two stages of two tasks on two executors, of which one is replaced by another every so often. */
  private def job(n: Int): Unit = {
    val executors = Seq(s"executor-${n / 50}", s"executor-${(n + 25) / 50}-b")
    val profile = n / 100
    val own = new Properties
    own.setProperty("spark.jobGroup.id", s"name-${n % Names}")
    own.setProperty("spark.job.tags", s"SparkConnect_OperationTag_User_user-${n % 1000}_Session_s-${n}_Operation_$n")
    own.setProperty("spark.sql.execution.id", n.toString)
    if (n % 50 == 0) session.executorLost(s"executor-${n / 50 - 1}")
    if (n % 50 == 25) session.executorLost(s"executor-${n / 50}-b")
    round(executors, profile)
    val first = stage(n, 2 * n, profile, own, Array(2 * n, 2, 2, profile, 1, 2 * n + 1, 2, 0, 0, 2), executors)
    session.ended(first)
    val second = stage(n, 2 * n + 1, profile, own, Array(), executors)
    session.ended(second)
    session.jobEnded(n, n % 10 != 0)
    session.executionEnded(n)
    millis += 20
    time.serve()
  }

  private def round(executors: Seq[String], profile: Int): Unit = {
    session.beginRound(true)
    session.defineProfile(profile, 0, 1000, 0, 0)
    session.defineProfile(0, 0, 1000, 0, 0)
    executors.foreach(session.offer(_, 0, 2000, 0, 0, false))
  }

  private def stage(
      job: Int,
      id: Int,
      profile: Int,
      own: Properties,
      plan: Array[Int],
      executors: Seq[String]
  ): SetRef = {
    val set = session.submitted(job, id, 2, profile, NativeEngine.SHUFFLE_MAP, false, own, false, plan, () => false)
    executors.zipWithIndex.foreach { case (executor, task) =>
      attempt += 1
      if (session.ask(set, executor) != Asks.VETO) {
        session.launched(set, attempt, task, executor, true)
        session.freed(attempt, NativeEngine.FINISHED)
      }
    }
    set
  }

  private def heapInUse(): Long = {
    val memory = ManagementFactory.getMemoryMXBean
    (1 to 3).foreach(_ => memory.gc())
    memory.getHeapMemoryUsage.getUsed
  }
}

private object SoakSpec {
  private val Runs = Integer.getInteger("holdfast.soak.runs", 100000).intValue
  private val Names = 10000

  /** A hundred bytes for each job would be 7 MB. */
  private val MostHeap = 2L << 20
}
