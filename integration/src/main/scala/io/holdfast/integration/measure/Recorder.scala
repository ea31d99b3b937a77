package io.holdfast.integration.measure

import scala.collection.mutable

import org.apache.spark.scheduler._
import org.apache.spark.Success

/** Listens in the driver and keeps the timeline of the foreground and the background, told apart by their pools. What runs in
  * other pools (the warm-up) is left out. Spark creates it by the key `spark.extraListeners`, so that no executor is missed;
  * [[Recorder.current]] is the last one made.
  */
final class Recorder extends SparkListener {
  private val slots = mutable.Map[String, Int]()
  private val lost = mutable.Set[String]()
  private val stages = mutable.LinkedHashMap[(Int, Int), StageRun]()
  private val tasks = mutable.ArrayBuffer[TaskRun]()
  private val running = mutable.Map[Long, (Int, Int)]()
  private val launched = mutable.Map[(Int, Int), Int]().withDefaultValue(0)
  private val jobs = mutable.Map[Int, Int]()
  private val statements = mutable.ArrayBuffer[Statement]()
  private var application = Option.empty[String]
  private var width = Int.MaxValue
  private val queued = Queued.attach()
  private var fullWidth = false

  Recorder.made = Some(this)

  override def onApplicationStart(event: SparkListenerApplicationStart): Unit = synchronized {
    application = event.appId
  }

  override def onExecutorAdded(event: SparkListenerExecutorAdded): Unit = synchronized {
    slots(event.executorId) = event.executorInfo.totalCores
    notifyAll()
  }

  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = synchronized {
    lost += event.executorId
    ()
  }

  override def onJobStart(event: SparkListenerJobStart): Unit = synchronized {
    // A stage of several jobs belongs to the one that is first in need of it.
    event.stageIds.filterNot(jobs.contains).foreach(jobs(_) = event.jobId)
  }

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = synchronized {
    val info = event.stageInfo
    Option(event.properties).flatMap(p => Option(p.getProperty("spark.scheduler.pool"))).foreach { pool =>
      if (pool == Recorder.Foreground || pool == Recorder.Background)
        stages((info.stageId, info.attemptNumber())) = StageRun(
          info.stageId,
          info.attemptNumber(),
          info.name,
          info.numTasks,
          info.submissionTime.getOrElse(System.currentTimeMillis()),
          Long.MaxValue,
          pool == Recorder.Foreground,
          jobs.getOrElse(info.stageId, 0),
          info.parentIds,
          Option(event.properties.getProperty(Recorder.Deadline)).map(_.stripSuffix("ms").toLong),
          Option(event.properties.getProperty(Recorder.Error)).map(_.toDouble),
          Option(event.properties.getProperty(Recorder.StatementId)).map(_.toInt),
          Recorder.Executions.flatMap(key => Option(event.properties.getProperty(key))).headOption.map(_.toLong)
        )
    }
  }

  override def onStageCompleted(event: SparkListenerStageCompleted): Unit = synchronized {
    val info = event.stageInfo
    val key = (info.stageId, info.attemptNumber())
    stages.get(key).foreach { s =>
      stages(key) = s.copy(completed = info.completionTime.getOrElse(System.currentTimeMillis()))
      if (s.foreground && isFirst(s)) fullWidth = true
      notifyAll()
    }
  }

  override def onTaskStart(event: SparkListenerTaskStart): Unit = synchronized {
    val key = (event.stageId, event.stageAttemptId)
    stages.get(key).foreach { s =>
      running(event.taskInfo.taskId) = key
      launched(key) += 1
      if (s.foreground && isFirst(s) && running.values.count(_ == key) >= width) fullWidth = true
      notifyAll()
    }
  }

  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = synchronized {
    val key = (event.stageId, event.stageAttemptId)
    val info = event.taskInfo
    running.remove(info.taskId).foreach { _ =>
      val outcome = if (event.reason == Success) "Success" else event.reason.getClass.getSimpleName.stripSuffix("$")
      tasks += TaskRun(
        key._1,
        key._2,
        info.index,
        info.executorId,
        info.launchTime,
        info.finishTime,
        stages(key).foreground,
        info.taskLocality.toString,
        outcome,
        info.speculative
      )
      notifyAll()
    }
  }

  /** Forgets what has been recorded; nothing must run. */
  def forget(): Unit = synchronized {
    require(running.isEmpty, s"${running.size} tasks run; wait for awaitQuiet")
    stages.clear()
    tasks.clear()
    queued.forget()
    launched.clear()
    statements.clear()
    fullWidth = false
  }

  /** Keeps what users saw, with times in epoch ms. */
  def add(seen: Seq[Statement]): Unit = synchronized { statements ++= seen; () }

  /** Keeps what has run in another application, whose times are in epoch ms.
    *
    * @param prefix in front of its executors' names; its stages get numbers that are no others'
    */
  def add(other: Timeline, prefix: String): Unit = synchronized {
    slots ++= other.slots.map { case (executor, own) => s"$prefix$executor" -> own }
    def number(stage: Int) = -1 - stage
    other.stages.foreach { s =>
      stages((number(s.id), s.attempt)) = s.copy(id = number(s.id), parents = s.parents.map(number), execution = None)
    }
    tasks ++= other.tasks.map(t => t.copy(stage = number(t.stage), executor = s"$prefix${t.executor}"))
    statements ++= other.statements
    ()
  }

  /** Says how wide the foreground will be; before it starts. */
  def expect(parallelism: Int): Unit = synchronized { width = math.min(parallelism, slots.values.sum) }

  /** Slots of all executors that have come. */
  def slotsNow: Int = synchronized(slots.values.sum)

  def awaitExecutors(count: Int): Unit = await(s"$count executors")(slots.size >= count)

  /** Whether some background task waits for a slot. */
  def backgroundWaits: Boolean = synchronized {
    stages.exists { case (key, s) => !s.foreground && s.completed == Long.MaxValue && launched(key) < s.tasks }
  }

  /** Waits until background tasks fill every slot but `aside` ones. */
  def awaitCrowd(aside: Int): Unit =
    await(s"background on all but $aside slots")(
      running.values.count(k => !stages(k).foreground) >= slots.values.sum - aside
    )

  /** Waits until some background runs. */
  def awaitBackground(): Unit = await("background")(running.values.exists(k => !stages(k).foreground))

  /** Waits until the foreground's first wide stage runs at full width (or has ended). */
  def awaitFullWidth(): Unit = await("the first stage at full width")(fullWidth)

  /** Waits until every task that was started has ended; the listener bus must have been drained. */
  def awaitQuiet(): Unit =
    await("the end of all tasks")(running.isEmpty && stages.values.forall(_.completed < Long.MaxValue))

  /** The timeline relative to `arrived` (epoch ms), ended at `ended`.
    *
    * @throws java.lang.IllegalStateException if an executor has been lost: everything is counted by slots that stay
    */
  def timeline(parallelism: Int, arrived: Long, ended: Long): Timeline = synchronized {
    if (lost.nonEmpty)
      throw new IllegalStateException(
        s"executor ${lost.mkString(", ")} was lost, so that this run says nothing; see the executor's log, and run it again"
      )
    Timeline(
      slots.toMap,
      parallelism,
      ended - arrived,
      stages.values.map(s => s.copy(queued = s.queued.orElse(queued.at(s.id, s.attempt))).since(arrived)).toSeq,
      tasks.map(t => t.copy(launch = t.launch - arrived, finish = t.finish - arrived)).toSeq,
      statements.map(s => s.copy(due = s.due - arrived, ended = s.ended - arrived)).toSeq,
      application,
      arrived
    )
  }

  private def isFirst(stage: StageRun): Boolean = stage.tasks >= width

  private def await(what: String)(condition: => Boolean): Unit = synchronized {
    val deadline = System.nanoTime() + Recorder.AwaitMs * 1000000L
    while (!condition) {
      val left = (deadline - System.nanoTime()) / 1000000L
      if (left <= 0)
        throw new IllegalStateException(s"waited ${Recorder.AwaitMs / 1000} s for $what; see the cell's Spark log")
      wait(left)
    }
  }
}

object Recorder {
  val Foreground = "important"
  val Background = "background"

  /** Local properties with the bound of a job: its deadline in `ms`, and its error. */
  val Deadline = "holdfast.deadline"
  val Error = "holdfast.error"

  /** Local property, and key of a client's session, with the number of a user's statement. */
  val StatementId = "spark.experiment.statement"

  /** Local properties with a stage's SQL execution: the root one first. */
  private val Executions = Seq("spark.sql.execution.root.id", "spark.sql.execution.id")
  private val AwaitMs = 120000L

  @volatile private var made: Option[Recorder] = None

  def current: Recorder = made.getOrElse(
    throw new IllegalStateException(
      s"no recorder: set spark.extraListeners=${classOf[Recorder].getName} before the SparkContext is created"
    )
  )
}
