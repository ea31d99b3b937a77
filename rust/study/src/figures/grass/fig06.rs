//! Fig. 6: what GRASS gains over LATE by how tight the bound is (NSDI'14, section 6.2).

use holdfast_sim::grass::rules::Rule;
use holdfast_sim::grass::setup::{Bounds, Framework, Setting, Trace};

use super::compare::{measure, percent, range};
use super::runs::{ByRule, gain, least_and_mean, simulated};
use crate::Failure;
use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::figures::ask::Ask;
use crate::figures::figure::{Claim, Figure, Row, X, line};

/// The title.
pub(super) const TITLE: &str = "Fig. 6: gains over LATE by how tight the bound is";

/// Deadlines above the ideal duration, and errors, up to these shares.
const SLACKS: [(&str, f64); 4] =
    [("2-5 %", 0.055), ("6-10 %", 0.105), ("11-15 %", 0.155), ("16-20 %", 1.0)];
const ERRORS: [(&str, f64); 5] = [
    ("5-10 %", 0.105),
    ("11-15 %", 0.155),
    ("16-20 %", 0.205),
    ("21-25 %", 0.255),
    ("26-30 %", 1.0),
];
const SLACK_NAMES: [&str; 4] = [SLACKS[0].0, SLACKS[1].0, SLACKS[2].0, SLACKS[3].0];
const ERROR_NAMES: [&str; 5] = [ERRORS[0].0, ERRORS[1].0, ERRORS[2].0, ERRORS[3].0, ERRORS[4].0];

const FRAMEWORKS: [(&str, Framework, &str); 2] =
    [("Hadoop", Framework::Hadoop, "#0072b2"), ("Spark", Framework::Spark, "#d55e00")];
const BOUNDS: [(&str, Bounds); 3] =
    [("deadline", Bounds::Deadlines), ("error", Bounds::Errors), ("exact", Bounds::Exact)];

/// Gains by deadline and by error, and of exact jobs.
///
/// # Errors
/// Those of a simulation.
pub(super) fn figure(ask: &Ask) -> Result<Figure, Failure> {
    let of = |bounds| {
        FRAMEWORKS.map(|(_, framework, _)| Setting {
            trace: Trace::Facebook,
            framework,
            bounds,
            ..Setting::default()
        })
    };
    let settings: Vec<Setting> = BOUNDS.iter().flat_map(|&(_, bounds)| of(bounds)).collect();
    let runs = simulated(ask, &settings, &[Rule::Grass, Rule::Late])?;
    let mut rows = Vec::new();
    for ((name, bounds), runs) in BOUNDS.iter().zip(runs.chunks(FRAMEWORKS.len())) {
        let bins: &[(&'static str, f64)] = match bounds {
            Bounds::Deadlines => &SLACKS,
            Bounds::Errors => &ERRORS,
            Bounds::Exact => &[("0 %", 1.0)],
        };
        for ((framework, ..), runs) in FRAMEWORKS.iter().zip(runs) {
            rows.extend(by_bound((name, *bounds), framework, bins, (runs, ask.seed())));
        }
    }
    let about = "Facebook's jobs, deadlines and errors as in Fig. 5 and 7. Jobs are put together by how much time \
                 their deadline leaves above their ideal duration, and by their error. Marks are means over seeds, whiskers \
                 95 % confidence intervals.";
    Ok(Figure {
        about: vec![about.to_owned()],
        panels: vec![
            panel(
                &rows,
                ("(a) deadlines", "deadline"),
                ("time above the ideal duration", &SLACK_NAMES),
            ),
            panel(&rows, ("(b) errors", "error"), ("tasks that may be missing", &ERROR_NAMES)),
        ],
        tables: Vec::new(),
        claims: claims(&rows),
        rows,
    })
}

fn by_bound(
    (name, bounds): (&str, Bounds),
    framework: &str,
    bins: &[(&'static str, f64)],
    (runs, seed): (&[ByRule], u64),
) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut above = f64::NEG_INFINITY;
    for (place, &(bin, upto)) in (0..).zip(bins) {
        let counts = |job: &super::runs::Done| job.bound > above && job.bound <= upto;
        let point = gain(runs, (0, 1), measure(bounds), seed, counts);
        let (setting, series) = (name.to_owned(), framework.to_owned());
        rows.extend(point.map(|point| Row { setting, x: X::Named(place, bin), series, point }));
        above = upto;
    }
    rows
}

fn panel(
    rows: &[Row],
    (title, setting): (&str, &str),
    (label, names): (&'static str, &'static [&'static str]),
) -> Panel {
    let lines = FRAMEWORKS.iter().map(|&(name, _, colour)| Line {
        label: name.to_owned(),
        style: Style { colour, dash: "", width: 2.0, marker: None },
        points: line(rows, setting, name),
    });
    Panel {
        title: title.to_owned(),
        x: Axis { label, ticks: Vec::new(), scale: Scale::Names(names) },
        y: Axis {
            label: "gain over LATE",
            ticks: vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
            scale: Scale::Percent,
        },
        lines: lines.collect(),
    }
}

fn claims(rows: &[Row]) -> Vec<Claim> {
    let of = |setting: &str| -> Vec<f64> {
        let own = rows.iter().filter(|row| row.setting == setting);
        own.map(|row| row.point.value).collect()
    };
    let (deadlines, errors, exact) = (of("deadline"), of("error"), of("exact"));
    let tight: Vec<f64> = rows
        .iter()
        .filter(|row| row.setting == "error" && row.x.place() < 3.0)
        .map(|row| row.point.value)
        .collect();
    vec![
        Claim {
            paper: "With a deadline gains are nearly the same however tight it is.",
            got: range(&deadlines),
            met: least_and_mean(&deadlines).0 > 0.5 * least_and_mean(&deadlines).1,
        },
        Claim {
            paper: "With an error they persist at tight and moderate bounds, and are less at high ones.",
            got: format!("All: {}. Up to 20 %: {}.", range(&errors), range(&tight)),
            met: least_and_mean(&tight).0 > 0.0,
        },
        Claim {
            paper: "Exact jobs are 34 % faster.",
            got: percent(least_and_mean(&exact).1),
            met: least_and_mean(&exact).1 >= 0.25,
        },
    ]
}
