package io.holdfast.integration.programs

import scala.collection.mutable

/** A job of a background: map-only, its tasks all alike.
  *
  * @param arrivalMs since the first job
  * @param leftMs of a job that has begun: what each of its tasks still takes
  */
final case class TraceJob(arrivalMs: Long, tasks: Int, taskMs: Long, leftMs: Seq[Long] = Nil) {
  def slotMs: Long = if (leftMs.isEmpty) tasks * taskMs else leftMs.sum
}

/** Jobs in the order of their arrivals. */
final case class Trace(jobs: Seq[TraceJob]) {

  /** From the first arrival to the last one. */
  def spanMs: Long = jobs.lastOption.fold(0L)(_.arrivalMs)

  def slotMs: Long = jobs.map(_.slotMs).sum

  /** What the tasks would keep busy of so many slots between the first arrival and the last one, as a share. */
  def load(slots: Int): Double = slotMs.toDouble / math.max(1L, slots * spanMs)

  /** Task times divided by one number so that the load is `share`; no task is shorter than `leastMs`. */
  def fitted(share: Double, slots: Int, leastMs: Long): Trace = {
    require(share > 0, s"the load is to be $share; give more than 0")
    val factor = share / load(slots)
    Trace(jobs.map(j => j.copy(taskMs = math.max(leastMs, math.round(j.taskMs * factor)))))
  }

  /** Times between arrivals divided by `pace`. */
  def paced(pace: Double): Trace = Trace(jobs.map(j => j.copy(arrivalMs = math.round(j.arrivalMs / pace))))

  /** Arrivals turned round, the last ones before the first, so that the widest job comes at `ms`. */
  def turned(ms: Long): Trace = {
    val shift = ms - jobs.maxByOption(_.tasks).fold(0L)(_.arrivalMs)
    Trace(jobs.map(j => j.copy(arrivalMs = Math.floorMod(j.arrivalMs + shift, spanMs + 1))).sortBy(_.arrivalMs))
  }

  /** What is left of it at `ms` when so many slots have run its tasks, first come, first served: what has begun goes on and what
    * waits has come, at once but in their order; all others come that much sooner.
    */
  def from(ms: Long, slots: Int): Trace = {
    val free = mutable.PriorityQueue(Seq.fill(slots)(0L): _*)(Ordering[Long].reverse)
    val (before, later) = jobs.partition(_.arrivalMs < ms)
    val begun = before.map { job =>
      val ends = Seq.fill(job.tasks) {
        val end = math.max(job.arrivalMs, free.dequeue()) + job.taskMs
        free.enqueue(end)
        end
      }
      val left = ends.map(end => math.min(job.taskMs, end - ms)).filter(_ > 0)
      TraceJob(0, left.size, job.taskMs, left)
    }
    val inOrder = begun.filter(_.tasks > 0).zipWithIndex.map { case (job, i) => job.copy(arrivalMs = i.toLong) }
    Trace(inOrder ++ later.map(j => j.copy(arrivalMs = j.arrivalMs - ms)))
  }

  /** Tasks so many times as long; the paper's second setting has 2. */
  def longer(times: Int): Trace = Trace(jobs.map(j => j.copy(taskMs = j.taskMs * times)))
}
