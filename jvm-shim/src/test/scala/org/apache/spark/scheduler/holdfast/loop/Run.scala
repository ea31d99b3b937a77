package org.apache.spark.scheduler.holdfast.loop

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import _root_.io.holdfast.Holdfast
import _root_.io.holdfast.session.{Session, SparkSide, VirtualTime}
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.spark.scheduler.TaskSchedulerImpl
import org.apache.spark.scheduler.holdfast.spark40.{HoldfastListener, HoldfastOverrides}

/** Something that is wrong on purpose: the harness has to notice it. */
private[loop] object Flaw extends Enumeration {

  /** Nobody hears what is due or wanted. */
  val Deaf: Value = Value

  /** Task sets take slots without asking. */
  val Lawless: Value = Value

  /** This Spark lacks a method that is called for a plan. */
  val Unlinked: Value = Value
}

/** Which scheduler runs a world.
  *
  * @param holdfast
  *   our scheduler's configuration; none for Spark's own scheduler
  * @param configured
  *   whether local properties speak to Holdfast
  * @param countsVetoes
  *   whether refusals are counted for each workflow
  * @param recalls
  *   whether an earlier run has left a history
  */
private[loop] case class Variant(
    name: String,
    holdfast: Option[Map[String, String]],
    configured: Boolean = true,
    countsVetoes: Boolean = false,
    recalls: Boolean = false,
    flaw: Option[Flaw.Value] = None
)

/** What became of a run.
  *
  * @param spans
  *   milliseconds from a workflow's arrival to its end
  * @param ends
  *   when attempts ended, in order
  * @param calls
  *   when Holdfast's timer found something due
  * @param counters
  *   the session's
  * @param accounts
  *   the session's, one for each workflow that has held
  * @param vetoes
  *   how often a workflow was refused something, if that was counted
  * @param excluded
  *   how often an executor was offered that Spark gave nothing, since tasks had failed there
  */
private[loop] case class Outcome(
    launches: Seq[Launch],
    spans: Seq[Long],
    ends: Seq[Long],
    calls: Seq[Long],
    counters: Map[String, Double],
    accounts: Seq[JsonNode],
    vetoes: Map[String, Long],
    kills: Int,
    failures: Int,
    excluded: Int
)

/** Something that must not happen has happened. */
private[loop] class LoopFailure(message: String) extends RuntimeException(message)

/** A job waits for ever, by a defect of Spark's own. */
private[loop] class SparkForgets extends RuntimeException

/** One world under one scheduler. */
private[loop] class Run(context: LoopContext, val world: World, val variant: Variant) {
  val name = s"loop-${world.seed}-${variant.name}"
  val draw = new Draw(world.seed)
  val timeline = new Timeline
  val cluster = new Cluster(this)
  val jobs = new Jobs(this)
  val watch = new Watch(this)
  private val time = new VirtualTime(() => timeline.clock.nanoTime(), world.tickLag)
  private val calls = mutable.ArrayBuffer.empty[Long]
  private var failure = Option.empty[LoopFailure]

  val scheduler: TaskSchedulerImpl =
    if (variant.holdfast.isEmpty) new LoopedStock(context.sc, this) else new LoopedHoldfast(context.sc, this)

  /** None under Spark's own scheduler. */
  def session: Option[Session] = scheduler match {
    case ours: HoldfastOverrides => Some(ours.session)
    case _ => None
  }

  def newSession(spark: SparkSide): Session =
    time.session(variant.holdfast.get + ("spark.holdfast.log.dir" -> context.logs.toString), spark)

  /** Whether something is still to be done. */
  def goesOn: Boolean = jobs.isOpen || cluster.isBusy

  /** Spark may swallow what is thrown in here: the run fails at its next turn at the latest. */
  def fail(message: String): Nothing = {
    val failed = new LoopFailure(s"$message, at ${timeline.now} ms")
    if (failure.isEmpty) failure = Some(failed)
    throw failed
  }

  def check(holds: Boolean, message: => String): Unit = if (!holds) fail(message)

  def go(): Outcome =
    try {
      context.dag.jobs = jobs
      scheduler.taskResultGetter = new Results(context.sc.env, scheduler, this)
      scheduler.initialize(cluster)
      scheduler.setDAGScheduler(context.dag)
      scheduler.start()
      if (variant.recalls) time.awaitHistory()
      session.foreach(s => check(s.live, s"the session is not open: ${Holdfast.status()}"))
      cluster.begin()
      jobs.start()
      while (goesOn || timeline.next != Long.MaxValue || due != Long.MaxValue) turn()
      outcome()
    } finally {
      scheduler.stop(0)
      val bus = context.sc.listenerBus
      bus.findListenersByClass[HoldfastListener]().foreach(bus.removeListener)
    }

  /** When Holdfast's timer fires. */
  private def due: Long = if (deaf) Long.MaxValue else time.dueMillis

  private def deaf: Boolean = variant.flaw.contains(Flaw.Deaf)

  private def turn(): Unit = {
    if (!deaf) serve()
    val timer = due
    if (timer < timeline.next) timeline.moveTo(timer)
    else if (timeline.next != Long.MaxValue) timeline.run()
    else check(!goesOn, s"nothing will happen any more, and these jobs wait: ${waiting()}")
    failure.foreach(throw _)
    if (timeline.now >= Run.MostMillis && sparkForgot) throw new SparkForgets
    check(timeline.now < Run.MostMillis, s"it does not end; these jobs wait: ${waiting()}")
  }

  private def serve(): Unit = {
    if (time.dueMillis <= timeline.now) calls += timeline.now
    time.serve()
  }

  /** Spark launches a task while no attempt of it runs, and believes that fewer than none do: when a stage runs twice, an
    * attempt fails, the partition comes from the other run, and the executor of the attempt that failed is lost,
    * `TaskSetManager.executorLost` takes that attempt for the one that made the partition (Spark 3.5 and 4.1).
    */
  private def sparkForgot: Boolean =
    jobs.live.flatMap(_.stages).exists { stage =>
      scheduler.taskSetManagerForAttempt(stage.id, stage.attempt).exists(_.copiesRunning.exists(_ < 0))
    }

  private def waiting(): String =
    jobs.live
      .map { job =>
        val stages = job.stages.map(stage => s"stage ${stage.id} has ${stage.done.size} of ${stage.spec.tasks}")
        s"${job.identity} (${stages.mkString(", ")})"
      }
      .mkString("; ")

  private def outcome(): Outcome = {
    val counters = session.fold(Map.empty[String, Double])(_.counters.asScala.view.mapValues(_.doubleValue).toMap)
    val status = if (session.isEmpty) Run.Nothing else new ObjectMapper().readTree(Holdfast.status())
    check(!counters.get("failed").exists(_ > 0), s"the session has failed: $status")
    check(!counters.get("held").exists(_ > 0), s"holds are left: $status")
    new Outcome(
      cluster.launches.toSeq,
      jobs.workflows.map(workflow => workflow.endedAt - workflow.firstJobAt),
      cluster.ends.toSeq,
      calls.toSeq,
      counters,
      status.path("workflows").asScala.toSeq,
      watch.vetoes,
      cluster.kills,
      cluster.failures,
      cluster.excluded
    )
  }
}

private object Run {

  /** An hour. */
  val MostMillis = 3600000L
  val Nothing: JsonNode = new ObjectMapper().createObjectNode
}
