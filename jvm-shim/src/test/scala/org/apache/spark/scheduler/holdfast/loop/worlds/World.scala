package org.apache.spark.scheduler.holdfast.loop

import java.util.Properties

/** How long attempts run, in milliseconds. */
sealed private[loop] trait Durations {

  /** @param u uniformly distributed from 0 to 1 */
  def millis(u: Double): Long
}

private[loop] case class Uniform(least: Long, most: Long) extends Durations {
  override def millis(u: Double): Long = least + ((most - least) * u).toLong
}

private[loop] case class Pareto(least: Long, alpha: Double, most: Long = Long.MaxValue) extends Durations {
  // The same bits as in the simulator.
  override def millis(u: Double): Long = math.min(most, (least * StrictMath.pow(1 - u, -1 / alpha)).toLong)
}

/** Where the tasks of a stage would like to run. */
private[loop] object Preference extends Enumeration {
  val Anywhere, OnHosts, OnExecutors = Value

  /** On the executor where the partition's task of the stage before ran last, or that of the job before if it is a first
    * stage: its output, or what that cached.
    */
  val Before: Value = Value
}

/** @param shuffles
  *   whether its tasks write shuffle output; else they hand out results
  * @param barrier
  *   whether all its tasks start together or none does
  * @param cpus
  *   cores of a task, by a resource profile of the stage's own; else as configured
  */
private[loop] case class StageSpec(
    tasks: Int,
    durations: Durations,
    shuffles: Boolean = true,
    preference: Preference.Value = Preference.Anywhere,
    fillsCache: Boolean = false,
    barrier: Boolean = false,
    cpus: Option[Int] = None
)

/** How much of a job's only stage its user can do without. */
sealed private[loop] trait BoundSpec

/** It ends so many milliseconds after it was submitted. */
private[loop] case class ByDeadline(millis: Long) extends BoundSpec

/** It ends as soon as no more than this share of tasks is missing, in millionths. */
private[loop] case class WithError(ppm: Int) extends BoundSpec {

  /** As many of these tasks are enough. */
  def enough(tasks: Int): Int = ((tasks.toLong * (1000000 - ppm) + 999999) / 1000000).toInt
}

/** A chain of stages. One that ends in shuffle output is a query stage of adaptive execution.
  *
  * @param cancelAfter
  *   the user cancels it so many milliseconds after it was submitted
  */
private[loop] case class JobSpec(
    stages: Seq[StageSpec],
    cancelAfter: Option[Long] = None,
    bound: Option[BoundSpec] = None
) {
  require(bound.isEmpty || stages.size == 1 && !endsInShuffle, "only results may be missing")

  def endsInShuffle: Boolean = stages.last.shuffles

  /** Local properties of the thread that submits it. */
  def properties: Map[String, String] = bound match {
    case Some(ByDeadline(millis)) => Map("holdfast.deadline" -> s"${millis}ms")
    case Some(WithError(ppm)) => Map("holdfast.error" -> (ppm / 1e6).toString, "holdfast.partial" -> "true")
    case None => Map.empty
  }
}

/** How a workflow is named, and with it what Holdfast knows of its priority. */
sealed private[loop] trait Naming {

  /** What the shim calls the workflow; none if each of its jobs is one. */
  def identity: Option[String]
  def properties(priority: Int): Map[String, String]
  def conf(priority: Int): Map[String, String] = Map.empty

  /** What Holdfast.setPriority calls it, if it can. */
  def key: Option[String] = None
}

private[loop] case class InPool(pool: String) extends Naming {
  override def identity: Option[String] = Some(s"pool:$pool")
  override def properties(priority: Int): Map[String, String] = Map(WorkflowSpec.Pool -> pool)
  override def conf(priority: Int): Map[String, String] =
    Map(s"spark.holdfast.pool.$pool.priority" -> priority.toString)
  override def key: Option[String] = identity.map(_.replace(':', '.'))
}

private[loop] case class InGroup(group: String) extends Naming {
  override def identity: Option[String] = Some(s"group:$group")
  override def properties(priority: Int): Map[String, String] = Map("spark.jobGroup.id" -> group)
  override def conf(priority: Int): Map[String, String] =
    if (priority == 0) Map.empty else Map(s"spark.holdfast.group.$group.priority" -> priority.toString)
  override def key: Option[String] = identity.map(_.replace(':', '.'))
}

private[loop] case class InScope(name: String) extends Naming {
  override def identity: Option[String] = Some(s"workflow:$name")
  override def properties(priority: Int): Map[String, String] =
    Map("holdfast.workflow" -> name, "holdfast.priority" -> priority.toString)
}

private[loop] case object Nameless extends Naming {
  override def identity: Option[String] = None
  override def properties(priority: Int): Map[String, String] =
    if (priority == 0) Map.empty else Map("holdfast.priority" -> priority.toString)
}

/** A job that another thread of the workflow submits so many milliseconds after its arrival. */
private[loop] case class Beside(after: Long, job: JobSpec)

/** Jobs one after the other, and others beside them.
  *
  * @param gaps
  *   milliseconds from a job's end to the next job; one fewer than jobs
  * @param pool
  *   of the fair scheduler, if naming does not say one
  * @param beside
  *   jobs of its other threads
  * @param parallelism
  *   what the user has declared
  */
private[loop] case class WorkflowSpec(
    priority: Int,
    naming: Naming,
    arrival: Long,
    jobs: Seq[JobSpec],
    gaps: Seq[Long] = Nil,
    pool: Option[String] = None,
    beside: Seq[Beside] = Nil,
    parallelism: Option[Int] = None
) {
  require(gaps.size == jobs.size - 1, "a gap between each two jobs")

  /** Those one after the other, then the others. */
  val allJobs: Seq[JobSpec] = jobs ++ beside.map(_.job)

  /** Local properties of its thread, with or without those that speak to Holdfast. */
  def properties(holdfast: Boolean): Properties = {
    val all = new Properties
    pool.foreach(all.setProperty(WorkflowSpec.Pool, _))
    val declared = parallelism.map(slots => WorkflowSpec.Parallelism -> slots.toString)
    (naming.properties(priority) ++ declared).foreach { case (key, value) =>
      if (holdfast || !key.startsWith("holdfast.")) all.setProperty(key, value)
    }
    all
  }
}

private object WorkflowSpec {
  val Pool = "spark.scheduler.pool"
  val Parallelism = "holdfast.parallelism"
}

/** A pool of the fair scheduler: one that nobody describes is FIFO, of weight 1. */
private[loop] case class PoolSpec(name: String, fair: Boolean = false, weight: Int = 1, minShare: Int = 0)

/** @param host
  *   its number
  * @param slowness
  *   tasks take so many times as long
  */
private[loop] case class ExecutorSpec(host: Int, cores: Int, slowness: Int = 1)

/** An executor is lost, and another joins on its host some time later.
  *
  * @param announced
  *   for how many milliseconds before that it was being decommissioned
  */
private[loop] case class Loss(at: Long, executor: Int, replacedAfter: Long, announced: Option[Long] = None)

/** The user calls Holdfast.setPriority. */
private[loop] case class Change(at: Long, workflow: Int, priority: Int)

/** How often attempts do not end well. A task fails at most twice, or its job would. */
private[loop] case class Faults(failing: Double = 0, fetchFailing: Double = 0, stubborn: Double = 0)

/** What things take, in milliseconds or times as long.
  *
  * @param launch
  *   before a task begins
  * @param onHost
  *   times as long on the host of a task's input, but not on the executor
  * @param remote
  *   times as long elsewhere
  * @param result
  *   at most, until the driver has looked at a result
  * @param kill
  *   at most, until a kill arrives
  */
private[loop] case class Costs(launch: Long = 0, onHost: Int = 1, remote: Int = 1, result: Int = 10, kill: Int = 20)

/** All that a run follows from.
  *
  * @param revives
  *   whether the backend offers everything once a second, as those of clusters do and the local one does not
  * @param shuffled
  *   whether offers come in random order
  * @param lag
  *   milliseconds that the driver's other threads need: the DAG scheduler, the listeners
  * @param tickLag
  *   milliseconds by which Holdfast's timer is late
  */
private[loop] case class World(
    seed: Long,
    executors: Seq[ExecutorSpec],
    workflows: Seq[WorkflowSpec],
    spark: Map[String, String] = Map.empty,
    holdfast: Map[String, String] = Map.empty,
    losses: Seq[Loss] = Nil,
    changes: Seq[Change] = Nil,
    faults: Faults = Faults(),
    pools: Seq[PoolSpec] = Nil,
    costs: Costs = Costs(),
    revives: Boolean = true,
    shuffled: Boolean = true,
    lag: Long = 1,
    tickLag: Long = 0
) {

  /** Holdfast's configuration, priorities included. */
  def configured: Map[String, String] = holdfast ++ workflows.flatMap(w => w.naming.conf(w.priority))

  /** Equal workflows share fairly, in pools and in Spark's default pool. */
  def isFair: Boolean = spark.get(World.Mode).contains("FAIR")

  /** Cores of a task of a stage that does not say it. */
  def taskCpus: Int = spark.get(World.TaskCpus).fold(1)(_.toInt)

  /** How many tasks of so many cores run at once. */
  def slots(cpus: Option[Int]): Int = executors.map(_.cores / cpus.getOrElse(taskCpus)).sum

  /** Whether there is room for what has to run at once, and for what has failed in two places: else Spark waits for ever. */
  def fits: Boolean = workflows.flatMap(_.allJobs).flatMap(_.stages).forall { stage =>
    slots(stage.cpus) >= (if (stage.barrier) stage.tasks else 1)
  } && (!excludes || executors.size > 2 && executors.map(_.host).distinct.size > 1)

  /** Whether Spark gives executors nothing more where tasks have failed. */
  def excludes: Boolean = spark.keys.exists(_.startsWith(World.Exclusion))

  def withoutExclusion: World = copy(spark = spark.filterNot(_._1.startsWith(World.Exclusion)))

  /** Whether Spark looks for stragglers itself. */
  def speculates: Boolean = spark.get(World.Speculation).contains("true")
}

private[loop] object World {
  val Mode = "spark.scheduler.mode"
  val Exclusion = "spark.excludeOnFailure."
  val TaskCpus = "spark.task.cpus"
  val Speculation = "spark.speculation"

  /** Spark gives an executor nothing more for a time after so many tasks have failed there, and a host after so many of its
    * executors.
    */
  def exclusion(timeout: String, tasks: Int, executors: Int): Seq[(String, String)] = Seq(
    "enabled" -> "true",
    "timeout" -> timeout,
    "application.maxFailedTasksPerExecutor" -> tasks.toString,
    "application.maxFailedExecutorsPerNode" -> executors.toString,
    // These would not end before the stage does.
    "stage.maxFailedTasksPerExecutor" -> Never,
    "stage.maxFailedExecutorsPerNode" -> Never
  ).map { case (key, value) => Exclusion + key -> value }

  private val Never = "1000"
}
