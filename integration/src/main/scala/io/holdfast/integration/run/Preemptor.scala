package io.holdfast.integration.run

import java.util.concurrent.{Executors, ScheduledExecutorService, TimeUnit}

import scala.collection.mutable
import scala.util.control.NonFatal

import io.holdfast.integration.measure.Recorder
import io.holdfast.integration.plan.Preemption
import org.apache.spark.SparkContext
import org.apache.spark.scheduler._

/** Kills tasks so that each job has its fair share: a baseline, for Holdfast kills nothing. The pool of the foreground has all the
  * weight, so that its jobs share all slots that they want, and the others what is left.
  *
  * @param slots of all executors
  */
final class Preemptor(sc: SparkContext, rule: Preemption, slots: Int) extends SparkListener with AutoCloseable {
  private val jobs = new ShareOfJobs(rule, slots)
  private val timer: ScheduledExecutorService = Executors.newSingleThreadScheduledExecutor { (task: Runnable) =>
    val thread = new Thread(task, "preemptor")
    thread.setDaemon(true)
    thread
  }
  private val everyMs = math.round(1000 * rule.intervalS)
  @volatile private var failure: Option[Throwable] = None
  sc.addSparkListener(this)
  timer.scheduleWithFixedDelay(() => look(), everyMs, everyMs, TimeUnit.MILLISECONDS)

  override def onJobStart(event: SparkListenerJobStart): Unit = jobs.synchronized {
    event.stageIds.foreach(jobs.belongs(_, event.jobId))
  }
  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = jobs.synchronized {
    val pool = Option(event.properties).map(_.getProperty("spark.scheduler.pool"))
    jobs.submitted(event.stageInfo.stageId, event.stageInfo.numTasks, pool.contains(Recorder.Foreground))
  }
  override def onStageCompleted(event: SparkListenerStageCompleted): Unit = jobs.synchronized {
    jobs.completed(event.stageInfo.stageId)
  }
  override def onTaskStart(event: SparkListenerTaskStart): Unit = jobs.synchronized {
    jobs.launched(event.stageId, event.taskInfo.taskId)
  }
  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = jobs.synchronized {
    jobs.ended(event.stageId, event.taskInfo.taskId, event.taskInfo.successful)
  }

  private def look(): Unit =
    try {
      val victims = jobs.synchronized(jobs.victims(System.nanoTime() / 1000000L))
      victims.foreach(sc.killTaskAttempt(_, interruptThread = true, "another job has less than its share"))
    } catch { case NonFatal(e) => failure = failure.orElse(Some(e)) }

  /** @throws java.lang.IllegalStateException if it could not look at all times */
  override def close(): Unit = {
    // The look that may be under way counts, too.
    timer.shutdown()
    timer.awaitTermination(1, TimeUnit.MINUTES)
    sc.removeSparkListener(this)
    failure.foreach { e =>
      throw new IllegalStateException("tasks were not killed at all times, so the round does not count", e)
    }
  }
}

/** Which tasks are killed for whom. Pure; not for several threads at once. */
private[run] final class ShareOfJobs(rule: Preemption, slots: Int) {
  private final class Stage(val job: Int, val tasks: Int, val first: Boolean) {
    val running = mutable.LinkedHashSet[Long]() // the latest last
    var done = 0
    def wanted: Int = tasks - done
  }
  private val jobOf = mutable.Map[Int, Int]()
  private val stages = mutable.LinkedHashMap[Int, Stage]()
  private val starvedSince = mutable.Map[Int, Long]()
  private val killed = mutable.Set[Long]()

  def belongs(stage: Int, job: Int): Unit = { jobOf.getOrElseUpdate(stage, job); () }

  /** @param first whether its job comes before all that are not */
  def submitted(stage: Int, tasks: Int, first: Boolean): Unit =
    stages(stage) = new Stage(jobOf.getOrElse(stage, -1 - stage), tasks, first)

  def completed(stage: Int): Unit = { stages.remove(stage); () }

  def launched(stage: Int, task: Long): Unit = stages.get(stage).foreach(_.running += task)

  def ended(stage: Int, task: Long, well: Boolean): Unit = {
    killed -= task
    stages.get(stage).foreach { s =>
      s.running -= task
      if (well) s.done += 1
    }
  }

  /** Tasks to be killed now, the youngest of the jobs with the most above their share.
    *
    * @param now in ms
    */
  def victims(now: Long): Seq[Long] = {
    val jobs = stages.values.toSeq.groupBy(_.job)
    def running(job: Int) = jobs(job).flatMap(_.running).filterNot(killed)
    def wanted(job: Int) = jobs(job).map(_.wanted).sum
    val (first, others) = jobs.keys.toSeq.partition(jobs(_).exists(_.first))
    val ofFirst = slots / math.max(1, first.size)
    val left = slots - first.map(j => math.min(ofFirst, wanted(j))).sum
    val share = first.map(_ -> ofFirst).toMap ++ others.map(_ -> math.max(0, left) / others.size)
    def due(job: Int) = math.min(share(job), wanted(job))
    val starved = jobs.keys.filter(j => running(j).size < rule.threshold * due(j)).toSet
    starvedSince.filterInPlace((job, _) => starved(job))
    starved.foreach(starvedSince.getOrElseUpdate(_, now))
    val late = starvedSince.collect { case (job, since) if now - since >= 1000 * rule.timeoutS => job }
    val missing = late.map(j => due(j) - running(j).size).sum
    val above = jobs.keys.toSeq.map(j => running(j).sorted.drop(share(j))).sortBy(-_.size)
    val chosen = above.flatMap(_.reverse).take(missing)
    killed ++= chosen
    // Who has been helped waits as long before the next time.
    if (chosen.nonEmpty) late.foreach(starvedSince(_) = now)
    chosen
  }
}
