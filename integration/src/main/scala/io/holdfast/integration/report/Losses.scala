package io.holdfast.integration.report

import java.util.Locale

import io.holdfast.integration.measure.Result

/** Says in words where Holdfast costs something or misses what it promises. */
object Losses {
  private val JctTarget = 1.05

  /** @param titles of foregrounds */
  def of(groups: Seq[Group], titles: String => String): Seq[String] =
    groups.filter(g => g.holds && g.isContended).flatMap { held =>
      val stock = groups
        .find(g => g.setting == Result.Stock && g.foreground == held.foreground && g.background == held.background)
      val several = groups.filter(_.holds).map(_.setting).distinct.size > 1
      val name = Seq(
        titles(held.foreground),
        held.background.fold("")(_.replace('-', ' ')),
        if (several) held.chosen.title else ""
      ).filter(_.nonEmpty).mkString(", ")
      Seq(slow(held), idle(held), stolen(held), left(held)).flatten.map(what => s"$name: $what") ++
        stock.toSeq.flatMap(s =>
          Seq(longerFirstWait(held, s), background(held, s)).flatten.map(what => s"$name: $what")
        )
    }

  private def slow(held: Group): Option[String] = for {
    slowdown <- held.known(Measures.Paired) if slowdown.median > JctTarget
    bound <- held.known(Measures.Bound)
  } yield f(
    "takes %.2f times as long as alone; its first wait is %.1f s; of its bound it takes %.3f",
    slowdown.median,
    held.of(_.firstWaitS).median,
    bound.median
  )

  private def idle(held: Group): Option[String] = {
    val idle = held.of(_.idleSlotS).median
    if (idle <= 0) None
    else Some(f("held slots stood idle for %.1f slot-seconds in a foreground of %.1f s", idle, held.of(_.jctS).median))
  }

  private def stolen(held: Group): Option[String] = {
    val (stolen, late) = (held.of(_.stolen.toDouble).max, held.percentOfTasks(_.late).max)
    if (stolen == 0 && late == 0) None
    else Some(f("up to %.0f slots stolen and %.1f %% of the launches late", stolen, late))
  }

  private def left(held: Group): Option[String] =
    if (held.results.forall(_.holds.left == 0)) None else Some("holds were left when all had ended")

  private def longerFirstWait(held: Group, stock: Group): Option[String] = {
    val (ours, theirs) = (held.of(_.firstWaitS).median, stock.of(_.firstWaitS).median)
    if (ours <= theirs + 0.1) None else Some(f("the first stage waits %.1f s, under stock %.1f s", ours, theirs))
  }

  /** The background pays with its pace: tasks launched per second of the foreground's life. */
  private def background(held: Group, stock: Group): Option[String] = {
    def pace(g: Group) = g.of(r => r.background.meanwhile / r.jctS).median
    if (pace(held) >= pace(stock)) None
    else
      Some(
        f(
          "the background launched %.2f tasks a second while the foreground ran, under stock %.2f",
          pace(held),
          pace(stock)
        )
      )
  }

  private def f(format: String, values: Double*): String = format.formatLocal(Locale.ROOT, values: _*)
}
