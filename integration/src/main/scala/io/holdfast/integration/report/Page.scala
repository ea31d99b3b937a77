package io.holdfast.integration.report

/** What every page is made of: one file with everything in it, readable in print. */
object Page {

  def html(title: String, body: String): String =
    s"""<!doctype html>
       |<html lang="en"><head><meta charset="utf-8"><title>${Svg.escape(title)}</title>
       |<style>$style</style></head><body>
       |${Charts.definitions}
       |$body
       |</body></html>
       |""".stripMargin

  /** @param header none: a table without one */
  def table(header: Seq[String], rows: Seq[Seq[String]]): String = {
    def row(cells: Seq[String], tag: String) =
      cells.map(c => s"<$tag>${Svg.escape(c)}</$tag>").mkString("<tr>", "", "</tr>")
    val head = if (header.isEmpty) "" else row(header, "th")
    s"<div class=\"wide\"><table>$head\n${rows.map(row(_, "td")).mkString("\n")}</table></div>"
  }

  val style: String =
    """body{font:15px/1.45 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#111;background:#fff}
      |svg text{font:12px system-ui,sans-serif;fill:#111} svg text.small{font-size:11px} svg text.title{font-weight:600;font-size:13px}
      |svg .axis{stroke:#111} svg .grid{stroke:#ddd} svg .alone{stroke:#777;stroke-dasharray:5 4} svg .whisker{stroke:#111;stroke-width:1.3}
      |svg .mark{stroke:#111;stroke-dasharray:2 3}
      |svg{max-width:100%;height:auto} table{border-collapse:collapse;font-size:12.5px} td,th{border:1px solid #ccc;padding:.25em .5em;text-align:left}
      |th{background:#f3f3f3} td{font-variant-numeric:tabular-nums} .wide{overflow-x:auto} .small{font-size:13px;color:#444}
      |dt{font-weight:600} dd{margin:0 0 .4em 1.5em} .together{break-inside:avoid;margin-bottom:1em}
      |@media print{body{max-width:none;margin:0;-webkit-print-color-adjust:exact;print-color-adjust:exact} table{font-size:8px} td,th{padding:1px 3px}}""".stripMargin
}
