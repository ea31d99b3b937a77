package org.apache.spark.scheduler.holdfast.sparkline

import java.util.{List => JList}

import _root_.io.holdfast.boot.ClusterManagers
import _root_.io.holdfast.config.Settings
import _root_.io.holdfast.history.History
import _root_.io.holdfast.line.{LineBackend, Probe}
import _root_.io.holdfast.session.{Session, SparkSide}
import org.apache.spark.{SparkConf, SparkContext, SparkException, SparkMasterRegex}
import org.apache.spark.deploy.LocalSparkCluster
import org.apache.spark.internal.config
import org.apache.spark.internal.config.Tests.SKIP_VALIDATE_CORES_TESTING
import org.apache.spark.resource.{ResourceProfile, ResourceProfileManager, ResourceUtils}
import org.apache.spark.scheduler._
import org.apache.spark.scheduler.cluster.StandaloneSchedulerBackend
import org.apache.spark.scheduler.local.LocalSchedulerBackend

/** The entry of this Spark line; found by name. */
private[spark] class Line extends LineBackend {
  import SparkMasterRegex._

  override def probe(): JList[String] = {
    val probe = new Probe().field(classOf[TaskSetManager], LocalityIndex.Name, Integer.TYPE)
    if (Line.profileManagerField.isEmpty)
      probe.field(classOf[SparkContext], Line.ProfileManager, classOf[ResourceProfileManager])
    probe.missing
  }

  override def supports(master: String): Boolean = master match {
    case "local" | LOCAL_N_REGEX(_) | LOCAL_N_FAILURES_REGEX(_, _) => true
    case LOCAL_CLUSTER_REGEX(_, _, _) | SPARK_REGEX(_) => true
    case _ => ClusterManagers.sparks(master) != null
  }

  // Spark makes both from the rewritten master, of which it does not know how many cores an executor has.
  override def restore(sc: SparkContext): Unit = {
    ResourceProfile.clearDefaultProfile()
    Line.profileManagerField.foreach { field =>
      field.setAccessible(true)
      field.set(sc, new ResourceProfileManager(sc.conf, sc.listenerBus))
    }
    Environment.restore(sc)
  }

  override def createTaskScheduler(sc: SparkContext, master: String): TaskScheduler = {
    val (failures, isLocal) = ClusterManagers.whereTasksRun(sc, master) match {
      case "local" => (1, true) // Spark does not retry when running locally
      case LOCAL_N_REGEX(_) => (1, true)
      case LOCAL_N_FAILURES_REGEX(_, failures) => (failures.toInt, true)
      case _ => (sc.conf.get(config.TASK_MAX_FAILURES), false)
    }
    Line.load()
    if (master == ClusterManagers.YARN) YarnSchedulers.of(sc) else new HoldfastScheduler(sc, failures, isLocal)
  }

  override def createSchedulerBackend(sc: SparkContext, master: String, scheduler: TaskScheduler): SchedulerBackend = {
    val impl = scheduler.asInstanceOf[TaskSchedulerImpl]
    def local(threads: Int): SchedulerBackend = {
      if (threads <= 0) throw new SparkException(s"Asked to run locally with $threads threads")
      checkCores(sc, threads)
      new LocalSchedulerBackend(sc.getConf, impl, threads)
    }
    master match {
      case "local" => local(1)
      case LOCAL_N_REGEX(threads) => local(threadCount(threads))
      case LOCAL_N_FAILURES_REGEX(threads, _) => local(threadCount(threads))
      case SPARK_REGEX(sparkUrl) =>
        new StandaloneSchedulerBackend(impl, sc, sparkUrl.split(",").map("spark://" + _))
      case LOCAL_CLUSTER_REGEX(workers, cores, memory) =>
        localCluster(sc, impl, workers.toInt, cores.toInt, memory.toInt)
      case _ => ClusterManagers.sparks(master).createSchedulerBackend(sc, master, impl)
    }
  }

  override def initialize(scheduler: TaskScheduler, backend: SchedulerBackend): Unit =
    scheduler.asInstanceOf[TaskSchedulerImpl].initialize(backend)

  private def threadCount(threads: String): Int =
    if (threads == "*") Runtime.getRuntime.availableProcessors() else threads.toInt

  private def localCluster(
      sc: SparkContext,
      scheduler: TaskSchedulerImpl,
      workers: Int,
      cores: Int,
      memory: Int
  ): SchedulerBackend = {
    checkCores(sc, cores)
    if (sc.executorMemory > memory) {
      throw new SparkException(
        s"Asked to launch cluster with $memory MiB/worker but requested ${sc.executorMemory} MiB/executor"
      )
    }
    sc.conf.setIfMissing(config.SHUFFLE_HOST_LOCAL_DISK_READING_ENABLED, false)
    val cluster = LocalSparkCluster(workers, cores, memory, sc.conf)
    val backend =
      try new StandaloneSchedulerBackend(scheduler, sc, cluster.start())
      catch {
        case Survivable(e) =>
          cluster.stop() // Spark starts one of its own
          throw e
      }
    backend.shutdownCallback = (_: StandaloneSchedulerBackend) => cluster.stop()
    backend
  }

  private def checkCores(sc: SparkContext, executorCores: Int): Unit = {
    if (!sc.conf.get(SKIP_VALIDATE_CORES_TESTING)) {
      ResourceUtils.validateTaskCpusLargeEnough(sc.conf, executorCores, sc.conf.get(config.CPUS_PER_TASK))
    }
    val profile = sc.resourceProfileManager.defaultResourceProfile
    ResourceUtils.warnOnWastedResources(profile, sc.conf, Some(executorCores))
  }
}

private[holdfast] object Line {
  val MilliDigits = 3
  val Milli = 1000
  val ProfileManager = "_resourceProfileManager"

  /** Scala may have expanded the name of a private field. */
  lazy val profileManagerField: Option[java.lang.reflect.Field] =
    classOf[SparkContext].getDeclaredFields.find(_.getName.endsWith(ProfileManager))

  /** What would only be loaded when a task set needs it, or when something fails: whatever is missing is missed now, and not
    * while jobs run.
    */
  def load(): Unit = {
    Survivable.unapply(new Exception)
    Failures.readable
    LocalityIndex.readable
    Seq(
      classOf[HoldfastTaskSetManager],
      classOf[HoldfastPool],
      classOf[HoldfastListener],
      classOf[Copies],
      classOf[BySize],
      classOf[Progress]
    ).foreach(_.getMethods)
  }

  def newSession(sc: SparkContext, spark: SparkSide): Session = {
    val entries = new java.util.HashMap[String, String]()
    sc.conf.getAll.foreach { case (key, value) => entries.put(key, value) }
    val settings = Settings.parse(entries)
    new Session(settings, sc.version, History.of(settings, sc.hadoopConfiguration), spark)
  }

  def legacyLocalityReset(conf: SparkConf): Boolean = conf.get(config.LEGACY_LOCALITY_WAIT_RESET)
}
