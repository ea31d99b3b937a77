package io.holdfast.integration.report

import java.util.Locale
import java.util.regex.Matcher

/** The few shapes that the report's plots are made of, as SVG text. */
object Svg {
  def text(x: Double, y: Double, content: String, anchor: String = "middle", style: String = ""): String =
    s"""<text x="${n(x)}" y="${n(y)}" text-anchor="$anchor"${attribute("class", style)}>${escape(content)}</text>"""

  def rect(x: Double, y: Double, width: Double, height: Double, fill: String, title: String = ""): String = {
    val about = if (title.isEmpty) "" else s"<title>${escape(title)}</title>"
    s"""<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="$fill">$about</rect>"""
  }

  def line(x1: Double, y1: Double, x2: Double, y2: Double, style: String): String =
    s"""<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" class="$style"/>"""

  def area(points: Seq[(Double, Double)], fill: String): String =
    s"""<polygon points="${points.map { case (x, y) => s"${n(x)},${n(y)}" }.mkString(" ")}" fill="$fill"/>"""

  def path(points: Seq[(Double, Double)], stroke: String, dashed: Boolean = false): String =
    s"""<polyline points="${points
        .map { case (x, y) => s"${n(x)},${n(y)}" }
        .mkString(" ")}" fill="none" stroke="$stroke" stroke-width="2"${attribute(
        "stroke-dasharray",
        if (dashed) "6 4" else ""
      )}/>"""

  def image(width: Int, height: Int, label: String, parts: Seq[String]): String =
    s"""<svg viewBox="0 0 $width $height" width="$width" height="$height" role="img" aria-label="${escape(label)}">
       |${parts.mkString("\n")}
       |</svg>""".stripMargin

  /** An image with lines of small text below it, folded to its width. */
  def noted(image: String, lines: Seq[String]): String = {
    val Size(width, height) = image.linesIterator.next(): @unchecked
    val folded = lines.flatMap(fold(_, width.toInt / NoteWidth))
    val notes = folded.zipWithIndex.map { case (line, i) =>
      text(4, height.toDouble + (i + 1) * NoteHeight, line, "start", "small")
    }
    val higher = height.toInt + folded.size * NoteHeight + 6
    val grown = image
      .replaceFirst(s"viewBox=\"0 0 $width $height\"", s"viewBox=\"0 0 $width $higher\"")
      .replaceFirst(s"height=\"$height\"", s"height=\"$higher\"")
    grown.stripSuffix("</svg>") + notes.mkString("", "\n", "\n</svg>")
  }

  private val Size = "<svg viewBox=\"0 0 ([0-9]+) ([0-9]+)\" .*".r

  /** Pixels of a letter, on average, and of a line. */
  private val NoteWidth = 6
  private val NoteHeight = 14

  private def fold(line: String, most: Int): Seq[String] = line
    .split(' ')
    .foldLeft(Vector.empty[String]) { (lines, word) =>
      if (lines.nonEmpty && lines.last.length + 1 + word.length <= most) lines.init :+ s"${lines.last} $word"
      else lines :+ word
    }

  /** An image as a file of its own.
    *
    * @param definitions an element with what the page defines for all images
    * @param style of the page; its lines about parts of images begin with "svg "
    */
  def standalone(image: String, definitions: String, style: String): String = {
    val defs = definitions.substring(definitions.indexOf("<defs>"), definitions.indexOf("</defs>") + "</defs>".length)
    image
      .replaceFirst("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ")
      .replaceFirst(
        ">\n",
        Matcher.quoteReplacement(
          s">\n$defs<style>${style.linesIterator.filter(_.startsWith("svg ")).mkString("\n")}</style>\n"
        )
      )
  }

  def escape(text: String): String =
    text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;")

  def n(value: Double): String = "%.1f".formatLocal(Locale.ROOT, value)

  /** Round steps of an axis from 0 to `max`: about `count` of them, each 1, 2 or 5 times a power of ten. */
  def ticks(max: Double, count: Int): Seq[Double] = {
    val rough = max / count
    val power = math.pow(10, math.floor(math.log10(rough)))
    val step = Seq(1.0, 2.0, 5.0, 10.0).map(_ * power).find(_ >= rough).getOrElse(10 * power)
    // Sums of steps such as 0.2 would be numbers with many digits.
    Iterator.from(0).map(i => math.rint(i * step * 1e9) / 1e9).takeWhile(_ <= max + step * 1e-6).toSeq
  }

  private def attribute(name: String, value: String): String = if (value.isEmpty) "" else s""" $name="$value""""
}
