package io.holdfast.integration.report

import io.holdfast.integration.Numbers
import io.holdfast.integration.measure.{TaskRun, Timeline}

/** What plots have in common, and the plot of running tasks. */
object Charts {
  val BackgroundFill = "url(#background)"

  /** Of a plot of running tasks. */
  private val RunningHeight = 215

  /** The hatch of the background's tasks, readable without colours. */
  val definitions: String =
    """<svg width="0" height="0" style="position:absolute"><defs><pattern id="background" width="6" height="6" patternUnits="userSpaceOnUse"
      | patternTransform="rotate(45)"><rect width="6" height="6" fill="#e4e4e4"/><rect width="2" height="6" fill="#b5b5b5"/></pattern>
      |</defs></svg>""".stripMargin

  /** Running tasks of the foreground and, on top of it, of the background over time; what stays white is idle or held. The time runs
    * from `from` to `until` (s) so that plots of several runs can be compared.
    */
  def running(timeline: Timeline, title: String, fill: String, from: Double, until: Double): String = {
    val (left, bottom, width, height) = (60.0, 170.0, 780.0, 130.0)
    val slots = timeline.totalSlots
    def x(s: Double) = left + (s - from) / (until - from) * width
    def y(tasks: Double) = bottom - tasks / slots * height
    def stacked(runs: Seq[TaskRun], fill: String) =
      Svg.area(steps(runs, from, until).map { case (s, k) => (x(s), y(k.toDouble)) }, fill)
    // What the background launches after the foreground has ended returns at once and is not its work.
    val shown = timeline.repaired.filter(t => t.foreground || t.launch < timeline.ended)
    val axis = yAxis(slots.toDouble, left, left + width, y, "running tasks") ++
      Svg.ticks(until, 10).filter(_ >= from).map(s => Svg.text(x(s), bottom + 16, Numbers.plain(s))) :+
      Svg.text(left + width / 2, bottom + 34, "time since the foreground was submitted (s)")
    val end = timeline.ended / 1e3
    def inside(s: Double) = s >= from && s <= until
    Svg.image(
      900,
      RunningHeight,
      title,
      Seq(
        Svg.text(left, 16, title, "start", "title"),
        stacked(shown, BackgroundFill),
        stacked(shown.filter(_.foreground), fill)
      ) ++ axis ++ Seq(0.0, end).filter(inside).map(s => Svg.line(x(s), y(0), x(s), y(slots.toDouble), "mark")) ++
        Option.when(inside(end))(Svg.text(x(end), 34, s"ends ${Svg.n(end)} s", style = "small"))
    )
  }

  /** Plots of running tasks one below the other, as one image. */
  def stacked(plots: Seq[String], label: String): String =
    Svg.image(
      900,
      RunningHeight * plots.size,
      label,
      plots.zipWithIndex.map { case (plot, i) => plot.replaceFirst("<svg ", s"<svg y=\"${i * RunningHeight}\" ") }
    )

  /** The outline of a step curve, closed along the axis. */
  private def steps(runs: Seq[TaskRun], from: Double, until: Double): Seq[(Double, Int)] = {
    val changes = runs.flatMap(r => Seq(r.launch / 1e3 -> 1, r.finish / 1e3 -> -1)).sortBy(_._1)
    val start = changes.takeWhile(_._1 <= from).map(_._2).sum
    val inside = changes.filter(c => c._1 > from && c._1 < until)
    val counts = inside.scanLeft(start) { case (k, (_, change)) => k + change }
    val corners =
      inside.zip(counts.zip(counts.tail)).flatMap { case ((s, _), (before, after)) => Seq(s -> before, s -> after) }
    Seq(from -> 0, from -> start) ++ corners ++ Seq(until -> counts.last, until -> 0)
  }

  private[integration] def yAxis(
      top: Double,
      left: Double,
      right: Double,
      y: Double => Double,
      title: String,
      low: Double = 0
  ): Seq[String] = {
    val middle = (y(low) + y(top)) / 2
    val up = Svg.ticks(top, 5)
    val down = up.drop(1).map(-_).takeWhile(_ >= low)
    val label = s"""<text transform="translate(${Svg.n(left - 38)},${Svg.n(
        middle
      )}) rotate(-90)" text-anchor="middle">${Svg.escape(title)}</text>"""
    (down ++ up)
      .flatMap(v =>
        Seq(
          Svg.line(left, y(v), right, y(v), if (v == 0) "axis" else "grid"),
          Svg.text(left - 8, y(v) + 4, Numbers.plain(v), "end")
        )
      ) :+ Svg.line(left, y(low), left, y(top), "axis") :+ label
  }

  private[integration] def key(x: Double, y: Double, fill: String, label: String): Seq[String] =
    Seq(Svg.rect(x, y - 10, 12, 12, fill), Svg.text(x + 18, y, label, "start", "small"))
}
