package io.holdfast.integration.scenarios

import java.nio.file.Path
import java.util.Properties

import scala.concurrent.{Await, Future}
import scala.concurrent.duration._
import scala.concurrent.ExecutionContext
import scala.jdk.CollectionConverters._

import org.apache.spark.{HashPartitioner, SparkContext, TaskContext}
import org.apache.spark.rdd.RDD

/** A running application and the means to watch it. */
final class App(val sc: SparkContext, val launches: Launches, val folder: Path) {
  private var gates = 0

  /** Each program gets a thread of its own, since local properties belong to threads. */
  private implicit val threads: ExecutionContext = ExecutionContext.fromExecutor { (body: Runnable) =>
    val thread = new Thread(body, "program")
    thread.setDaemon(true)
    thread.start()
  }

  def gate(): Gate = synchronized {
    gates += 1
    Gate(folder.resolve(s"gate-$gates").toString)
  }

  /** Runs a program of that role in its own thread, with these local properties. */
  def start[T](role: String, properties: (String, String)*)(program: => T): Running[T] = new Running(Future {
    val own = new Properties
    (properties :+ (Launches.Role -> role)).foreach { case (key, value) => own.setProperty(key, value) }
    own.asScala.foreach { case (key, value) => sc.setLocalProperty(key, value) }
    program
  })

  def run[T](role: String, properties: (String, String)*)(program: => T): T =
    start(role, properties: _*)(program).result

  /** Waits until a condition on what listeners have heard is met. */
  def await(what: => String)(condition: => Boolean): Unit =
    Wait.until(
      s"$what; executors with cores: ${launches.cores.mkString(", ")}; launched so far: ${launches.all.mkString(" ")}"
    )(condition)

  def awaitExecutors(count: Int): Unit =
    await(s"$count executors")((launches.cores.keySet -- launches.gone).size >= count)

  def awaitRunning(role: String, count: Int): Unit =
    await(s"$count running tasks of $role")(launches.running(role) >= count)

  /** Waits until listeners have heard all that was posted. */
  def drain(): Unit = {
    val bus = Internals.get(sc, "listenerBus")
    bus.getClass.getMethod("waitUntilEmpty").invoke(bus)
  }

  /** Task sets that the scheduler knows now. */
  def taskSets: Int = Internals.taskSets(sc).size

  /** Those of a program of that role: others of its sets may end meanwhile. */
  def taskSets(role: String): Int = Internals.taskSets(sc).count(_ == role)

  /** A stage of `n` tasks that each call `work` with their index. */
  def stage(n: Int)(work: Int => Unit): RDD[Int] = Programs.first(sc, n)(work)
}

/** A program in its own thread. */
final class Running[T](future: Future[T]) {
  def isOver: Boolean = future.isCompleted

  def result: T = Await.result(future, 120.seconds)

  /** Waits for its end, good or bad. */
  def over(): Unit = { Await.ready(future, 120.seconds); () }

  def failure: Option[Throwable] = { over(); future.value.flatMap(_.failed.toOption) }
}

/** Stages whose tasks do what a scenario says. The functions go to executors: they must know nothing of a suite. */
object Programs {
  def first(sc: SparkContext, n: Int)(work: Int => Unit): RDD[Int] =
    sc.parallelize(0 until n, n).mapPartitionsWithIndex { (i, rows) => work(i); rows }

  /** The lines of a folder's files, a task for each file, each line in `lineMs`; the first attempt of every tenth task is slower.
    */
  def reading(sc: SparkContext, folder: String, lineMs: Long, slowness: Int): RDD[String] =
    sc.textFile(folder, 1).mapPartitionsWithIndex { (i, rows) =>
      val slow = i % 10 == 0 && TaskContext.get().attemptNumber() == 0
      rows.map { row => Thread.sleep(if (slow) lineMs * slowness else lineMs); row }
    }

  /** A stage of `n` tasks behind a shuffle; key k goes to partition k modulo n. */
  def next(before: RDD[Int], n: Int)(work: Int => Unit): RDD[Int] =
    before.map(k => (k, k)).partitionBy(new HashPartitioner(n)).values.mapPartitionsWithIndex { (i, rows) =>
      work(i); rows
    }
}

/** Jobs of unimportant tasks that wait for slots; each sleeps, or returns at once when [[stop]] was called or the gate `until`
  * is open.
  */
final class Crowd(
    app: App,
    jobs: Int = 2,
    tasks: Int = 12,
    sleepMs: Long = 300,
    properties: Seq[(String, String)] = Nil,
    until: Option[Gate] = None
) {
  private val stopped = app.gate()
  private var programs = Seq.empty[Running[Unit]]

  /** Returns when the jobs wait for slots. */
  def start(): this.type = {
    val before = app.taskSets(Crowd.Role)
    val (gates, ms, n) = (until.toSeq :+ stopped, sleepMs, tasks)
    programs = (1 to jobs).map { _ =>
      app.start(Crowd.Role, properties: _*) {
        Programs.first(app.sc, n)(_ => Crowd.work(gates, ms)).foreach(_ => ())
      }
    }
    app.await("the crowd's task sets")(app.taskSets(Crowd.Role) >= before + jobs)
    this
  }

  def stop(): Unit = {
    stopped.open()
    programs.foreach(_.result)
  }
}

object Crowd {
  val Role = "crowd"

  private def work(gates: Seq[Gate], ms: Long): Unit = {
    val until = System.nanoTime() + ms * 1000000L
    while (!gates.exists(_.isOpen) && System.nanoTime() < until) Thread.sleep(10)
  }
}

/** An important program of stages as wide as the cluster, beside a crowd that wants every slot that is freed. */
final class Chain(app: App, slots: Int, stages: Int = 4) {

  /** Runs it, and ends when the crowd is gone, too. The first stage waits until the crowd does.
    *
    * @return the program's launches, and what the crowd got between the first stage's last and the last stage's last
    */
  def beside(role: String, properties: (String, String)*): (Seq[Launch], Seq[Launch]) = {
    val gate = app.gate()
    val important = app.start(role, properties: _*)(run(gate))
    app.awaitRunning(role, slots)
    val crowd = new Crowd(app).start()
    gate.open()
    require(important.result == slots, "rows are missing")
    crowd.stop()
    app.drain()
    val own = app.launches.of(role)
    (own, app.launches.between(Crowd.Role, own(slots - 1).id, own.last.id))
  }

  private def run(gate: Gate): Long = {
    val first = app.stage(slots)(_ => gate.await())
    (1 until stages).foldLeft(first)((rdd, _) => Programs.next(rdd, slots)(i => Thread.sleep(100L + 50 * i))).count()
  }
}

/** What Spark keeps to itself. */
object Internals {
  def get(owner: AnyRef, name: String): AnyRef = owner.getClass.getMethod(name).invoke(owner)

  def schedulerClass(sc: SparkContext): String = get(sc, "taskScheduler").getClass.getName

  /** Asks Spark to let an executor go in good order. */
  def decommission(sc: SparkContext, executor: String): Unit = {
    val info = Class.forName("org.apache.spark.scheduler.ExecutorDecommissionInfo")
    val reason = info.getConstructors.head.newInstance("a scenario wants it", None)
    val backend = get(sc, "schedulerBackend")
    val method = backend.getClass.getMethods.find(_.getName == "decommissionExecutor").get
    method.invoke(backend, executor, reason, Boolean.box(false), Boolean.box(false))
    ()
  }

  /** What the sinks of Spark's metrics system show of the driver, and read. */
  def gauge(name: String): Option[Any] = {
    // Not by reflection: 4.3's SparkEnv mentions classes that it does not bring.
    val system: AnyRef = org.apache.spark.SparkEnv.get.metricsSystem
    val registry = system.getClass.getDeclaredField("registry")
    registry.setAccessible(true)
    val gauges = registry.get(system).asInstanceOf[com.codahale.metrics.MetricRegistry].getGauges.asScala
    gauges.collectFirst { case (key, gauge) if key.endsWith(s".driver.$name") => gauge.getValue }
  }

  /** The role of each in the pools' queues, without asking whether they are schedulable. */
  def taskSets(sc: SparkContext): Seq[String] = leaves(get(get(sc, "taskScheduler"), "rootPool")).map(role)

  private def leaves(schedulable: AnyRef): Seq[AnyRef] = get(schedulable, "schedulableQueue") match {
    case null => Seq(schedulable)
    case queue => queue.asInstanceOf[java.util.Queue[AnyRef]].asScala.toSeq.flatMap(leaves)
  }

  private def role(manager: AnyRef): String =
    Option(get(get(manager, "taskSet"), "properties").asInstanceOf[Properties])
      .fold("")(_.getProperty(Launches.Role, ""))
}
