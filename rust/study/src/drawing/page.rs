//! What pages have in common: how they look, and tables.

use super::svg::escape;

/// How pages look.
pub const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;color:#111;background:#fff}
svg{max-width:100%;height:auto} h2{margin-top:2em} .small{font-size:13px;color:#444}
table{border-collapse:collapse;font-size:13px;margin:.6em 0 1em} td,th{border:1px solid #ccc;padding:.3em .6em;\
text-align:left;vertical-align:top}
th{background:#f3f3f3} td{font-variant-numeric:tabular-nums} .met,.missed{font-weight:600;white-space:nowrap}
.met{color:#0072b2} .missed{color:#d55e00} figure{margin:0;break-inside:avoid} tr{break-inside:avoid}
@media print{body{max-width:none;margin:0;-webkit-print-color-adjust:exact;print-color-adjust:exact} a{color:inherit}}";

/// Numbers under a heading; the first column is text.
pub struct Table {
    /// Its heading.
    pub title: String,
    /// Of each column.
    pub head: Vec<String>,
    /// Cells, as many as there are columns.
    pub rows: Vec<Vec<String>>,
}

/// Returns a table under its heading.
pub fn table(table: &Table) -> String {
    let row = |tag: &str, cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = table.rows.iter().map(|cells| row("td", cells)).collect();
    format!("<h3>{}</h3>\n<table>{}{rows}</table>\n", escape(&table.title), row("th", &table.head))
}
