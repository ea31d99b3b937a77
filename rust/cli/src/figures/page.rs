//! `figures.html`: all figures in one file that needs no other, readable in print.

use holdfast_log::{REVISION, VERSION};

use super::figure::{Claim, Figure, Table};
use super::svg::escape;

/// How pages look.
pub(crate) const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;max-width:960px;margin:2em auto;padding:0 1em;color:#111;background:#fff}
svg{max-width:100%;height:auto} h2{margin-top:2em} .small{font-size:13px;color:#444}
table{border-collapse:collapse;font-size:13px;margin:.6em 0 1em} td,th{border:1px solid #ccc;padding:.3em .6em;\
text-align:left;vertical-align:top}
th{background:#f3f3f3} td{font-variant-numeric:tabular-nums} .met,.missed{font-weight:600;white-space:nowrap}
.met{color:#0072b2} .missed{color:#d55e00} figure{margin:0;break-inside:avoid} tr{break-inside:avoid}
@media print{body{max-width:none;margin:0;-webkit-print-color-adjust:exact;print-color-adjust:exact} a{color:inherit}}";

/// The part of the page about one figure.
pub(super) fn section(name: &str, title: &str, figure: &Figure, svg: &str) -> String {
    let about: String = figure.about.iter().map(|p| format!("<p>{}</p>\n", escape(p))).collect();
    let claims: String = figure.claims.iter().map(claim).collect();
    let tables: String = figure.tables.iter().map(table).collect();
    format!(
        "<section id=\"{name}\">\n<h2>{}</h2>\n{about}<figure>\n{svg}</figure>\n\
         <table><tr><th>paper says</th><th>we got</th><th></th></tr>\n{claims}</table>\n{tables}\
         <p class=\"small\">Numbers: {name}.csv</p>\n</section>\n",
        escape(title)
    )
}

/// The page. `command` is what makes it.
pub(super) fn html(sections: &[String], command: &str) -> String {
    let revision = if REVISION.is_empty() { "unknown" } else { REVISION };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Holdfast: the paper's figures</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>The paper's figures, computed</h1>\n\
         <p>Chen, Wang, Li: &quot;Speculative Slot Reservation: Enforcing Service Isolation for Dependent Data-Parallel \
         Computations&quot;, ICDCS 2017. Under each figure: what the paper says, what came out here, and whether that \
         agrees. Every number on this page was computed by the command below.</p>\n{}\
         <h2>How it was made</h2>\n<table><tr><th>command</th><td>{}</td></tr>\n\
         <tr><th>Holdfast</th><td>{VERSION}, revision {}</td></tr></table>\n</body></html>\n",
        sections.concat(),
        escape(command),
        escape(revision),
    )
}

fn claim(claim: &Claim) -> String {
    let (class, verdict) =
        if claim.met { ("met", "\u{2713} met") } else { ("missed", "\u{2717} not met") };
    let (paper, got) = (escape(claim.paper), escape(&claim.got));
    format!("<tr><td>{paper}</td><td>{got}</td><td class=\"{class}\">{verdict}</td></tr>\n")
}

/// A table under its heading.
pub(crate) fn table(table: &Table) -> String {
    let row = |tag: &str, cells: &[String]| {
        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let rows: String = table.rows.iter().map(|cells| row("td", cells)).collect();
    format!("<h3>{}</h3>\n<table>{}{rows}</table>\n", escape(&table.title), row("th", &table.head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_is_not_met_says_so() {
        let shown = |met| claim(&Claim { paper: "x > 1", got: "x = 0.5".to_owned(), met });
        assert_eq!(
            shown(false),
            "<tr><td>x &gt; 1</td><td>x = 0.5</td><td class=\"missed\">\u{2717} not met</td></tr>\n"
        );
        assert!(shown(true).contains("<td class=\"met\">\u{2713} met</td>"));
    }
}
