package io.holdfast.integration.report

import scala.collection.immutable.ListMap

import io.holdfast.integration.Numbers
import io.holdfast.integration.measure.{Result, Spread, Timeline}
import io.holdfast.integration.plan.{Experiment, Setting}
import io.holdfast.integration.programs.Foregrounds

/** A plot with the words below it.
  *
  * @param rounds of how many rounds it is, in words
  */
final case class Figure(name: String, svg: String, caption: String, rounds: String)

/** The plots of an experiment. */
final class Figures(
    experiment: Experiment,
    val settings: ListMap[String, Setting],
    val measures: Measures,
    val titles: String => String
) {
  import Figures._

  private val shown = settings.keys.toSeq.filter(name => measures.results.exists(_.setting == name))

  def all: Seq[Figure] = kinds(experiment.figure)(this)

  private def slowdowns = bars(Measures.Slowdown, Some(1.0 -> "alone")) ++ bars(Measures.Bound, Some(1.0 -> "bound")) ++
    bars(Measures.Idle, None)

  /** Slowdowns where each round has one alone of the same repeat, and running tasks. */
  private def pairs = measures.backgrounds.flatMap { order =>
    bars(Measures.Paired, Some(1.0 -> "alone"), Seq(Some(order))).map { figure =>
      val spreads =
        for (f <- measures.foregrounds; s <- shown) yield measures.spread(Measures.Paired, f, s, at(s, order))
      val ns = spreads.flatten.map(_.n).distinct.sorted.mkString(" or ")
      figure.copy(caption =
        s"Slowdown, ${order.replace('-', ' ')}. Medians of the pairs' ratios (n = $ns); each contended run is divided by the run alone of the same repeat. Whiskers: least and largest."
      )
    }
  } ++ running

  /** How jobs with bounds fared. */
  private def bounds = Seq(Measures.ByDeadline, Measures.ToBound, Measures.Wasted).flatMap(bars(_, None))

  /** How long users waited, and what it cost the others. */
  private def latencies: Seq[Figure] = new UserFigures(this, shown).all

  /** What all of it costs: the driver, and the others. */
  private def costs = bars(Measures.DriverCpu, Some(1.0 -> "stock")) ++
    bars(Measures.BackgroundSlowdown, Some(1.0 -> "stock")) ++ bars(Measures.IdleWaited, None)

  private def at(setting: String, background: String): Option[String] =
    if (Result.aloneIn(setting)) None else Some(background)

  private def bars(
      measure: String,
      reference: Option[(Double, String)],
      backgrounds: Seq[Option[String]] = besides
  ): Seq[Figure] =
    backgrounds.flatMap { background =>
      val groups = measures.foregrounds.map { foreground =>
        titles(foreground) -> shown.filter(_ != Result.Alone).flatMap { s =>
          measures
            .spread(measure, foreground, s, background.flatMap(at(s, _)))
            .map(Bar(settings(s).title, settings(s).colour, _))
        }
      }
      val some = groups.filter(_._2.nonEmpty)
      val title = s"${Measures.title(measure)}${background.fold("")(b => s",${beside(b)}")}"
      if (some.isEmpty) None
      else {
        val ns = some.flatMap(_._2.map(b => b.label -> b.spread.n)).distinct
        val n = ns.groupMap(_._2)(_._1).toSeq.sortBy(_._1).reverse
        val rounds =
          if (n.size == 1) s"medians of ${n.head._1}"
          else "medians of " + n.map { case (k, labels) => s"$k (${labels.distinct.mkString(", ")})" }.mkString(" or ")
        val caption = s"$title. Whiskers: least and largest."
        Some(
          Figure(
            (measure +: background.toSeq).mkString("-"),
            Bars(title, Measures.title(measure), some, reference).svg,
            caption,
            rounds
          )
        )
      }
    }

  /** A background in words; where it is one of two orders, its name says which. */
  private def beside(background: String): String =
    if (experiment.ownSparks) s" ${background.replace('-', ' ')}" else s" beside $background"

  private def besides: Seq[Option[String]] =
    if (measures.backgrounds.isEmpty) Seq(None) else measures.backgrounds.map(Some(_))

  /** Each setting's first round of each foreground, all with the same time axis. */
  private def running: Seq[Figure] =
    for (foreground <- measures.foregrounds; background <- measures.backgroundsOf(foreground)) yield {
      val rounds = shown.flatMap(s => first(s, foreground, background).map(s -> measures.timeline(_)))
      val until = rounds.map(_._2.ended).maxOption.getOrElse(1L) / 1e3 * 1.05 + 0.5
      val plots = rounds.map { case (s, timeline) => onePlot(s, foreground, timeline, until) }
      Figure(
        s"running-${Foregrounds.fileName(foreground)}-$background",
        Charts.stacked(plots, s"running tasks of ${titles(foreground)}${beside(background)}"),
        s"Running tasks of ${titles(foreground)}${beside(background)}, the first round of each setting; hatched: the background; white: idle, or held for the foreground.",
        s"one round, seed ${rounds.map { case (s, _) => s }.flatMap(first(_, foreground, background)).map(_.seed).distinct.mkString(", ")}"
      )
    }

  private def first(setting: String, foreground: String, background: String): Option[Result] =
    measures.of(foreground, setting, at(setting, background)).headOption

  private def onePlot(setting: String, foreground: String, timeline: Timeline, until: Double): String = {
    val (title, fill) = (settings(setting).title, settings(setting).colour)
    Charts.running(timeline, s"${titles(foreground)}, $title", fill, -2.0, until)
  }

  /** Slowdown and utilization gain over the isolation level, one plot per foreground (the paper's Fig. 14). */
  private def tradeOff: Seq[Figure] = {
    val levels = shown.flatMap(s => isolation(settings(s)).map(_ -> s)).sortBy(_._1)
    measures.foregrounds.map { foreground =>
      def curve(measure: String) = levels.flatMap { case (p, s) =>
        measures.spread(measure, foreground, s, None).map(p -> _)
      }
      val lines = Seq(
        Curve("slowdown", settings("holdfast").colour, curve(Measures.Slowdown)),
        Curve("utilization gain", GainColour, curve(Measures.Gain))
      )
      Figure(
        s"trade-off-${Foregrounds.fileName(foreground)}",
        Curves(titles(foreground), "isolation level P", lines).svg,
        s"${titles(foreground)}: slowdown, and how much less slot-time was held idle than with P = 1. Whiskers: least and largest.${sweetSpot(lines.head, lines.last)}",
        s"medians of ${lines.flatMap(_.points.map(_._2.n)).distinct.sorted.mkString(" or ")}"
      )
    }
  }

  /** The level nearest to the least slowdown and the largest gain, both scaled to the span that was measured. */
  private def sweetSpot(slowdown: Curve, gain: Curve): String = {
    def scaled(curve: Curve) = {
      val medians = curve.points.map { case (p, s) => p -> s.median }
      val (least, span) = (medians.map(_._2).min, math.max(1e-9, medians.map(_._2).max - medians.map(_._2).min))
      medians.map { case (p, m) => p -> (m - least) / span }.toMap
    }
    if (slowdown.points.isEmpty || gain.points.isEmpty) ""
    else {
      val (costs, gains) = (scaled(slowdown), scaled(gain))
      val best = costs.keys.filter(gains.contains).minByOption(p => math.hypot(costs(p), 1 - gains(p)))
      best.fold("")(p =>
        s" Sweet spot, the level nearest to the least slowdown and the largest gain: P = ${Numbers.plain(p)}."
      )
    }
  }

  private def isolation(setting: Setting): Option[Double] =
    setting.conf.get("spark.holdfast.isolation").flatMap(_.toDoubleOption)
}

object Figures {
  // Of no setting: both curves are Holdfast's.
  private val GainColour = "#222222"

  /** Of jobs with bounds. */
  val Bounds = "bounds"

  /** Of users who share an application. */
  val Users = "users"

  private val kinds: Map[String, Figures => Seq[Figure]] = Map(
    "slowdowns" -> (_.slowdowns),
    "pairs" -> (_.pairs),
    "running" -> (_.running),
    "localities" -> (f => new Locality(f.measures, f.titles, f.settings(_).colour).figures),
    "trade-off" -> (_.tradeOff),
    "overhead" -> (_.costs),
    Users -> (_.latencies),
    Bounds -> (_.bounds)
  )
  val names: Iterable[String] = kinds.keys
}

/** Medians over an x axis from 0 to 1, with what they are the median of. */
final case class Curve(label: String, colour: String, points: Seq[(Double, Spread)])
