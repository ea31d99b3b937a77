package io.holdfast.integration.report

import io.holdfast.integration.Numbers
import io.holdfast.integration.measure.Spread

/** Curves over an axis from 0 to 1, each point with a whisker from the least to the largest. */
final case class Curves(title: String, axis: String, curves: Seq[Curve]) {
  import Curves._

  private val top = math.max(1.2, curves.flatMap(_.points.map(_._2.max)).maxOption.getOrElse(1.0)) * 1.1

  // Who holds more at a lower level has gained less than nothing.
  private val low = math.min(0.0, curves.flatMap(_.points.map(_._2.min)).minOption.getOrElse(0.0) * 1.1)

  private def x(value: Double) = Left + value * Width
  private def y(value: Double) = Bottom - (value - low) / (top - low) * Height

  def svg: String = {
    val ticks = Svg.ticks(1.0, 5).map(v => Svg.text(x(v), Bottom + 16, Numbers.plain(math.rint(v * 100) / 100)))
    val keys = curves.zipWithIndex.flatMap { case (c, i) => Charts.key(Left + i * 170, Bottom + 58, c.colour, c.label) }
    val words = Seq(
      Svg.text(Left, 16, title, "start", "title"),
      Svg.text(Left + Width / 2, Bottom + 36, axis)
    )
    Svg.image(
      (Left + Width + 40).toInt,
      (Bottom + 70).toInt,
      title,
      Charts.yAxis(top, Left, Left + Width, y, "median", low) ++ ticks ++ words ++ curves.zipWithIndex.flatMap {
        case (c, i) => draw(c, dashed = i % 2 == 1)
      } ++ keys
    )
  }

  /** Every second one is dashed with hollow marks: they are told apart without colours. */
  private def draw(curve: Curve, dashed: Boolean): Seq[String] = {
    val at = curve.points.map { case (p, s) => (x(p), y(s.median)) }
    val whiskers = curve.points.collect { case (p, s) if s.n > 1 => whisker(x(p), s) }
    val marks = at.flatMap { case (px, py) =>
      Svg.rect(px - 3, py - 3, 6, 6, curve.colour) +:
        (if (dashed) Seq(Svg.rect(px - 1.5, py - 1.5, 3, 3, "#ffffff")) else Nil)
    }
    Svg.path(at, curve.colour, dashed) +: (whiskers ++ marks)
  }

  private def whisker(at: Double, s: Spread) = Svg.line(at, y(s.min), at, y(s.max), "whisker")
}

object Curves {
  private val Left = 60.0
  private val Bottom = 230.0
  private val Width = 420.0
  private val Height = 190.0
}
