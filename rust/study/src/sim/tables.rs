//! Tables that compare variants.

use holdfast_words::count;

use super::measures::Summary;
use super::study::Study;
use crate::statistics::Point;

/// How long workflows take.
const TIMES: [&str; 9] =
    ["variant", "P", "seeds", "mean", "p50", "p95", "p99", "JCT p50, s", "others' JCT p50, s"];
/// What became of slots and launches.
const SLOTS: [&str; 9] =
    ["variant", "P", "busy %", "held %", "free %", "kept %", "local %", "copies", "won"];

/// What is said of the numbers.
const NOTES: [&str; 2] = [
    "slowdown of foreground workflows against alone on Spark",
    "P asked for; shares of slot-time, of barriers kept, of launches near their input; copies, and those that were first",
];

/// Of several seeds.
const SPREAD: &str = "; \u{b1}: half of a 95 % confidence interval over seeds";

/// Returns what is said of each table; of one seed there is no interval.
pub fn notes(study: &Study) -> [String; 2] {
    let spread = if study.seeds.end - study.seeds.start > 1 { SPREAD } else { "" };
    let [times, slots] = NOTES;
    [format!("{times}{spread}"), slots.to_owned()]
}

/// Returns both tables: heads and rows.
pub fn tables(summaries: &[Summary]) -> [(Vec<&'static str>, Vec<Vec<String>>); 2] {
    let rows = |row: fn(&Summary) -> Vec<String>| summaries.iter().map(row).collect();
    [(TIMES.to_vec(), rows(times)), (SLOTS.to_vec(), rows(slots))]
}

/// Returns what was run, in a line.
pub fn heading(study: &Study) -> String {
    let (first, last) = (study.seeds.start, study.seeds.end.saturating_sub(1));
    let seeds =
        if first == last { format!("seed {first}") } else { format!("seeds {first} to {last}") };
    let Some(run) = study.runs.first() else { return format!("nothing is done, {seeds}") };
    let foreground = count(run.alone.len() as u64, "foreground workflow");
    format!(
        "{foreground}, {}, {}, {seeds}",
        count(run.background.len() as u64, "other"),
        count(run.slots, "slot")
    )
}

fn asked(summary: &Summary) -> String {
    summary.asked.map_or_else(|| "-".to_owned(), |asked| asked.to_string())
}

fn times(summary: &Summary) -> Vec<String> {
    let of = |name: &str, digits| cell(summary.point(name), digits);
    vec![
        summary.series.name().to_owned(),
        asked(summary),
        summary.runs.len().to_string(),
        of("slowdown_mean", 2),
        of("slowdown_p50", 2),
        of("slowdown_p95", 2),
        of("slowdown_p99", 2),
        of("jct_p50_s", 1),
        of("background_jct_p50_s", 1),
    ]
}

fn slots(summary: &Summary) -> Vec<String> {
    let percent =
        |name: &str, digits| cell(summary.point(name).map(|point| scaled(point, 100.0)), digits);
    vec![
        summary.series.name().to_owned(),
        asked(summary),
        percent("busy", 1),
        percent("held", 2),
        percent("free", 1),
        percent("isolation_achieved", 1),
        percent("local_foreground", 1),
        cell(summary.point("copies_launched"), 0),
        cell(summary.point("copies_won"), 0),
    ]
}

/// In another unit.
pub fn scaled(point: Point, by: f64) -> Point {
    let spread = point.spread.map(|mut spread| {
        (spread.lo, spread.hi) = (spread.lo * by, spread.hi * by);
        spread
    });
    Point { value: point.value * by, spread }
}

/// `1.25 ±0.10`; without seeds to compare `1.25`; `-` if there is no such number.
fn cell(point: Option<Point>, digits: usize) -> String {
    let Some(Point { value, spread }) = point else { return "-".to_owned() };
    let half = spread.map(|spread| format!(" \u{b1}{:.digits$}", (spread.hi - spread.lo) / 2.0));
    format!("{value:.digits$}{}", half.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Spread;

    #[test]
    fn a_cell_says_how_sure_it_is() {
        let spread = Some(Spread { lo: 0.9, hi: 1.6, seeds: 3, seed: 1 });
        assert_eq!(cell(Some(Point { value: 1.25, spread }), 2), "1.25 \u{b1}0.35");
        assert_eq!(cell(Some(scaled(Point { value: 0.5, spread }, 100.0)), 1), "50.0 \u{b1}35.0");
        assert_eq!(cell(Some(Point::exact(0.456)), 1), "0.5");
        assert_eq!(cell(None, 1), "-");
    }
}
