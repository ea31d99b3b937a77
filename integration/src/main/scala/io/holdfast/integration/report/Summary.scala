package io.holdfast.integration.report

import java.util.Locale

import io.holdfast.integration.measure.{Result, Spread}

/** What a reader sees last: a row for each setting, and a line that says what happened. */
object Summary {

  /** Over all foregrounds: the median time, and the median of each round's time over that of the round alone.
    *
    * @param titles of foregrounds
    */
  def text(groups: Seq[Group], titles: String => String): String = {
    val alone = groups.filter(_.setting == Result.Alone)
    val orders = groups.filter(_.isContended).flatMap(_.background).distinct
    // Where one order has only some of the settings, these have nothing to be compared with.
    val whole = orders.filter(o => settings(groups, o) == orders.flatMap(settings(groups, _)).distinct)
    val shown = if (whole.isEmpty) orders.take(1) else whole
    val tables = shown.map { order =>
      val contended = groups.filter(_.background.contains(order))
      val heading = if (shown.size > 1) s"${order.replace('-', ' ')}:\n" else ""
      heading + table(alone, contended) + "\n\n" + seen(contended, titles)
    }
    if (shown.isEmpty) table(alone, groups.filter(_.setting != Result.Alone)) else tables.mkString("\n\n")
  }

  private def settings(groups: Seq[Group], order: String) =
    groups.filter(_.background.contains(order)).map(_.setting).distinct

  private def table(alone: Seq[Group], others: Seq[Group]): String = {
    val bySetting = others.map(_.setting).distinct.map(s => others.filter(_.setting == s))
    val rows = (Seq(alone).filter(_.nonEmpty) ++ bySetting).map { own =>
      val times = if (own.head.setting == Result.Alone) "1.0" else slower(own).fold("-")(number)
      Seq(own.head.chosen.title, number(median(own.flatMap(_.results.map(_.jctS)))) + " s", times)
    }
    Text.table(Seq("", "median time", "times as long as alone") +: rows, numbers = 1)
  }

  private def seen(contended: Seq[Group], titles: String => String): String = {
    def of(setting: String) = slower(contended.filter(_.setting == setting))
    val programs = contended.map(g => titles(g.foreground)).distinct
    val killed = contended.filter(_.holds).flatMap(_.results.map(_.background.killed)).sum
    val end =
      if (killed == 0) "No background task was killed." else s"$killed background tasks did not end by themselves."
    (of(Result.Stock), of(Result.Holdfast)) match {
      case (Some(stock), Some(held)) =>
        s"What you saw: beside a crowd that wants every slot, ${listed(programs)} took ${number(stock)} times as long as alone under stock Spark, and ${number(held)} times with Holdfast. $end"
      case _ => s"What you saw: ${listed(programs)} beside a crowd that wants every slot. $end"
    }
  }

  /** Round by round; none where nothing ran alone. */
  private def slower(groups: Seq[Group]): Option[Double] = {
    val ratios = groups.flatMap(_.known(Measures.Paired)).flatMap(_.values)
    Option.when(ratios.nonEmpty)(median(ratios))
  }

  private def median(values: Seq[Double]) = Spread(values).median

  private def number(value: Double) = (if (value < 2) "%.2f" else "%.1f").formatLocal(Locale.ROOT, value)

  private def listed(names: Seq[String]) =
    if (names.size < 2) names.mkString else s"${names.init.mkString(", ")} and ${names.last}"
}
