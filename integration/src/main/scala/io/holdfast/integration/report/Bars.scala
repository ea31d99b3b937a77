package io.holdfast.integration.report

import io.holdfast.integration.measure.Spread

/** A bar of the height of a median, with whiskers from the least to the largest. */
final case class Bar(label: String, fill: String, spread: Spread)

/** Groups of bars side by side, each group with its name below, one legend for all. */
final case class Bars(
    title: String,
    axis: String,
    groups: Seq[(String, Seq[Bar])],
    reference: Option[(Double, String)]
) {
  import Bars._

  private val bars = groups.flatMap(_._2)
  private val legend = bars.map(b => b.label -> b.fill).distinct

  /** Of a bar and in the legend: some colours are alike without colour. */
  private val letters = legend.map(_._1).distinct.zip('a' to 'z').toMap
  // Below each other: titles say what a program is, then how wide and long.
  private val names = groups.map(_._1.split(", ").toSeq)
  private val namesEnd = Bottom + 4 + (1 + names.map(_.size).maxOption.getOrElse(1)) * Line
  private val top = math.max(1.5, bars.map(_.spread.max).maxOption.getOrElse(1.0)) * 1.1
  private val groupWidth = groups.map(_._2.size).maxOption.getOrElse(1) * BarWidth + Space
  private val right = Left + groups.size * groupWidth + Space / 2

  private def y(value: Double) = Bottom - value / top * Height

  def svg: String = {
    val drawn = groups.zipWithIndex.flatMap { case ((name, own), g) =>
      val start = Left + Space / 2 + g * groupWidth + 10
      val lines = names(g).zipWithIndex.map { case (line, i) =>
        Svg.text(start + own.size * BarWidth / 2 - 3, Bottom + 4 + (i + 2) * Line, line)
      }
      own.zipWithIndex.flatMap { case (bar, i) => draw(name, bar, start + i * BarWidth) } ++ lines
    }
    val marked = reference.toSeq.flatMap { case (value, name) =>
      Seq(Svg.line(Left, y(value), right, y(value), "alone"), Svg.text(right + 4, y(value) + 4, name, "start", "small"))
    }
    val rows = legend.grouped(PerRow).toSeq
    val keys =
      for ((row, r) <- rows.zipWithIndex; ((label, fill), i) <- row.zipWithIndex)
        yield Charts.key(Left + i * KeyWidth, namesEnd + 22 + r * 18, fill, s"${letters(label)}: $label")
    val width = math.max(right, Left + math.min(PerRow, legend.size) * KeyWidth) + 50
    Svg.image(
      width.toInt,
      (namesEnd + 37 + (rows.size - 1) * 18).toInt,
      title,
      Charts.yAxis(top, Left, right, y, axis) ++ marked ++ drawn ++ keys.flatten
    )
  }

  private def draw(group: String, bar: Bar, x: Double): Seq[String] = {
    val (s, width) = (bar.spread, BarWidth - 6)
    val middle = x + width / 2
    val whisker =
      if (s.n == 1) Nil
      else
        Svg.line(middle, y(s.min), middle, y(s.max), "whisker") +:
          Seq(s.min, s.max).map(v => Svg.line(middle - 5, y(v), middle + 5, y(v), "whisker"))
    val label = "%.2f".formatLocal(java.util.Locale.ROOT, s.median)
    val about = s"$group, ${bar.label}: $label, n = ${s.n}"
    Svg.rect(x, y(s.median), width, y(0) - y(s.median), bar.fill, about) +: whisker :+
      Svg.text(middle, y(s.max) - 5, label, style = "small") :+
      Svg.text(middle, Bottom + 13, letters(bar.label).toString, style = "small")
  }
}

object Bars {
  private val Left = 60.0
  private val Bottom = 260.0
  private val Height = 230.0
  private val BarWidth = 46.0
  private val Space = 40.0
  private val KeyWidth = 170.0
  private val PerRow = 5
  private val Line = 14.0
}
