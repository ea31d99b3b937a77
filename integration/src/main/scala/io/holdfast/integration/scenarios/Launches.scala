package io.holdfast.integration.scenarios

import scala.collection.mutable

import org.apache.spark.scheduler._
import org.apache.spark.TaskEndReason

/** One attempt that Spark launched. Ids grow in the order of launching.
  *
  * @param role what the scenario calls the program that the stage belongs to
  * @param stageAttempt above 0 when the stage was submitted again
  * @param attempt above 0 when the task was launched again within its stage attempt
  * @param time when Spark launched it, by the driver's clock
  * @param host of the executor
  * @param locality how near to its input Spark says that it is
  */
final case class Launch(
    id: Long,
    role: String,
    stage: Int,
    stageAttempt: Int,
    index: Int,
    attempt: Int,
    executor: String,
    time: Long,
    host: String,
    locality: String
)

/** Hears of every stage, launch, end and executor. Spark makes it by the key `spark.extraListeners`. */
final class Launches extends SparkListener {
  private val roles = mutable.Map[Int, String]()
  private val launched = mutable.ArrayBuffer[Launch]()
  private val finished = mutable.Map[Long, TaskEndReason]()
  private val endTimes = mutable.Map[Long, Long]()
  private val executors = mutable.LinkedHashMap[String, Int]()
  private val removed = mutable.Set[String]()
  private val announced = mutable.Set[(Int, Int)]()
  private val early = mutable.Set[Long]()
  private val outputs = mutable.Map[(Int, Int), String]()
  private val needlessly = mutable.ArrayBuffer[Launch]()

  Launches.made = Some(this)

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = synchronized {
    val role = Option(event.properties).flatMap(p => Option(p.getProperty(Launches.Role))).getOrElse("")
    roles(event.stageInfo.stageId) = role
  }

  override def onTaskStart(event: SparkListenerTaskStart): Unit = synchronized {
    val info = event.taskInfo
    if (info.speculative && !announced.remove(event.stageId -> info.index)) early += info.taskId
    val launch = Launch(
      info.taskId,
      roles.getOrElse(event.stageId, ""),
      event.stageId,
      event.stageAttemptId,
      info.index,
      info.attemptNumber,
      info.executorId,
      info.launchTime,
      info.host,
      info.taskLocality.toString
    )
    launched += launch
    if (outputs.contains(event.stageId -> info.partitionId)) needlessly += launch
  }

  override def onSpeculativeTaskSubmitted(event: SparkListenerSpeculativeTaskSubmitted): Unit = synchronized {
    announced += event.stageId -> event.taskIndex
  }

  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = synchronized {
    val info = event.taskInfo
    finished(info.taskId) = event.reason
    endTimes(info.taskId) = info.finishTime
    if (info.successful && !removed.contains(info.executorId))
      outputs(event.stageId -> info.partitionId) = info.executorId
  }

  override def onExecutorAdded(event: SparkListenerExecutorAdded): Unit = synchronized {
    executors(event.executorId) = event.executorInfo.totalCores
  }

  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = synchronized {
    removed += event.executorId
    outputs.filterInPlace((_, executor) => executor != event.executorId)
  }

  /** All launches so far in their order. */
  def all: Seq[Launch] = synchronized(launched.sortBy(_.id).toSeq)

  def of(role: String): Seq[Launch] = all.filter(_.role == role)

  /** Launches of a role after the attempt `first` and before the attempt `last`. */
  def between(role: String, first: Long, last: Long): Seq[Launch] = of(role).filter(l => l.id > first && l.id < last)

  def running(role: String): Int = synchronized(launched.count(l => l.role == role && !finished.contains(l.id)))

  def ends(role: String): Seq[(Launch, TaskEndReason)] =
    synchronized(launched.toSeq.filter(_.role == role).flatMap(l => finished.get(l.id).map(l -> _)))

  /** When an attempt ended, by the driver's clock. */
  def end(launch: Launch): Long = synchronized(endTimes(launch.id))

  /** Cores of each executor, as it registered. */
  def cores: Map[String, Int] = synchronized(executors.toMap)

  /** Copies that began before they were submitted, or were submitted and have not begun: dynamic allocation asks for slots for those. */
  def miscounted: Int = synchronized(early.size + announced.size)

  /** Attempts of a task, launched after one of it had ended well on an executor that was still there. */
  def needless: Seq[Launch] = synchronized(needlessly.toSeq)

  def gone: Set[String] = synchronized(removed.toSet)
}

object Launches {

  /** Local property that carries the role. */
  val Role = "scenario.role"

  @volatile private var made: Option[Launches] = None

  def current: Launches = made.getOrElse(throw new IllegalStateException("no SparkContext was made with this listener"))
}
