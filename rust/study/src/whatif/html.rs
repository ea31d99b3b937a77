//! The page that `holdfast whatif --html` writes: one file, no script, readable on paper.

use std::fmt::Write;

use holdfast_trace::report::{ApplicationReport, RunReport};
use holdfast_words::{count, html, shown_path};

use super::rows::{Rows, TERMS, cut, pool, rounded, seconds, slots_lost, whole};
use super::sentences::{takers, verdict, worst};
use super::{Application, grass, ssr};

/// Fill of each term. Hatching tells them apart without colour.
const FILLS: [&str; 5] = ["#2f7d5b", "url(#first)", "url(#lost)", "url(#locality)", "#d5d9de"];

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;color:#1c2024;background:#fff;max-width:72rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.5rem}h3{font-size:1rem;margin-top:1.6rem}h4{font-size:.95rem;margin:1.2rem 0 .4rem}h4 .small{font-weight:400;color:#565d66}h2{font-size:1.15rem;margin-top:2.2rem}\
table{border-collapse:collapse;margin-top:1rem;font-size:.87rem;font-variant-numeric:tabular-nums}\
th,td{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #e2e5e9}\
th:first-child,td:first-child{text-align:left}th{border-bottom:2px solid #8a929c}\
tr.all td{font-weight:600;border-top:2px solid #8a929c}\
svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:#1c2024}\
ul.notes{padding-left:1.2rem}p.small{color:#565d66;font-size:.87rem}.scroll{overflow-x:auto}\
@media print{body{margin:0;max-width:none;font-size:11px}h2{break-after:avoid}tr,svg{break-inside:avoid}\
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

/// Defined once, in the legend: the whole page uses them.
const PATTERNS: &str = "\
<defs><pattern id=\"first\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#b9cdea\"/><path d=\"M0 3H6\" stroke=\"#4b74ad\" stroke-width=\"1.4\"/></pattern>\
<pattern id=\"lost\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#d3423e\"/><path d=\"M0 6L6 0M-1 1L1 -1M5 7L7 5\" stroke=\"#fff\" stroke-width=\"1.4\"/></pattern>\
<pattern id=\"locality\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"#f3d27a\"/><circle cx=\"3\" cy=\"3\" r=\"1.2\" fill=\"#8a6100\"/></pattern></defs>";

const MEANING: [&str; 5] = [
    "its tasks run, and nothing that waits could run",
    "its tasks wait for slots that others use and that it had not released at a barrier, or for executors",
    "its tasks wait for slots that it released at a barrier or gap and that others use",
    "its tasks wait although slots are free",
    "the driver has submitted nothing, or has not handed it out yet",
];

const LABELS: f64 = 330.0;
/// What of it is for a name, and how many usual letters of 12 pixels that is.
const NAMES: f64 = 320.0;
const LETTERS: usize = 48;
const BARS: f64 = 540.0;
const NUMBERS: f64 = 100.0;
const LINE: f64 = 22.0;

/// Returns a page about all applications, and logs that could not be read.
pub fn page(applications: &[Application], unread: &[String], limit: usize) -> String {
    let mut page =
        String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
    page.push_str("<title>Where the time went</title>\n<style>");
    page.push_str(STYLE);
    page.push_str("</style></head><body>\n<h1>Where the time of each workflow went</h1>\n");
    page.push_str(&legend());
    for Application { report, ssr, grass: stragglers } in applications {
        application(&mut page, report, &Rows::of(report, limit));
        if !report.runs.is_empty() {
            ssr::section(ssr, &mut page);
            stragglers.iter().for_each(|grass| grass::section(grass, &mut page));
        }
    }
    not_read(&mut page, unread);
    page.push_str("<p class=\"small\">For every workflow the five terms add up to its time from arrival to end (JCT); ");
    page.push_str("this was checked. Written by holdfast whatif.</p>\n</body></html>\n");
    page
}

fn not_read(page: &mut String, unread: &[String]) {
    if unread.is_empty() {
        return;
    }
    page.push_str("<h2>Not read</h2>\n<ul>\n");
    for why in unread {
        let _ = writeln!(page, "<li>{}</li>", html(why));
    }
    page.push_str("</ul>\n");
}

fn legend() -> String {
    let mut legend = String::from(
        "<svg role=\"img\" aria-label=\"Legend\" viewBox=\"0 0 900 110\" width=\"900\" height=\"110\">",
    );
    legend.push_str(PATTERNS);
    for (i, ((term, fill), meaning)) in TERMS.iter().zip(FILLS).zip(MEANING).enumerate() {
        let y = i * 22;
        let _ = write!(
            legend,
            "<rect x=\"0\" y=\"{}\" width=\"26\" height=\"14\" fill=\"{fill}\"/>\
             <text x=\"36\" y=\"{}\"><tspan font-weight=\"600\">{term}</tspan>: {meaning}</text>",
            y + 2,
            y + 13
        );
    }
    legend.push_str("</svg>\n");
    legend
}

fn application(page: &mut String, report: &ApplicationReport, rows: &Rows<'_>) {
    let id = report.id.clone().unwrap_or_else(|| shown_path(&report.log));
    let name = report.name.as_deref().unwrap_or_default();
    let _ = write!(page, "<h2>{} {}</h2>\n<p>", html(&id), html(name));
    let _ = write!(
        page,
        "Spark {}, {}, {} s, {}, at most {}. ",
        html(report.spark.as_deref().unwrap_or("of an unknown version")),
        if report.fair { "FAIR" } else { "FIFO" },
        seconds(report.last_ms - report.first_ms),
        count(report.executors, "executor"),
        count(report.slots, "slot")
    );
    for line in verdict(report, rows) {
        let _ = write!(page, "{} ", html(&line));
    }
    page.push_str("</p>\n");
    notes(page, report);
    if rows.all == 0 {
        return;
    }
    bars(page, rows);
    if rows.shown.len() < rows.all {
        let (shown, all) = (rows.shown.len(), rows.all);
        let _ = writeln!(page, "<p class=\"small\">{shown} of {all} shown.</p>");
    }
    numbers(page, rows);
}

fn notes(page: &mut String, report: &ApplicationReport) {
    if report.notes.is_empty() {
        return;
    }
    page.push_str("<ul class=\"notes\">\n");
    for note in &report.notes {
        let _ = writeln!(page, "<li>Note: {}</li>", html(&note.text));
    }
    page.push_str("</ul>\n");
}

/// A bar for each run; lengths are those of its terms.
fn bars(page: &mut String, rows: &Rows<'_>) {
    let longest = rows.shown.iter().map(|(_, run)| run.jct_us).max().unwrap_or(0).max(1);
    let height = LINE * rows.shown.len() as f64;
    let width = LABELS + BARS + NUMBERS;
    let _ = write!(
        page,
        "<svg role=\"img\" aria-label=\"A bar for each workflow\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">"
    );
    for (i, (name, run)) in rows.shown.iter().enumerate() {
        let y = LINE * i as f64;
        let text = y + 15.0;
        // An image in the image: what of a wide name has no place is cut off there, whatever the reader's font.
        let _ = write!(
            page,
            "<svg x=\"0\" y=\"{y}\" width=\"{NAMES}\" height=\"{LINE}\"><title>{}</title><text y=\"15\">{}</text></svg>",
            html(&whole(run)),
            html(&cut(name, LETTERS))
        );
        let mut x = LABELS;
        for ((part, fill), term) in run.terms.in_order().into_iter().zip(FILLS).zip(TERMS) {
            if part == 0 {
                continue;
            }
            let size = BARS * part as f64 / longest as f64;
            let time = seconds(part / 1_000);
            let _ = write!(
                page,
                "<rect x=\"{x:.2}\" y=\"{}\" width=\"{size:.2}\" height=\"16\" fill=\"{fill}\"><title>{term}: {time} s</title></rect>",
                y + 3.0
            );
            x += size;
        }
        let jct = seconds(run.jct_us / 1_000);
        let _ = write!(page, "<text x=\"{:.2}\" y=\"{text}\">{jct} s</text>", x + 6.0);
    }
    page.push_str("</svg>\n");
}

fn numbers(page: &mut String, rows: &Rows<'_>) {
    page.push_str("<div class=\"scroll\"><table><thead><tr><th>workflow</th>");
    page.push_str(if rows.pools { "<th>pool</th><th>JCT, s</th>" } else { "<th>JCT, s</th>" });
    for term in TERMS {
        let _ = write!(page, "<th>{term}</th>");
    }
    page.push_str("<th>slots lost</th><th>barriers</th><th>with loss</th></tr></thead><tbody>\n");
    for (name, run) in &rows.shown {
        let crossings = run.barriers.all + run.gaps.all;
        let with_loss = run.barriers.with_loss + run.gaps.with_loss;
        let _ =
            write!(page, "<tr><td>{}{}</td>{}", html(name), story(run), in_pool(rows, &pool(run)));
        cells(page, run.jct_us, rounded(&run.terms));
        let lost = slots_lost(run);
        let _ = writeln!(page, "<td>{lost}</td><td>{crossings}</td><td>{with_loss}</td></tr>");
    }
    let sum = &rows.sum;
    let _ = write!(page, "<tr class=\"all\"><td>all</td>{}", in_pool(rows, ""));
    cells(page, sum.terms.sum(), rounded(&sum.terms));
    let (lost, crossings, with_loss) = (sum.slots_lost, sum.crossings, sum.crossings_with_loss);
    let _ = writeln!(page, "<td>{lost}</td><td>{crossings}</td><td>{with_loss}</td></tr>");
    page.push_str("</tbody></table></div>\n");
}

fn in_pool(rows: &Rows<'_>, pool: &str) -> String {
    if rows.pools { format!("<td>{}</td>", html(pool)) } else { String::new() }
}

fn cells(page: &mut String, jct_us: u64, terms: [u64; 5]) {
    let _ = write!(page, "<td>{}</td>", seconds(jct_us / 1_000));
    for term in terms {
        let _ = write!(page, "<td>{}</td>", seconds(term));
    }
}

fn story(run: &RunReport) -> String {
    if run.terms.lost_at_barriers == 0 {
        return String::new();
    }
    format!(
        "<br><span class=\"small\">lost to {}</span>",
        html(&format!("{}{}", takers(&run.lost_to), worst(run)))
    )
}
