package io.holdfast.integration.report

import io.holdfast.integration.measure.{Result, Spread}

/** All runs of one workload under one setting, each with the alone run of the same repeat. */
final case class Group(
    workload: String,
    setting: String,
    variant: Option[String],
    order: Option[String],
    runs: Seq[(Result, Option[Result])]
) {
  def results: Seq[Result] = runs.map(_._1)
  def label: String = variant.fold(setting)(v => s"$setting, $v")
  def of(value: Result => Double): Spread = Spread(results.map(value))

  /** Contended over alone, pair by pair; none when nothing ran alone. */
  def slowdown: Option[Spread] = {
    val ratios = runs.collect { case (run, Some(alone)) => run.jctS / alone.jctS }
    if (ratios.isEmpty || setting == Result.Alone) None else Some(Spread(ratios))
  }

  /** Late launches as a share of the tasks. */
  def lateShare: Spread = of(r => r.late.toDouble / math.max(1, r.tasks))
  def lateInBoundShare: Spread = of(r => r.lateInBound.toDouble / math.max(1, r.tasks))
  def overtakenShare: Spread = of(r => r.overtaken.toDouble / math.max(1, r.tasks))
  def ownedAfter: Option[Spread] = Some(results.flatMap(_.ownedAfter).map(_.toDouble)).filter(_.nonEmpty).map(Spread)
  def bound: Spread = of(r => r.jctS / r.boundS)
}

object Pairs {
  private val Orders = Seq(None, Some(Result.ForegroundFirst), Some(Result.BackgroundFirst))

  /** Groups in the order of the report: workloads as they ran, then orders, then settings. */
  def groups(results: Seq[Result]): Seq[Group] = {
    val alone = results.filter(_.setting == Result.Alone).map(r => (r.workload, r.repeat) -> r).toMap
    val workloads = results.map(_.workload).distinct
    results
      .groupBy(r => (r.workload, r.order, r.setting, r.variant))
      .toSeq
      .sortBy { case ((workload, order, setting, variant), _) =>
        (workloads.indexOf(workload), Orders.indexOf(order), Result.Settings.indexOf(setting), variant)
      }
      .map { case ((workload, order, setting, variant), runs) =>
        Group(workload, setting, variant, order, runs.sortBy(_.repeat).map(r => (r, alone.get((r.workload, r.repeat)))))
      }
  }
}
