//! Figures that show what rules gain over others, by the size of jobs: bars, numbers, and the table of both.

use holdfast_sim::grass::rules::Rule;
use holdfast_sim::grass::setup::{BINS, Bounds, Framework, Setting, Trace};

use super::runs::{ByRule, Measure, gain, simulated};
use crate::Failure;
use crate::drawing::page::Table;
use crate::drawing::panel::{Axis, Line, Panel, Scale, Style};
use crate::figures::ask::Ask;
use crate::figures::figure::{Row, X, line};
use crate::statistics::{Point, said};

/// Places of the horizontal axis: the bins, and all jobs.
pub(super) const PLACES: [&str; 4] = [BINS[0], BINS[1], BINS[2], "all"];
/// The place of all jobs.
pub(super) const ALL: usize = 3;
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// A world of a figure.
#[derive(Clone, Copy)]
pub(super) struct Case {
    /// As in the heading of its panel.
    pub(super) name: &'static str,
    pub(super) setting: Setting,
}

impl Case {
    pub(super) fn new(
        name: &'static str,
        (trace, framework): (Trace, Framework),
        bounds: Bounds,
    ) -> Self {
        Self { name, setting: Setting { trace, framework, bounds, ..Setting::default() } }
    }
}

/// What one kind of bars shows: a rule, and what it is compared with.
#[derive(Clone, Copy)]
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) of: Rule,
    pub(super) over: Rule,
}

/// All worlds and bars of a figure.
pub(super) struct Comparison<'a> {
    pub(super) cases: &'a [Case],
    pub(super) series: &'a [Series],
}

/// What came out: a number for each world, bar and bin.
pub(super) struct Gains {
    pub(super) rows: Vec<Row>,
}

/// Returns the measure of jobs with such bounds.
pub(super) fn measure(bounds: Bounds) -> Measure {
    match bounds {
        Bounds::Deadlines => Measure::Accuracy,
        Bounds::Errors | Bounds::Exact => Measure::Time,
    }
}

impl Comparison<'_> {
    /// Returns the rules that are simulated, each once.
    fn rules(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        for rule in self.series.iter().flat_map(|series| [series.of, series.over]) {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }

    /// Simulates all of it.
    ///
    /// # Errors
    /// Those of a simulation.
    pub(super) fn gains(&self, ask: &Ask) -> Result<Gains, Failure> {
        let rules = self.rules();
        let settings: Vec<Setting> = self.cases.iter().map(|case| case.setting).collect();
        let runs = simulated(ask, &settings, &rules)?;
        let mut rows = Vec::new();
        for (case, runs) in self.cases.iter().zip(&runs) {
            rows.extend(self.of_case(case, &rules, runs, ask.seed()));
        }
        Ok(Gains { rows })
    }

    fn of_case(&self, case: &Case, rules: &[Rule], runs: &[ByRule], seed: u64) -> Vec<Row> {
        let measure = measure(case.setting.bounds);
        let number = |rule: Rule| rules.iter().position(|&other| other == rule).unwrap_or(0);
        let mut rows = Vec::new();
        for series in self.series {
            let pair = (number(series.of), number(series.over));
            for (place, name) in PLACES.into_iter().enumerate() {
                let counts = |job: &super::runs::Done| place == ALL || job.bin == place;
                let Some(point) = gain(runs, pair, measure, seed, counts) else { continue };
                let x = X::Named(u8::try_from(place).unwrap_or(u8::MAX), name);
                let (setting, series) = (case.name.to_owned(), series.name.to_owned());
                rows.push(Row { setting, x, series, point });
            }
        }
        rows
    }

    /// Returns a panel for each world.
    pub(super) fn panels(&self, gains: &Gains, label: &'static str) -> Vec<Panel> {
        let of = |(i, case): (usize, &Case)| {
            let lines = self.series.iter().zip(COLOURS).map(|(series, colour)| Line {
                label: series.name.to_owned(),
                style: Style { colour, dash: "", width: 2.0, marker: None },
                points: line(&gains.rows, case.name, series.name),
            });
            let letter = char::from(b'a' + u8::try_from(i).unwrap_or(0));
            Panel {
                title: format!("({letter}) {}", case.name),
                x: Axis { label: "size of jobs", ticks: Vec::new(), scale: Scale::Names(&PLACES) },
                y: Axis { label, ticks: self.ticks(gains), scale: Scale::Percent },
                lines: lines.collect(),
            }
        };
        self.cases.iter().enumerate().map(of).collect()
    }

    /// Returns ticks that all bars and whiskers are between.
    fn ticks(&self, gains: &Gains) -> Vec<f64> {
        let ends = gains.rows.iter().flat_map(|row| <[f64; 2]>::from(row.point.interval()));
        let (low, high) =
            ends.fold((0.0, 0.2), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
        let step = if high - low > 1.0 { 0.4 } else { 0.2 };
        let first = (low / step).floor();
        let ticks = std::iter::successors(Some(first), |tick| Some(tick + 1.0));
        ticks.map(|tick| tick * step).take_while(|tick| *tick < high + step).collect()
    }

    /// Returns all numbers with their intervals.
    pub(super) fn table(&self, gains: &Gains, title: &str) -> Table {
        let mut head = vec!["world".to_owned(), "gain".to_owned()];
        head.extend(PLACES.map(str::to_owned));
        let mut rows = Vec::new();
        for case in self.cases {
            for series in self.series {
                let mut cells = vec![case.name.to_owned(), series.name.to_owned()];
                cells.extend((0..PLACES.len()).map(|place| {
                    let point = gains.at(case.name, series.name, place);
                    point.map_or_else(|| "none".to_owned(), |point| said(&point, percent))
                }));
                rows.push(cells);
            }
        }
        Table { title: title.to_owned(), head, rows }
    }
}

impl Gains {
    /// Returns one number.
    pub(super) fn at(&self, case: &str, series: &str, place: usize) -> Option<Point> {
        let points = line(&self.rows, case, series);
        points.into_iter().find(|(x, _)| *x == place as f64).map(|(_, point)| point)
    }

    /// Returns the gains at a place of all jobs or of a bin, in these worlds and series.
    pub(super) fn of(&self, cases: &[Case], series: &[&str], place: usize) -> Vec<f64> {
        let pairs = cases.iter().flat_map(|case| series.iter().map(move |name| (case.name, *name)));
        pairs.filter_map(|(case, name)| Some(self.at(case, name, place)?.value)).collect()
    }

    /// Returns the gains of all bins, all jobs not among them.
    pub(super) fn of_bins(&self, cases: &[Case], series: &[&str]) -> Vec<f64> {
        (0..ALL).flat_map(|bin| self.of(cases, series, bin)).collect()
    }
}

/// Writes a share as per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Says a list of gains: the least, the mean, and the largest.
pub(super) fn range(gains: &[f64]) -> String {
    let (least, mean) = super::runs::least_and_mean(gains);
    let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!("{} to {}, mean {}", percent(least), percent(most), percent(mean))
}
