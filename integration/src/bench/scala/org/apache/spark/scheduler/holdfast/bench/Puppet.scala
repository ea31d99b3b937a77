package org.apache.spark.scheduler.holdfast.bench

import java.nio.ByteBuffer

import org.apache.spark.{SparkContext, SparkEnv, TaskState}
import org.apache.spark.resource.ResourceProfile
import org.apache.spark.scheduler._
import org.apache.spark.serializer.SerializerHelper
import org.apache.spark.status.api.v1.ThreadStackTrace

/** Master `puppet`: Spark's scheduler or Holdfast's ([[PuppetManager.SchedulerKey]]) over a cluster that exists only as
  * offers made by the benchmark.
  */
private[spark] class PuppetManager extends ExternalClusterManager {
  override def canCreate(masterURL: String): Boolean = masterURL == PuppetManager.Master

  // Holdfast's class is found by name: stock's JVM runs without its jar.
  override def createTaskScheduler(sc: SparkContext, masterURL: String): TaskScheduler =
    sc.conf.get(PuppetManager.SchedulerKey) match {
      case "stock" => new TaskSchedulerImpl(sc)
      case className =>
        Class
          .forName(className)
          .getConstructor(classOf[SparkContext])
          .newInstance(sc)
          .asInstanceOf[TaskSchedulerImpl]
    }

  override def createSchedulerBackend(sc: SparkContext, url: String, scheduler: TaskScheduler): SchedulerBackend =
    new PuppetBackend

  override def initialize(scheduler: TaskScheduler, backend: SchedulerBackend): Unit =
    scheduler.asInstanceOf[TaskSchedulerImpl].initialize(backend)
}

private[spark] object PuppetManager {
  val Master = "puppet"

  /** `stock` or the name of a scheduler class. */
  val SchedulerKey = "spark.bench.scheduler"
}

/** Launches nothing; the benchmark calls the scheduler as a real backend would. */
private[spark] class PuppetBackend extends SchedulerBackend {
  override def start(): Unit = ()
  override def stop(): Unit = ()
  override def reviveOffers(): Unit = ()
  override def defaultParallelism(): Int = 1
  override def killTask(taskId: Long, executorId: String, interruptThread: Boolean, reason: String): Unit = ()
  override def getTaskThreadDump(taskId: Long, executorId: String): Option[ThreadStackTrace] = None
  override def maxNumConcurrentTasks(rp: ResourceProfile): Int = Int.MaxValue
}

/** The executors' side of the conversation. */
private[spark] class PuppetCluster(sc: SparkContext) {
  val scheduler: TaskSchedulerImpl = sc.taskScheduler.asInstanceOf[TaskSchedulerImpl]

  def offer(executor: Int, cores: Int): WorkerOffer = WorkerOffer(s"exec-$executor", s"host-$executor", cores)

  def round(offers: IndexedSeq[WorkerOffer]): Seq[TaskDescription] =
    scheduler.resourceOffers(offers, isAllFreeResources = true).flatten

  /** Task sets that wait or run. */
  def sets: Int = scheduler.rootPool.schedulableQueue.size

  /** A map task ends well with an empty output of that many blocks. */
  def finishMapTask(task: TaskDescription, blocks: Int): Unit = {
    val env = SparkEnv.get
    val status = MapStatus(env.blockManager.shuffleServerId, new Array[Long](blocks), task.taskId)
    val value = SerializerHelper.serializeToChunkedBuffer[Any](env.serializer.newInstance(), status)
    val result: ByteBuffer =
      env.closureSerializer.newInstance().serialize[Any](new DirectTaskResult[Any](value, Nil, Array.empty[Long]))
    scheduler.statusUpdate(task.taskId, TaskState.FINISHED, result)
  }

  /** Tasks of the only set of a stage whose results Spark has taken in. */
  def succeeded(stageId: Int): Int = scheduler.taskSetManagerForAttempt(stageId, 0).fold(0)(_.tasksSuccessful)
}
