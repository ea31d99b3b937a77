package io.holdfast.integration.report

import io.holdfast.integration.measure.{Result, Spread}

/** The plots of users who share an application.
  *
  * @param shown settings that have rounds, in their order
  */
final class UserFigures(figures: Figures, shown: Seq[String]) {
  import UserFigures._
  private val (measures, settings) = (figures.measures, figures.settings)

  def all: Seq[Figure] =
    for {
      foreground <- measures.foregrounds
      background <- measures.backgroundsOf(foreground)
      figure <- Seq(overview(foreground, background)) ++ kinds.map(distribution(foreground, background, _)) ++
        minute(foreground, background)
    } yield figure

  private def rounds(setting: String, foreground: String, background: String): Seq[Result] =
    measures.of(foreground, setting, if (Result.aloneIn(setting)) None else Some(background))

  private def overview(foreground: String, background: String): Figure = {
    def spreads(measure: String): Seq[Option[Spread]] = shown.map { s =>
      measures.spread(measure, foreground, s, if (Result.aloneIn(s)) None else Some(background))
    }
    val columns = Seq(
      RowsColumn("dashboards: 95 % of the answers within", " s", spreads(UserMeasures.P95)),
      RowsColumn("ETL and notebook: share of the slot-time left", "", spreads(UserMeasures.Left))
    )
    val ns = columns.flatMap(_.values.flatten.map(_.n)).distinct.sorted
    val title = s"${figures.titles(foreground)} beside $background"
    Figure(
      s"overview-$background",
      Rows(title, shown.map(s => settings(s).title -> settings(s).colour), columns).svg,
      s"$title: how long 95 % of the dashboards' statements took at most, from when they were due, and which share of the slot-time that the dashboards left the others used for work that nobody killed. Whiskers: least and largest.",
      s"medians of ${ns.mkString(" or ")}"
    )
  }

  private def distribution(foreground: String, background: String, kind: String): Figure = {
    val lines = shown.flatMap { s =>
      val own = rounds(s, foreground, background)
        .flatMap(r => measures.timeline(r).statements.filter(_.kind == kind).map(_.latencyMs / 1e3))
      Option.when(own.nonEmpty)((settings(s).title, settings(s).colour, own))
    }
    val title = s"Latencies of users: $kind, beside $background"
    Figure(
      s"latencies-$kind-$background",
      if (lines.isEmpty) Svg.image(400, 30, title, Seq(Svg.text(10, 20, s"$title: none has ended", "start")))
      else Cdf(title, "latency from when it was due (s)", lines).svg,
      s"$title: how many of all statements of all rounds were answered within so long; behind a setting, their number.",
      "all rounds"
    )
  }

  /** A minute in the middle of the first round of some settings. */
  private def minute(foreground: String, background: String): Option[Figure] = {
    val own = shown.filter(Told.contains).flatMap(s => rounds(s, foreground, background).headOption.map(s -> _))
    Option.when(own.nonEmpty) {
      val plots = own.map { case (s, r) =>
        val from = math.max(0.0, math.min(MinuteFromS, r.jctS - MinuteS))
        Charts.running(measures.timeline(r), settings(s).title, settings(s).colour, from, from + MinuteS)
      }
      Figure(
        s"minute-$background",
        Charts.stacked(plots, s"running tasks of the dashboards beside $background"),
        "Running tasks of the dashboards in a minute of each setting's first round, in which the same was asked for at the same times; hatched: ETL and notebook; white: idle, or held for the dashboards.",
        s"one round, seed ${own.map(_._2.seed).distinct.mkString(", ")}"
      )
    }
  }
}

object UserFigures {
  private val kinds = Seq("dashboard", "etl", "notebook")
  private val Told = Seq("alone", "fair", "holdfast")
  private val MinuteFromS = 60.0
  private val MinuteS = 60.0
}
