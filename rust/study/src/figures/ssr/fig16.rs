//! Fig. 16: the earlier pre-reservation begins, the less SQL is slowed (SSR-4; ICDCS'17, section VI-B).

use holdfast_sim::paper::{Foreground, Setting, Variant};

use super::runs::{Case, Policy, Runs, simulated};
use crate::Failure;
use crate::drawing::page::Table;
use crate::drawing::panel::{Axis, Line, Marker, Panel, Scale, Style};
use crate::drawing::plot::ticks;
use crate::figures::ask::Ask;
use crate::figures::figure::{Claim, Figure, Row, line};
use crate::statistics::{Point, mean, over_seeds, reach, said};

/// The title.
pub(super) const TITLE: &str = "Fig. 16: slowdown of SQL by the threshold of pre-reservation";

const SEEDS: u32 = 5;
/// R in hundredths.
const THRESHOLDS: [u32; 5] = [0, 25, 50, 75, 100];
const SETTING: &str = "standard";
/// Nothing is claimed of what others release: it is as if R were never reached.
const NONE: &str = "nothing claimed";

/// A number that says something about one world under one of the policies.
type Measure = fn(&Runs, usize) -> f64;

const MEASURES: [(&str, Measure); 4] = [
    ("slowdown", Runs::slowdown),
    ("slowdown of the most slowed", |runs, p| runs.slowdowns(p).fold(0.0, f64::max)),
    ("job completion time (s)", |runs, p| mean(&runs.runs[p].jcts)),
    ("held idle", |runs, p| runs.runs[p].held),
];
const SLOWDOWN: usize = 0;
const HELD: usize = 3;

/// Slowdowns and idle slots by R.
///
/// # Errors
/// Those of a simulation.
pub(super) fn figure(ask: &Ask) -> Result<Figure, Failure> {
    let setting = Setting { foreground: Foreground::Sql, ..Setting::default() };
    let cases = [Case { name: "SQL".to_owned(), setting }];
    let names = ["R = 0", "R = 0.25", "R = 0.5", "R = 0.75", "R = 1"];
    let none = Policy { claims: false, ..Policy::new(NONE, Variant::Literal) };
    let policies: Vec<Policy> = names
        .into_iter()
        .zip(THRESHOLDS)
        .map(|(name, r)| Policy {
            prereserve_ppm: Some(r * 10_000),
            ..Policy::new(name, Variant::Literal)
        })
        .chain([none])
        .collect();
    let runs = simulated(ask, SEEDS, &cases, &policies, true)?.concat();
    let rows = rows(&runs, ask.seed());
    Ok(Figure {
        about: about(runs.len()),
        panels: panels(&rows),
        tables: vec![table(&rows, runs.len())],
        claims: vec![earlier(&runs, &rows)],
        rows,
    })
}

fn rows(runs: &[Runs], seed: u64) -> Vec<Row> {
    let places = THRESHOLDS.map(|r| (SETTING, r)).into_iter().chain([(NONE, 100)]);
    let at = |(p, (setting, r)): (usize, (&str, u32))| {
        let row = |(series, measure): &(&str, Measure)| Row {
            setting: setting.to_owned(),
            x: (f64::from(r) / 100.0).into(),
            series: (*series).to_owned(),
            point: over_seeds(runs.iter().map(|runs| measure(runs, p)).collect(), seed),
        };
        MEASURES.iter().map(row).collect::<Vec<Row>>()
    };
    places.enumerate().flat_map(at).collect()
}

fn about(seeds: usize) -> Vec<String> {
    vec![format!(
        "The SQL jobs of Fig. 15 in its standard setting under Algorithm 1. When the share R of a stage has finished, \
         slots that others release are reserved for a wider stage that follows: at R = 0 as soon as the stage begins, at \
         R = 1 when it is done. (a): how many times as long as alone the 20 jobs take on average; (b): which share of all \
         slot-time is held idle for that. Marks are medians over {seeds} seeds, bands reach {}.",
        reach(seeds)
    )]
}

fn points(rows: &[Row], measure: usize) -> Vec<(f64, Point)> {
    line(rows, SETTING, MEASURES[measure].0)
}

fn panels(rows: &[Row]) -> Vec<Panel> {
    let style = Style { colour: "#0072b2", dash: "", width: 2.2, marker: Some(Marker::Square) };
    let panel = |title: &str, label, measure: usize, from: f64, scale| {
        let points = points(rows, measure);
        let most = points.iter().map(|(_, point)| point.interval().1).fold(from, f64::max);
        Panel {
            title: title.to_owned(),
            x: Axis {
                label: "threshold R of pre-reservation",
                ticks: vec![0.0, 0.25, 0.5, 0.75, 1.0],
                scale: Scale::Linear,
            },
            y: Axis { label, ticks: ticks(from, most), scale },
            lines: vec![Line { label: "SQL, SSR".to_owned(), style, points }],
        }
    };
    vec![
        panel("(a) slowdown", "time / time alone", SLOWDOWN, 1.0, Scale::Linear),
        panel("(b) held idle", "of all slot-time", HELD, 0.0, Scale::Percent),
    ]
}

fn table(rows: &[Row], seeds: usize) -> Table {
    let text = |m: usize| {
        move |x: f64| if m == HELD { format!("{:.2} %", x * 100.0) } else { format!("{x:.3}") }
    };
    let row = |name: String, of: &dyn Fn(usize) -> Point| {
        [name].into_iter().chain((0..MEASURES.len()).map(|m| said(&of(m), text(m)))).collect()
    };
    let by_r = (0..THRESHOLDS.len())
        .map(|i| row((f64::from(THRESHOLDS[i]) / 100.0).to_string(), &|m| points(rows, m)[i].1));
    let none = row(NONE.to_owned(), &|m| unclaimed(rows, m));
    Table {
        title: format!("By R; brackets reach {}", reach(seeds)),
        head: ["R"].into_iter().chain(MEASURES.map(|(name, _)| name)).map(str::to_owned).collect(),
        rows: by_r.chain([none]).collect(),
    }
}

/// Returns what comes of it when nothing is claimed.
fn unclaimed(rows: &[Row], measure: usize) -> Point {
    let points = line(rows, NONE, MEASURES[measure].0);
    points.first().map_or(Point::exact(f64::NAN), |point| point.1)
}

fn earlier(runs: &[Runs], rows: &[Row]) -> Claim {
    let points = points(rows, SLOWDOWN);
    let values: Vec<f64> = points.iter().map(|(_, point)| point.value).collect();
    let last = THRESHOLDS.len() - 1;
    let fewer = runs.iter().filter(|runs| runs.slowdown(0) < runs.slowdown(last)).count();
    let parts: Vec<String> = points
        .iter()
        .map(|(r, point)| format!("{} at R = {r}", said(point, |x| format!("{x:.3}"))))
        .collect();
    let met = values.is_sorted() && fewer == runs.len();
    let mut got = format!(
        "{}. In {fewer} of {} seeds it is less at R = 0 than at R = 1.",
        parts.join(", "),
        runs.len()
    );
    if !met {
        got.push_str(&format!(
            " Slots are no bottleneck in this world: a wider stage finds its further slots when it begins, so that there \
             is next to nothing to gain. If nothing is claimed at all, the slowdown is {}.",
            said(&unclaimed(rows, SLOWDOWN), |x| format!("{x:.3}"))
        ));
    }
    Claim {
        paper: "The earlier pre-reservation begins (the smaller R), the less SQL is slowed (section VI-B).",
        got,
        met,
    }
}

#[cfg(test)]
mod tests {
    use super::super::runs::Run;
    use super::*;
    use crate::figures::ssr::on_any_threads;

    #[test]
    fn equal_bytes_on_one_thread_and_on_many() {
        let one = on_any_threads("fig16", 3);
        assert_eq!(one.rows.len(), (5 + 1) * 4, "thresholds and no claims, measures");
        assert_eq!(one.panels.iter().map(|panel| panel.lines[0].points.len()).sum::<usize>(), 10);
    }

    /// Returns one job, 10 s alone; times by R, and 10 s if nothing is claimed.
    fn claim(seeds: &[[f64; 5]]) -> Claim {
        let run = |&jct: &f64| Run {
            jcts: vec![jct],
            background: 1.0,
            simple: 1.0,
            staged: 1.0,
            busy: 0.9,
            held: 0.0,
        };
        let of = |jcts: &[f64; 5]| Runs {
            alone: vec![10.0],
            runs: jcts.iter().chain([&10.0]).map(run).collect(),
        };
        let runs: Vec<Runs> = seeds.iter().map(of).collect();
        earlier(&runs, &rows(&runs, 1))
    }

    #[test]
    fn earlier_is_better_only_if_every_seed_says_so() {
        let better = claim(&[[11.0, 12.0, 13.0, 14.0, 15.0], [11.0, 11.0, 11.0, 12.0, 13.0]]);
        assert!(better.met, "{}", better.got);
        assert!(better.got.ends_with("In 2 of 2 seeds it is less at R = 0 than at R = 1."));
        let same = claim(&[[11.0, 12.0, 13.0, 14.0, 15.0], [11.0; 5]]);
        assert!(
            !same.met && same.got.ends_with("the slowdown is 1.000 (1.000 to 1.000)."),
            "{}",
            same.got
        );
        assert!(!claim(&[[11.0, 12.0, 11.5, 14.0, 15.0]]).met, "not in between");
    }
}
