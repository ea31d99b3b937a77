package io.holdfast.integration.measure

/** What users with dashboards saw in a round, and what it cost the others, counted from a recorded timeline. Pure; times in ms.
  *
  * @param byUser latencies of each user's statements, in ascending order
  * @param stolen background tasks that took a slot from a dashboard's statement after its first stage, see [[Counters]]
  * @param beside those of them that only stages side by side waited for: these want more slots than the statement has had
  * @param ownSlotMs slot-time of the dashboards
  * @param othersSlotMs slot-time of the background's attempts that nobody killed, as far as it lies in the round
  * @param killedSlotMs the same of those that were killed
  * @param killed how many
  * @param leftSlotMs slot-time of the round that was not the dashboards'
  * @param done statements of the background that have ended
  */
final case class Latencies(
    byUser: Map[String, Seq[Long]],
    stolen: Int,
    beside: Int,
    ownSlotMs: Long,
    othersSlotMs: Long,
    killedSlotMs: Long,
    killed: Int,
    leftSlotMs: Long,
    done: Int
) {

  /** Of all users, in ascending order. */
  def all: Seq[Long] = byUser.values.flatten.toSeq.sorted
}

object Latencies {
  val Dashboard = "dashboard"
  private val Success = "Success"

  def of(timeline: Timeline): Latencies = {
    val (dashboards, others) = timeline.statements.partition(_.kind == Dashboard)
    val taken = dashboards.flatMap(thefts(timeline, _))
    val (own, background) = timeline.repaired.partition(_.foreground)
    // Attempts that are cancelled when the round is over have done their work up to then.
    val (killed, useful) = background
      .filter(t => t.finish > 0 && t.launch < timeline.ended)
      .partition(t => t.outcome != Success && t.finish <= timeline.ended)
    def slotMs(runs: Seq[TaskRun]) =
      runs.map(t => math.max(0, math.min(t.finish, timeline.ended) - math.max(t.launch, 0))).sum
    Latencies(
      dashboards.groupMap(_.user)(_.latencyMs).map { case (user, ms) => user -> ms.sorted },
      taken.size,
      taken.count(identity),
      slotMs(own),
      slotMs(useful),
      slotMs(killed),
      killed.size,
      timeline.totalSlots * timeline.ended - slotMs(own),
      others.count(_.ended <= timeline.ended)
    )
  }

  /** The least latency that a share of all does not exceed (nearest rank); none of no statements.
    *
    * @param ascending latencies
    */
  def quantile(ascending: Seq[Long], share: Double): Option[Long] =
    ascending.lift(math.max(0, math.ceil(share * ascending.size - 1e-9).toInt - 1))

  /** For each slot stolen from a statement, whether only stages side by side waited for it. */
  private def thefts(timeline: Timeline, statement: Statement): Seq[Boolean] = {
    val alone = timeline.of(statement)
    val waits = Counters.waiting(alone)
    Counters.stolen(alone).map { taken =>
      waits.filter(_.beside(taken)).forall(w => !alone.isAfterBarrier(w.stage))
    }
  }
}
