package io.holdfast.integration.programs.dashboards

import java.util.concurrent.{ConcurrentLinkedQueue, Executors, TimeUnit}

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import io.holdfast.integration.measure.{Recorder, Statement}
import org.apache.spark.sql.SparkSession

/** How users reach Spark. */
trait Clients {

  /** Lets users ask for their statements from now on. */
  def start(users: Seq[User]): Asking
}

/** Users that ask. */
trait Asking {

  /** Waits until each of them has all answers. */
  def await(): Unit

  /** They ask for nothing new; what runs is not waited for. */
  def stop(): Unit

  /** Whether a statement of theirs still runs. */
  def busy: Boolean

  /** Statements that have ended so far, times in epoch ms. */
  def statements: Seq[Statement]
}

/** Users as threads of the application, each with a session of its own, told apart by pools. */
final class InProcess(spark: SparkSession) extends Clients {
  override def start(users: Seq[User]): Asking = new Threads(spark, users)
}

private final class Threads(spark: SparkSession, users: Seq[User]) extends Asking {
  private val done = new ConcurrentLinkedQueue[Statement]
  @volatile private var stopped = false
  private val begun = System.currentTimeMillis()
  // Waiting for a due time takes no thread: a statement that is due gets one, however many run.
  private val timer = Executors.newSingleThreadScheduledExecutor()
  private val pool = Executors.newCachedThreadPool { (task: Runnable) =>
    val thread = new Thread(task, "user")
    thread.setDaemon(true)
    thread
  }
  users.foreach(start)

  private def start(user: User): Unit = {
    val session = spark.newSession()
    val (timed, inARow) = user.asks.partition(_.dueMs.nonEmpty)
    for (ask <- timed; due <- ask.dueMs)
      timer.schedule(
        (() => pool.execute(() => run(user, session, ask, begun + due))): Runnable,
        due,
        TimeUnit.MILLISECONDS
      )
    if (inARow.nonEmpty) pool.execute { () =>
      inARow.iterator.takeWhile(_ => !stopped).foreach(ask => run(user, session, ask, System.currentTimeMillis()))
    }
  }

  private def run(user: User, session: SparkSession, ask: Ask, due: Long): Unit = if (!stopped) {
    val sc = spark.sparkContext
    sc.setLocalProperty("spark.scheduler.pool", user.pool)
    sc.setLocalProperty(Recorder.StatementId, ask.id.toString)
    val error =
      try {
        session.sql(ask.sql).collect()
        None
      } catch { case NonFatal(e) => Some(e.toString) }
    done.add(Statement(ask.id, user.name, user.kind, ask.name, due, System.currentTimeMillis(), error))
    ()
  }

  override def await(): Unit = {
    timer.shutdown()
    timer.awaitTermination(Long.MaxValue, TimeUnit.SECONDS)
    pool.shutdown()
    pool.awaitTermination(Long.MaxValue, TimeUnit.SECONDS)
    ()
  }

  override def stop(): Unit = {
    stopped = true
    timer.shutdownNow()
    pool.shutdown()
  }

  override def busy: Boolean = !pool.isTerminated

  override def statements: Seq[Statement] = done.asScala.toSeq
}
