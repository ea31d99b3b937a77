package io.holdfast.integration.scenarios

import scala.collection.mutable

import org.apache.spark.scheduler._
import org.apache.spark.TaskEndReason

/** One attempt that Spark launched. Ids grow in the order of launching.
  *
  * @param role what the scenario calls the program that the stage belongs to
  * @param stageAttempt above 0 when the stage was submitted again
  * @param attempt above 0 when the task was launched again within its stage attempt
  */
final case class Launch(
    id: Long,
    role: String,
    stage: Int,
    stageAttempt: Int,
    index: Int,
    attempt: Int,
    executor: String
)

/** Hears of every stage, launch, end and executor. Spark makes it by the key `spark.extraListeners`. */
final class Launches extends SparkListener {
  private val roles = mutable.Map[Int, String]()
  private val launched = mutable.ArrayBuffer[Launch]()
  private val finished = mutable.Map[Long, TaskEndReason]()
  private val executors = mutable.LinkedHashMap[String, Int]()
  private val removed = mutable.Set[String]()
  private val announced = mutable.Set[(Int, Int)]()
  private val early = mutable.Set[Long]()

  Launches.made = Some(this)

  override def onStageSubmitted(event: SparkListenerStageSubmitted): Unit = synchronized {
    val role = Option(event.properties).flatMap(p => Option(p.getProperty(Launches.Role))).getOrElse("")
    roles(event.stageInfo.stageId) = role
  }

  override def onTaskStart(event: SparkListenerTaskStart): Unit = synchronized {
    val info = event.taskInfo
    if (info.speculative && !announced.remove(event.stageId -> info.index)) early += info.taskId
    launched += Launch(
      info.taskId,
      roles.getOrElse(event.stageId, ""),
      event.stageId,
      event.stageAttemptId,
      info.index,
      info.attemptNumber,
      info.executorId
    )
  }

  override def onSpeculativeTaskSubmitted(event: SparkListenerSpeculativeTaskSubmitted): Unit = synchronized {
    announced += event.stageId -> event.taskIndex
  }

  override def onTaskEnd(event: SparkListenerTaskEnd): Unit = synchronized {
    finished(event.taskInfo.taskId) = event.reason
  }

  override def onExecutorAdded(event: SparkListenerExecutorAdded): Unit = synchronized {
    executors(event.executorId) = event.executorInfo.totalCores
  }

  override def onExecutorRemoved(event: SparkListenerExecutorRemoved): Unit = synchronized {
    removed += event.executorId
  }

  /** All launches so far in their order. */
  def all: Seq[Launch] = synchronized(launched.sortBy(_.id).toSeq)

  def of(role: String): Seq[Launch] = all.filter(_.role == role)

  /** Launches of a role after the attempt `first` and before the attempt `last`. */
  def between(role: String, first: Long, last: Long): Seq[Launch] = of(role).filter(l => l.id > first && l.id < last)

  def running(role: String): Int = synchronized(launched.count(l => l.role == role && !finished.contains(l.id)))

  def ends(role: String): Seq[(Launch, TaskEndReason)] =
    synchronized(launched.toSeq.filter(_.role == role).flatMap(l => finished.get(l.id).map(l -> _)))

  /** Cores of each executor, as it registered. */
  def cores: Map[String, Int] = synchronized(executors.toMap)

  /** Copies that began before they were submitted, or were submitted and have not begun: dynamic allocation asks for slots for those. */
  def miscounted: Int = synchronized(early.size + announced.size)

  def gone: Set[String] = synchronized(removed.toSet)
}

object Launches {

  /** Local property that carries the role. */
  val Role = "scenario.role"

  @volatile private var made: Option[Launches] = None

  def current: Launches = made.getOrElse(throw new IllegalStateException("no SparkContext was made with this listener"))
}
