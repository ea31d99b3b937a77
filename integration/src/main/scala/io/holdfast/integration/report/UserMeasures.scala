package io.holdfast.integration.report

import io.holdfast.integration.measure.{Latencies, Result}
import io.holdfast.integration.report.Measures.Measure

/** Measures of users who share an application, see [[Latencies]]. */
object UserMeasures {
  val P50 = "dashboard_p50_s"
  val P95 = "dashboard_p95_s"
  val P99 = "dashboard_p99_s"
  val P50Ratio = "dashboard_p50_ratio"
  val P95Ratio = "dashboard_p95_ratio"
  val WorstUser = "worst_user_p95_ratio"
  val Users = "users_p95_spread"
  val Stolen = "stolen_per_minute"
  val Beside = "stolen_side_by_side_per_minute"
  val InARow = "stolen_in_a_row_per_minute"
  val Left = "background_of_left"
  val LeftRatio = "background_of_left_ratio"
  val Killed = "killed_tasks"
  val KilledSlotS = "killed_slot_s"
  val Done = "background_statements"
  val ToPreemption = "dashboard_p95_to_preemption"
  val ToApart = "dashboard_p95_to_apart"
  val BackgroundToApart = "background_to_apart"

  /** Settings that others are compared with. */
  private val Fair = "fair"
  private val Preemption = "preemption-1s"
  private val Apart = "apart"

  private[report] def all: Map[String, Measure] = latencies ++ thefts ++ background ++ baselines

  private def latencies = Map(
    P50 -> Measure("dashboards' median latency, s", seconds(0.5)(_, _)),
    P95 -> Measure("95 % of the dashboards' latencies are at most, s", seconds(0.95)(_, _)),
    P99 -> Measure("99 % of the dashboards' latencies are at most, s", seconds(0.99)(_, _)),
    P50Ratio -> Measure("dashboards' median latency / alone", ratio(0.5)(_, _), against = Some(Result.Alone)),
    P95Ratio -> Measure("95 % of the dashboards' latencies / alone", ratio(0.95)(_, _), against = Some(Result.Alone)),
    WorstUser -> Measure(
      "95 % of the latencies of a user / alone, of the user with the most",
      (m, r) => ratios(m, r).maxOption,
      against = Some(Result.Alone)
    ),
    Users -> Measure(
      "95 % of the latencies of a user / alone, the largest / the least of the users",
      (m, r) => Option.when(ratios(m, r).nonEmpty)(ratios(m, r).max / ratios(m, r).min),
      against = Some(Result.Alone)
    )
  )

  private def thefts = Map(
    Stolen -> Measure(
      "slots stolen from dashboards' statements a minute",
      (m, r) => Some(of(m, r).stolen / minutes(r))
    ),
    InARow -> Measure(
      "slots stolen a minute, but for stages side by side",
      (m, r) => Some((of(m, r).stolen - of(m, r).beside) / minutes(r)),
      everyRound = true
    ),
    Beside -> Measure("of these, for stages side by side", (m, r) => Some(of(m, r).beside / minutes(r)))
  )

  private def background = Map(
    Left -> Measure("the background's share of the slot-time that the dashboards left", (m, r) => left(m, r)),
    LeftRatio -> compared("the background's share of what the dashboards left / with FAIR", Fair)(left),
    Killed -> Measure("tasks killed", (m, r) => Some(of(m, r).killed.toDouble), everyRound = true),
    KilledSlotS -> Measure(
      "slot-time of tasks that were killed, slot-seconds",
      (m, r) => Some(of(m, r).killedSlotMs / 1e3)
    ),
    Done -> Measure("statements of the background done", (m, r) => Some(of(m, r).done.toDouble))
  )

  private def baselines = Map(
    ToPreemption -> compared("95 % of the dashboards' latencies / with killing after 1 s", Preemption)(
      seconds(0.95)(_, _)
    ),
    ToApart -> compared("95 % of the dashboards' latencies / with an application each", Apart)(seconds(0.95)(_, _)),
    BackgroundToApart -> compared("the background's slot-time / with an application each", Apart)((m, r) =>
      Some(of(m, r).othersSlotMs.toDouble / r.jctS)
    )
  )

  private def compared(title: String, setting: String)(value: (Measures, Result) => Option[Double]) = Measure(
    title,
    (m, r) => for (own <- value(m, r); other <- m.twin(r, setting).flatMap(value(m, _)) if other > 0) yield own / other,
    against = Some(setting)
  )

  private def of(m: Measures, r: Result) = m.latencies(r)

  private def minutes(r: Result) = r.jctS / 60

  private def left(m: Measures, r: Result) =
    Option.when(r.variant.nonEmpty)(of(m, r).othersSlotMs.toDouble / of(m, r).leftSlotMs)

  private def seconds(share: Double)(m: Measures, r: Result): Option[Double] =
    Latencies.quantile(of(m, r).all, share).map(_ / 1e3)

  /** Each round beside the one alone in which the same was asked for at the same times. */
  private def ratio(share: Double)(m: Measures, r: Result): Option[Double] = for {
    own <- seconds(share)(m, r)
    alone <- m.aloneLike(r).flatMap(seconds(share)(m, _))
  } yield own / alone

  private def ratios(m: Measures, r: Result): Seq[Double] = for {
    alone <- m.aloneLike(r).toSeq
    (user, latencies) <- of(m, r).byUser
    own <- Latencies.quantile(latencies, 0.95)
    other <- of(m, alone).byUser.get(user).flatMap(Latencies.quantile(_, 0.95))
  } yield own.toDouble / other
}
