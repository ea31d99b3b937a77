package io.holdfast.integration.report

import java.util.Locale

import io.holdfast.integration.measure.Spread

/** A column of [[Rows]]: a value for each row, with its unit behind it. */
final case class RowsColumn(title: String, unit: String, values: Seq[Option[Spread]])

/** A row for each setting with a bar in each column: one look at what users get, and at what it costs.
  *
  * @param rows name and colour
  */
final case class Rows(title: String, rows: Seq[(String, String)], columns: Seq[RowsColumn]) {
  import Rows._

  def svg: String = {
    val heads = columns.zipWithIndex.map { case (c, i) => Svg.text(left(i), Top - 10, c.title, "start", "small") }
    val names = rows.zipWithIndex.map { case ((name, _), r) => Svg.text(Names - 10, y(r) + 14, name, "end") }
    val bars = for {
      (column, c) <- columns.zipWithIndex
      most = column.values.flatten.map(_.max).maxOption.getOrElse(1.0)
      (value, r) <- column.values.zipWithIndex
      spread <- value.toSeq
      part <- draw(column, spread, left(c), y(r), rows(r)._2, most)
    } yield part
    val height = Top + rows.size * RowHeight + 10
    Svg.image(
      (left(columns.size) + 10).toInt,
      height.toInt,
      title,
      Svg.text(10, 18, title, "start", "title") +: (heads ++ names ++ bars)
    )
  }

  private def draw(column: RowsColumn, s: Spread, x: Double, y: Double, fill: String, most: Double): Seq[String] = {
    def long(value: Double) = BarWidth * value / most
    val middle = y + 10
    val whisker = if (s.n == 1) Nil else Seq(Svg.line(x + long(s.min), middle, x + long(s.max), middle, "whisker"))
    val label = s"%.${Digits}f".formatLocal(Locale.ROOT, s.median) + column.unit
    Svg.rect(x, y, long(s.median), 20, fill, label) +: whisker :+
      Svg.text(x + long(math.max(s.median, s.max)) + 6, y + 14, label, "start", "small")
  }

  private def left(column: Int) = Names + column * (BarWidth + Space)
  private def y(row: Int) = Top + row * RowHeight
}

object Rows {
  private val Names = 210.0
  private val Top = 56.0
  private val RowHeight = 28.0
  private val BarWidth = 230.0
  private val Space = 70.0
  private val Digits = 2
}
