//! `figures.html`: all figures in one file that needs no other, readable in print.

use holdfast_log::{REVISION, VERSION};

use crate::drawing::page::{STYLE, table};
use crate::drawing::svg::escape;
use crate::figures::figure::{Claim, Figure};

/// Returns the part of the page about one figure.
pub fn section(name: &str, title: &str, figure: &Figure, svg: &str) -> String {
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

/// Returns the page of a paper that is cited so. `command` is what makes it.
pub fn html(sections: &[String], citation: &str, command: &str) -> String {
    let revision = if REVISION.is_empty() { "unknown" } else { REVISION };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Holdfast: the paper's figures</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>The paper's figures, computed</h1>\n\
         <p>{}. Under each figure: what the paper says, what came out here, and whether that \
         agrees. Every number on this page was computed by the command below.</p>\n{}\
         <h2>How it was made</h2>\n<table><tr><th>command</th><td>{}</td></tr>\n\
         <tr><th>Holdfast</th><td>{VERSION}, revision {}</td></tr></table>\n</body></html>\n",
        escape(citation),
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
