package io.holdfast.integration.report

import io.holdfast.integration.Numbers

/** How many of the values are at most so large, over a logarithmic axis.
  *
  * @param lines name, colour and values, in seconds and above 0
  */
final case class Cdf(title: String, axis: String, lines: Seq[(String, String, Seq[Double])]) {
  import Cdf._

  private val values = lines.flatMap(_._3)
  private val low = math.floor(math.log10(math.max(Least, values.min)))
  private val high = math.max(low + 1, math.ceil(math.log10(values.max)))

  private def x(value: Double) = Left + (math.log10(math.max(Least, value)) - low) / (high - low) * Width
  private def y(share: Double) = Bottom - share * Height

  def svg: String = {
    val marks = for (power <- low.toInt to high.toInt; digit <- Seq(1, 2, 5)) yield digit * math.pow(10, power.toDouble)
    val ticks = marks.filter(v => x(v) <= Left + Width + 1).flatMap { v =>
      Seq(Svg.line(x(v), y(0), x(v), y(1), "grid"), Svg.text(x(v), Bottom + 16, Numbers.plain(v)))
    }
    val words =
      Seq(Svg.text(Left, 16, title, "start", "title"), Svg.text(Left + Width / 2, Bottom + 36, axis))
    val rows = lines.zipWithIndex.grouped(PerRow).toSeq
    val keys =
      for (
        (row, r) <- rows.zipWithIndex; (((name, colour, own), i), k) <- row.zipWithIndex.map { case (l, k) => l -> k }
      )
        yield Charts.key(
          Left + k * KeyWidth,
          Bottom + 58 + r * 18,
          colour,
          s"$name (${own.size})${if (isDashed(i)) ", dashed" else ""}"
        )
    val height = Bottom + 72 + (rows.size - 1) * 18
    Svg.image(
      (Left + math.max(Width, PerRow * KeyWidth) + 20).toInt,
      height.toInt,
      title,
      ticks ++ Charts.yAxis(1.0, Left, Left + Width, y, "share of the statements") ++ words ++
        lines.zipWithIndex.map { case ((_, colour, own), i) =>
          Svg.path(steps(own), colour, isDashed(i))
        } ++ keys.flatten
    )
  }

  /** Every second one is dashed: they are told apart without colours. */
  private def isDashed(line: Int) = line % 2 == 1

  private def steps(own: Seq[Double]): Seq[(Double, Double)] = {
    val sorted = own.sorted
    (x(sorted.head) -> y(0)) +: sorted.zipWithIndex.flatMap { case (value, i) =>
      Seq(x(value) -> y(i.toDouble / sorted.size), x(value) -> y((i + 1.0) / sorted.size))
    } :+ (Left + Width -> y(1))
  }
}

object Cdf {
  private val Left = 60.0
  private val Bottom = 250.0
  private val Width = 640.0
  private val Height = 215.0
  private val KeyWidth = 240.0
  private val PerRow = 3
  private val Least = 0.01
}
