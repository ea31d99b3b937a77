package io.holdfast.integration.evaluation

/** A job of a background: map-only, its tasks all alike.
  *
  * @param arrivalMs since the first job
  */
final case class TraceJob(arrivalMs: Long, tasks: Int, taskMs: Long) {
  def slotMs: Long = tasks * taskMs
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

  /** Tasks so many times as long; the paper's second setting has 2. */
  def longer(times: Int): Trace = Trace(jobs.map(j => j.copy(taskMs = j.taskMs * times)))
}
