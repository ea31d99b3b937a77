package io.holdfast.integration

/** The report's plots. One colour per setting throughout; variants of Holdfast are lighter. */
object Charts {
  val BackgroundFill = "url(#background)"

  /** The hatch of the background's tasks, readable without colours. */
  val definitions: String =
    """<svg width="0" height="0" style="position:absolute"><defs><pattern id="background" width="6" height="6" patternUnits="userSpaceOnUse"
      | patternTransform="rotate(45)"><rect width="6" height="6" fill="#e4e4e4"/><rect width="2" height="6" fill="#b5b5b5"/></pattern>
      |</defs></svg>""".stripMargin

  def colour(setting: String, variant: Int = 0): String = setting match {
    case Result.Alone => "#777777"
    case Result.Uncontended => "#009e73"
    case Result.Stock => "#d55e00"
    case _ => Seq("#0072b2", "#4da3d4", "#8cc5e6", "#bfdff1")(variant % 4)
  }

  /** Colours of groups by label, in the order in which Holdfast's variants appear. */
  def palette(groups: Seq[Group]): Map[String, String] = {
    val variants = groups.filter(_.setting == Result.Holdfast).map(_.label).distinct
    groups.map(g => g.label -> colour(g.setting, math.max(0, variants.indexOf(g.label)))).toMap
  }

  /** Slowdown against the run alone: a bar per workload and setting, whiskers from the least to the largest of the pairs. */
  def slowdowns(groups: Seq[Group]): String = {
    val palette = Charts.palette(groups)
    val bars = groups.flatMap(g => g.slowdown.map(g -> _))
    val workloads = bars.map(_._1.workload).distinct
    val top = math.max(1.5, bars.map(_._2.max).maxOption.getOrElse(1.0)) * 1.1
    val (left, bottom, height) = (60.0, 260.0, 230.0)
    val perWorkload = bars.groupBy(_._1.workload).values.map(_.size).maxOption.getOrElse(1)
    val (barWidth, space) = (46.0, 40.0)
    val groupWidth = perWorkload * barWidth + space
    val right = left + workloads.size * groupWidth + space / 2
    def y(value: Double) = bottom - value / top * height
    val drawn = bars.groupBy(_._1.workload).toSeq.flatMap { case (workload, own) =>
      val start = left + space / 2 + workloads.indexOf(workload) * groupWidth + 10
      own.zipWithIndex.flatMap { case ((g, s), i) =>
        bar(g, s, start + i * barWidth, barWidth - 6, y, palette(g.label))
      } :+
        Svg.text(start + own.size * barWidth / 2 - 3, bottom + 18, Workload.named(workload).title)
    }
    val legend = bars.map(_._1.label).distinct.zipWithIndex.flatMap { case (label, i) =>
      key(left + i * 150, 300, palette(label), label)
    }
    val axis =
      yAxis(top, left, right, y, "job completion time / alone") :+ Svg.line(left, y(1), right, y(1), "alone") :+
        Svg.text(right + 4, y(1) + 4, "alone", "start", "small")
    Svg.image(
      (math.max(right, left + bars.map(_._1.label).distinct.size * 150) + 50).toInt,
      315,
      "slowdown per workload and setting",
      axis ++ drawn ++ legend
    )
  }

  private def bar(g: Group, s: Spread, x: Double, width: Double, y: Double => Double, fill: String): Seq[String] = {
    val middle = x + width / 2
    val whisker =
      if (s.n == 1) Nil
      else
        Svg.line(middle, y(s.min), middle, y(s.max), "whisker") +:
          Seq(s.min, s.max).map(v => Svg.line(middle - 5, y(v), middle + 5, y(v), "whisker"))
    val label = "%.2f".formatLocal(java.util.Locale.ROOT, s.median)
    Svg.rect(
      x,
      y(s.median),
      width,
      y(0) - y(s.median),
      fill,
      s"${g.workload}, ${g.label}: $label, n = ${s.n}"
    ) +: whisker :+
      Svg.text(middle, y(s.max) - 5, label, style = "small")
  }

  /** Running tasks of the foreground and, on top of it, of the background over time; what stays white is idle or held. The time runs
    * from `from` to `until` (s) so that plots of several runs can be compared.
    */
  def running(timeline: Timeline, title: String, setting: String, from: Double, until: Double): String = {
    val (left, bottom, width, height) = (60.0, 170.0, 780.0, 130.0)
    val slots = timeline.totalSlots
    def x(s: Double) = left + (s - from) / (until - from) * width
    def y(tasks: Double) = bottom - tasks / slots * height
    def stacked(runs: Seq[TaskRun], fill: String) =
      Svg.area(steps(runs, from, until).map { case (s, k) => (x(s), y(k.toDouble)) }, fill)
    // What the background launches after the foreground has ended returns at once and is not its work.
    val shown = timeline.repaired.filter(t => t.foreground || t.launch < timeline.ended)
    val axis = yAxis(slots.toDouble, left, left + width, y, "running tasks") ++
      Svg.ticks(until, 10).map(s => Svg.text(x(s), bottom + 16, Svg.plain(s))) :+
      Svg.text(left + width / 2, bottom + 34, "time since the foreground was submitted (s)")
    val end = timeline.ended / 1e3
    Svg.image(
      900,
      215,
      title,
      Seq(
        Svg.text(left, 16, title, "start", "title"),
        stacked(shown, BackgroundFill),
        stacked(shown.filter(_.foreground), colour(setting))
      ) ++ axis ++ Seq(
        Svg.line(x(0), y(0), x(0), y(slots.toDouble), "mark"),
        Svg.line(x(end), y(0), x(end), y(slots.toDouble), "mark"),
        Svg.text(x(end), 34, s"ends ${Svg.n(end)} s", style = "small")
      )
    )
  }

  def runningLegend(setting: String): String =
    Svg.image(
      620,
      22,
      "legend",
      key(60, 15, colour(setting), s"foreground, $setting") ++ key(240, 15, BackgroundFill, "background") ++
        Seq(Svg.text(370, 15, "white: idle, or held for the foreground", "start", "small"))
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

  private def yAxis(top: Double, left: Double, right: Double, y: Double => Double, title: String): Seq[String] = {
    val middle = (y(0) + y(top)) / 2
    val label = s"""<text transform="translate(${Svg.n(left - 38)},${Svg.n(
        middle
      )}) rotate(-90)" text-anchor="middle">${Svg.escape(title)}</text>"""
    Svg
      .ticks(top, 5)
      .flatMap(v =>
        Seq(
          Svg.line(left, y(v), right, y(v), if (v == 0) "axis" else "grid"),
          Svg.text(left - 8, y(v) + 4, Svg.plain(v), "end")
        )
      ) :+ Svg.line(left, y(0), left, y(top), "axis") :+ label
  }

  private def key(x: Double, y: Double, fill: String, label: String): Seq[String] =
    Seq(Svg.rect(x, y - 10, 12, 12, fill), Svg.text(x + 18, y, label, "start", "small"))
}
