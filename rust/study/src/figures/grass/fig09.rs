//! Fig. 9 and 15: what GRASS gains over LATE by the length of a job's DAG, and by the share of jobs that explore (NSDI'14,
//! sections 6.2.4 and 6.3.3).

use holdfast_sim::grass::rules::Rule;
use holdfast_sim::grass::setup::{Bounds, Setting};

use super::compare::{measure, percent, range};
use super::runs::{ByRule, gain, least_and_mean, simulated};
use crate::Failure;
use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::figures::ask::Ask;
use crate::figures::figure::{Claim, Figure, Row, X, line};

/// The titles.
pub(super) const TITLES: [&str; 2] = [
    "Fig. 9: gains over LATE by the length of the DAG",
    "Fig. 15: gains over LATE by the share of jobs that explore",
];

const BOUNDS: [(&str, Bounds); 2] = [("deadline", Bounds::Deadlines), ("error", Bounds::Errors)];
const LENGTHS: [&str; 4] = ["1", "2", "4", "6"];
const STAGES: [u32; 4] = [1, 2, 4, 6];
const SHARES: [&str; 6] = ["0 %", "5 %", "10 %", "15 %", "20 %", "40 %"];
/// Thousandths.
const EXPLORES: [u32; 6] = [0, 50, 100, 150, 200, 400];
const SERIES: &str = "GRASS";

/// Fig. 9.
///
/// # Errors
/// Those of a simulation.
pub(super) fn lengths(ask: &Ask) -> Result<Figure, Failure> {
    let of = |bounds| STAGES.map(|stages| Setting { bounds, stages, ..Setting::default() });
    let settings: Vec<Setting> = BOUNDS.iter().flat_map(|&(_, bounds)| of(bounds)).collect();
    let runs = simulated(ask, &settings, &[Rule::Grass, Rule::Late])?;
    let mut rows = Vec::new();
    for (bounds, runs) in BOUNDS.iter().zip(runs.chunks(STAGES.len())) {
        for (place, runs) in runs.iter().enumerate() {
            rows.extend(row(*bounds, (place, LENGTHS[place]), (runs, (0, 1), ask.seed())));
        }
    }
    let stable = |name: &str| {
        let gains = values(&rows, name);
        let (least, mean) = least_and_mean(&gains);
        Claim {
            paper: if name == "deadline" {
                "With deadlines gains remain stable with the length of the DAG."
            } else {
                "With errors, too."
            },
            got: range(&gains),
            met: least > 0.7 * mean,
        }
    };
    Ok(Figure {
        about: vec![
            "Facebook's jobs on Hadoop. Each later stage has half the tasks of the one before. The bound is the first \
             stage's; of an error-bound job all of its time counts. Bars are means over seeds, whiskers 95 % confidence \
             intervals."
                .to_owned(),
        ],
        panels: panels(&rows, "stages", &LENGTHS),
        tables: Vec::new(),
        claims: BOUNDS.iter().map(|(name, _)| stable(name)).collect(),
        rows,
    })
}

/// Fig. 15.
///
/// # Errors
/// Those of a simulation.
pub(super) fn explored(ask: &Ask) -> Result<Figure, Failure> {
    let settings = BOUNDS.map(|(_, bounds)| Setting { bounds, ..Setting::default() });
    let mut rules = vec![Rule::Late];
    rules.extend(EXPLORES.map(Rule::Explores));
    let runs = simulated(ask, &settings, &rules)?;
    let mut rows = Vec::new();
    for (bounds, runs) in BOUNDS.iter().zip(&runs) {
        for (place, name) in SHARES.iter().enumerate() {
            rows.extend(row(*bounds, (place, *name), (runs, (place + 1, 0), ask.seed())));
        }
    }
    let best = |name: &str| {
        let gains = values(&rows, name);
        let best = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let place = gains.iter().position(|gain| *gain == best).unwrap_or(0);
        let said: Vec<String> = gains.iter().map(|gain| percent(*gain)).collect();
        (format!("{name}: best at {} of {}", SHARES[place], said.join(", ")), place == 3)
    };
    let (deadline, error) = (best("deadline"), best("error"));
    Ok(Figure {
        about: vec![
            "Facebook's jobs on Hadoop. Jobs that explore run with GS or RAS throughout. All jobs count but the first fifth. \
             Bars are means over seeds, whiskers 95 % confidence intervals."
                .to_owned(),
        ],
        panels: panels(&rows, "jobs that explore", &SHARES),
        tables: Vec::new(),
        claims: vec![Claim {
            paper: "A share of 15 % is best, and gains drop sharply around it.",
            got: format!("{}. {}.", deadline.0, error.0),
            met: deadline.1 && error.1,
        }],
        rows,
    })
}

fn values(rows: &[Row], name: &str) -> Vec<f64> {
    rows.iter().filter(|row| row.setting == name).map(|row| row.point.value).collect()
}

fn row(
    (name, bounds): (&str, Bounds),
    (place, x): (usize, &'static str),
    (runs, pair, seed): (&[ByRule], (usize, usize), u64),
) -> Option<Row> {
    let point = gain(runs, pair, measure(bounds), seed, |_| true)?;
    let x = X::Named(u8::try_from(place).unwrap_or(u8::MAX), x);
    Some(Row { setting: name.to_owned(), x, series: SERIES.to_owned(), point })
}

fn panels(rows: &[Row], label: &'static str, names: &'static [&'static str]) -> Vec<Panel> {
    let panel = |(i, (name, _)): (usize, &(&str, Bounds))| Panel {
        title: format!("({}) {name}s", char::from(b'a' + u8::try_from(i).unwrap_or(0))),
        x: Axis { label, ticks: Vec::new(), scale: Scale::Names(names) },
        y: Axis { label: "gain over LATE", ticks: vec![0.0, 0.2, 0.4, 0.6], scale: Scale::Percent },
        lines: vec![Line {
            label: SERIES.to_owned(),
            style: Style { colour: "#0072b2", dash: "", width: 2.0, marker: None },
            points: line(rows, name, SERIES),
        }],
    };
    BOUNDS.iter().enumerate().map(panel).collect()
}
