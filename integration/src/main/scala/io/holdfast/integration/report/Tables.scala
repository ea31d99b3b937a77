package io.holdfast.integration.report

import io.holdfast.integration.measure.{Result, Spread}
import io.holdfast.integration.programs.Workload

/** The results as rows of text, for the console and for the report. */
object Tables {
  val header: Seq[String] = Seq(
    "workload",
    "order",
    "setting",
    "n",
    "JCT s",
    "JCT / alone",
    "JCT / bound",
    "driver CPU s",
    "executors CPU s",
    "first wait s",
    "stolen",
    "late",
    "late in bound",
    "overtaken",
    "owned after",
    "background tasks",
    "background slot-s",
    "killed",
    "holds made",
    "used",
    "expired",
    "left",
    "idle slot-s"
  )

  /** Columns that say which group a row is about. */
  val Keys = 4

  /** From this column on it is about the background and the holds, before it about the foreground. */
  val firstCost: Int = header.indexOf("background tasks")

  def rows(results: Seq[Result]): Seq[Seq[String]] = Pairs.groups(results).map { g =>
    val contended = !Result.aloneIn(g.setting)
    val held = Result.holdfastIn(g.setting)
    def only(condition: Boolean)(cell: => String) = if (condition) cell else "-"
    Seq(
      Workload.named(g.workload).title,
      g.order.fold("-")(short),
      g.label,
      g.results.size.toString,
      spread(g.of(_.jctS), 1),
      g.slowdown.fold("-")(spread(_, 2)),
      spread(g.bound, 2),
      spread(g.of(_.cpu.driverS), 1),
      spread(g.of(_.cpu.executorsS), 1),
      spread(g.of(_.firstWaitS), 1),
      only(contended)(spread(g.of(_.stolen.toDouble), 0)),
      only(contended)(percent(g.lateShare)),
      only(contended)(percent(g.lateInBoundShare)),
      only(contended)(percent(g.overtakenShare)),
      g.ownedAfter.fold("-")(spread(_, 0)),
      only(contended)(spread(g.of(_.background.tasks.toDouble), 0)),
      only(contended)(spread(g.of(_.background.slotS), 0)),
      only(contended)(g.results.map(_.background.killed).sum.toString)
    ) ++
      Seq[Result => Double](
        _.holds.made.toDouble,
        _.holds.used.toDouble,
        _.holds.expired.toDouble,
        _.holds.left.toDouble
      )
        .map(value => only(held)(spread(g.of(value), 0))) :+ only(held)(spread(g.of(_.idleSlotS), 1))
  }

  /** The columns that fit a terminal. */
  def text(results: Seq[Result]): String = {
    val shown = header.zipWithIndex.filterNot { case (name, _) =>
      name == "expired" || name.startsWith("background") || name == "used" || name.contains("CPU")
    }
    val lines = (header +: rows(results)).map(row => shown.map { case (_, i) => row(i) })
    val widths = lines.transpose.map(_.map(_.length).max)
    lines
      .map(_.zip(widths).map { case (cell, width) => cell.padTo(width, ' ') }.mkString("  ").stripTrailing())
      .mkString("\n")
  }

  private def percent(share: Spread): String = "%.1f %%".formatLocal(java.util.Locale.ROOT, share.median * 100)

  private def short(order: String): String = if (order == Result.ForegroundFirst) "fg first" else "bg first"

  private def spread(s: Spread, digits: Int): String = {
    def number(value: Double) = s"%.${digits}f".formatLocal(java.util.Locale.ROOT, value)
    if (s.n == 1 || number(s.min) == number(s.max)) number(s.median)
    else s"${number(s.median)} (${number(s.min)}-${number(s.max)})"
  }
}
