//! The part of the page about it.

use std::fmt::Write;

use holdfast_words::html;

use super::{Candidate, Ssr, change, trust};
use crate::whatif::rows::{percent, seconds};

const LABELS: f64 = 190.0;
const BARS: f64 = 520.0;
const NUMBERS: f64 = 190.0;
const LINE: f64 = 22.0;
const PLAIN: &str = "#9aa5b1";
const OURS: &str = "#2f7d5b";

/// What would have been, under the bars of what was.
pub(crate) fn section(ssr: &Ssr, page: &mut String) {
    page.push_str("<h3>What Holdfast would give</h3>\n<p>A simulation on the same executors. ");
    for line in trust(ssr) {
        let _ = write!(page, "{} ", html(&line));
    }
    page.push_str("</p>\n");
    for candidate in &ssr.workflows {
        let _ = writeln!(
            page,
            "<h4>{} <span class=\"small\">lost {} s at barriers, {} of {} s</span></h4>",
            html(&candidate.workflow),
            seconds(candidate.lost_at_barriers_us / 1_000),
            percent(candidate.lost_at_barriers_us / 1_000, candidate.recorded_ms),
            seconds(candidate.recorded_ms),
        );
        bars(candidate, ssr.priority, page);
        numbers(candidate, page);
    }
}

/// Name, time, what is written behind it, colour.
type Bar = (String, u64, String, &'static str);

fn bars_of(candidate: &Candidate, priority: i32) -> Vec<Bar> {
    let mut bars = vec![
        ("as it was".to_owned(), candidate.recorded_ms, String::new(), PLAIN),
        ("simulated as recorded".to_owned(), candidate.as_recorded_ms, String::new(), PLAIN),
    ];
    bars.extend(candidate.settings.iter().map(|setting| {
        let name = match setting.isolation {
            0.0 => format!("priority {priority} only"),
            p => format!("priority {priority}, P = {p}"),
        };
        (name, setting.jct_ms, change(setting.change), OURS)
    }));
    bars.push(("alone".to_owned(), candidate.alone_ms, String::new(), PLAIN));
    bars
}

fn bars(candidate: &Candidate, priority: i32, page: &mut String) {
    let bars = bars_of(candidate, priority);
    let longest = bars.iter().map(|bar| bar.1).max().unwrap_or(0).max(1);
    #[expect(clippy::cast_precision_loss, reason = "a few bars")]
    let (width, height) = (LABELS + BARS + NUMBERS, LINE * bars.len() as f64);
    let _ = write!(
        page,
        "<svg role=\"img\" aria-label=\"Times of {}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">",
        html(&candidate.workflow)
    );
    for (i, (name, ms, behind, fill)) in bars.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "pixels")]
        let (y, size) = (LINE * i as f64, BARS * *ms as f64 / longest as f64);
        let (bar, text, end) = (y + 3.0, y + 15.0, LABELS + size + 6.0);
        let time = seconds(*ms);
        let _ = write!(
            page,
            "<text x=\"0\" y=\"{text}\">{}</text><rect x=\"{LABELS}\" y=\"{bar}\" width=\"{size:.2}\" height=\"16\" fill=\"{fill}\"/>\
             <text x=\"{end:.2}\" y=\"{text}\">{time} s {behind}</text>",
            html(name)
        );
    }
    page.push_str("</svg>\n");
}

fn numbers(candidate: &Candidate, page: &mut String) {
    page.push_str("<div class=\"scroll\"><table><thead><tr><th>P</th><th>JCT, s</th><th>change</th><th>held idle, slot-s</th><th>of all slot-time</th><th>others' JCT</th><th>worst</th></tr></thead><tbody>\n");
    let times = |ratio: Option<f64>| ratio.map_or_else(String::new, |r| format!("{r:.2} times"));
    for setting in &candidate.settings {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2} %</td><td>{}</td><td>{}</td></tr>",
            setting.isolation,
            seconds(setting.jct_ms),
            change(setting.change),
            seconds(setting.held_slot_ms),
            setting.held_share * 100.0,
            times(setting.others_mean),
            times(setting.others_worst),
        );
    }
    page.push_str("</tbody></table></div>\n");
}
