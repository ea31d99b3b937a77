//! What runs are measured by, and what seeds say of that together.

use holdfast_sim::Locality;

use super::study::{Run, Series, Study};
use crate::statistics::{Point, expected, mean, quantile};

/// One number of each run.
pub struct Measure {
    /// As in files. They stay what they are: scripts read them.
    pub name: &'static str,
    /// None where a run has no such number.
    pub of: fn(&Run) -> Option<f64>,
}

/// All of them, in the order of files.
pub const ALL: [Measure; 31] = [
    Measure { name: "slowdown_mean", of: |run| mean_of(&run.slowdowns) },
    Measure { name: "slowdown_p50", of: |run| at(&run.slowdowns, 0.5) },
    Measure { name: "slowdown_p95", of: |run| at(&run.slowdowns, 0.95) },
    Measure { name: "slowdown_p99", of: |run| at(&run.slowdowns, 0.99) },
    Measure { name: "slowdown_max", of: |run| at(&run.slowdowns, 1.0) },
    Measure { name: "jct_mean_s", of: |run| mean_of(&run.foreground) },
    Measure { name: "jct_p50_s", of: |run| at(&run.foreground, 0.5) },
    Measure { name: "jct_p95_s", of: |run| at(&run.foreground, 0.95) },
    Measure { name: "jct_p99_s", of: |run| at(&run.foreground, 0.99) },
    Measure { name: "background_jct_mean_s", of: |run| mean_of(&run.background) },
    Measure { name: "background_jct_p50_s", of: |run| at(&run.background, 0.5) },
    Measure { name: "background_jct_p95_s", of: |run| at(&run.background, 0.95) },
    Measure { name: "background_jct_p99_s", of: |run| at(&run.background, 0.99) },
    Measure { name: "busy", of: |run| Some(run.outcome.usage.shares()[0]) },
    Measure { name: "held", of: |run| Some(run.outcome.usage.shares()[1]) },
    Measure { name: "free", of: |run| Some(run.outcome.usage.shares()[2]) },
    Measure { name: "isolation_achieved", of: achieved },
    Measure { name: "barriers_held", of: |run| number(run.outcome.barriers.held) },
    Measure { name: "barriers_kept", of: |run| number(run.outcome.barriers.kept) },
    Measure { name: "local_foreground", of: |run| local(&run.outcome.locality[1]) },
    Measure { name: "local_background", of: |run| local(&run.outcome.locality[0]) },
    Measure { name: "copies_launched", of: |run| number(run.outcome.copies.launched) },
    Measure { name: "copies_won", of: |run| number(run.outcome.copies.won) },
    Measure { name: "attempts", of: |run| number(run.outcome.attempts) },
    Measure { name: "wasted", of: |run| number(run.outcome.wasted) },
    Measure { name: "end_s", of: |run| Some(run.outcome.end_ns as f64 / 1e9) },
    Measure { name: "events", of: |run| number(run.outcome.events) },
    Measure { name: "steps", of: |run| number(run.outcome.steps) },
    Measure { name: "decisions", of: |run| number(run.outcome.decisions) },
    Measure { name: "asks", of: |run| number(run.outcome.asks.0) },
    Measure { name: "vetoes", of: |run| number(run.outcome.asks.1) },
];

fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| mean(values))
}

fn at(ascending: &[f64], q: f64) -> Option<f64> {
    (!ascending.is_empty()).then(|| quantile(ascending, q))
}

#[expect(clippy::unnecessary_wraps, reason = "as the others")]
fn number(count: u64) -> Option<f64> {
    Some(count as f64)
}

/// Returns the share of barriers and gaps with holds of which none expired.
fn achieved(run: &Run) -> Option<f64> {
    let barriers = run.outcome.barriers;
    (barriers.held > 0).then(|| barriers.kept as f64 / barriers.held as f64)
}

/// Of the launches of tasks with a preference, the share on that executor or its host.
fn local(locality: &Locality) -> Option<f64> {
    let near = locality.process + locality.node;
    let all = near + locality.any;
    (all > 0).then(|| near as f64 / all as f64)
}

/// What the seeds say of one measure.
pub struct Stat {
    /// Of the measure.
    pub name: &'static str,
    /// The mean over the seeds, and its 95 % confidence interval if there are several.
    pub point: Option<Point>,
    /// How many seeds have such a number.
    pub seeds: usize,
}

/// All runs of a series.
pub struct Summary<'a> {
    /// What its runs have in common.
    pub series: &'a Series,
    /// The isolation that was asked for, from 0 to 1.
    pub asked: Option<f64>,
    /// By seed; those that are done.
    pub runs: Vec<&'a Run>,
    /// By measure.
    pub stats: Vec<Stat>,
}

impl<'a> Summary<'a> {
    /// Returns each series of a study of which some run is done.
    pub fn all(study: &'a Study) -> Vec<Self> {
        let runs = |place| study.runs.iter().filter(move |run| run.series == place);
        let of = |(place, series)| Self::of(series, runs(place).collect(), study.seeds.start);
        study.series.iter().enumerate().filter_map(of).collect()
    }

    fn of(series: &'a Series, runs: Vec<&'a Run>, seed: u64) -> Option<Self> {
        let asked = runs.first()?.asked.map(|ppm| f64::from(ppm) / 1e6);
        let stat = |measure: &Measure| {
            let values: Vec<f64> = runs.iter().filter_map(|run| (measure.of)(run)).collect();
            Stat { name: measure.name, point: expected(&values, seed), seeds: values.len() }
        };
        let stats = ALL.iter().map(stat).collect();
        Some(Self { series, asked, runs, stats })
    }

    /// Returns what the seeds say of the measure of that name.
    pub fn point(&self, name: &str) -> Option<Point> {
        self.stats.iter().find(|stat| stat.name == name)?.point
    }

    /// Returns its name among others: `lookahead`, or `lookahead, P 0.9` where several are compared.
    pub fn label(&self, all: &[Self]) -> String {
        let same = all.iter().filter(|other| other.series.name() == self.series.name()).count();
        match self.asked.filter(|_| same > 1) {
            Some(asked) => format!("{}, P {asked}", self.series.name()),
            None => self.series.name().to_owned(),
        }
    }

    /// Values of all its runs, ascending.
    pub fn pooled(&self, of: impl Fn(&Run) -> &[f64]) -> Vec<f64> {
        let mut all: Vec<f64> = self.runs.iter().flat_map(|run| of(run).iter().copied()).collect();
        all.sort_unstable_by(f64::total_cmp);
        all
    }
}

#[cfg(test)]
mod tests {
    use holdfast_sim::{Options, World, simulate};

    use super::*;

    /// Returns a run with these slowdowns; the rest does not matter.
    fn run(series: usize, seed: u64, slowdowns: &[f64]) -> Run {
        let world = World::new(seed, Vec::new(), Vec::new());
        let outcome = simulate(&world, &Options::default()).unwrap();
        let run = Run::new((series, seed), &world, outcome, Vec::new());
        Run { slowdowns: slowdowns.to_vec(), ..run }
    }

    fn study(runs: Vec<Run>) -> Study {
        let series = vec![Series::default(); 2];
        Study { series, seeds: 4..7, runs, failed: Vec::new(), interrupted: false }
    }

    /// Seed 4: 1, 2, 3, 4, 5; the median is 3, the 95th percentile 4 + 0.8, the 99th 4 + 0.96. Seed 5: all 2.
    #[test]
    fn percentiles_are_taken_by_seed_and_then_put_together() {
        let study = study(vec![run(1, 4, &[1.0, 2.0, 3.0, 4.0, 5.0]), run(1, 5, &[2.0; 7])]);
        let summaries = Summary::all(&study);
        let [summary] = &summaries[..] else { panic!("nothing of the other is done") };
        let of = |name| summary.point(name).unwrap();
        for (name, one, other) in [
            ("slowdown_p50", 3.0, 2.0),
            ("slowdown_p95", 4.8, 2.0),
            ("slowdown_p99", 4.96, 2.0),
            ("slowdown_max", 5.0, 2.0),
            ("slowdown_mean", 3.0, 2.0),
        ] {
            let (value, spread) = (of(name).value, of(name).spread.unwrap());
            assert!((value - f64::midpoint(one, other)).abs() < 1e-12, "{name}: {value}");
            // Of two: 12.706205 x (difference / sqrt 2) / sqrt 2.
            let half = 12.706_205 * (one - other) / 2.0;
            assert!((spread.hi - value - half).abs() < 1e-9, "{name}: {spread:?}");
            assert_eq!((spread.seeds, spread.seed), (2, 4));
        }
    }

    #[test]
    fn what_a_run_does_not_have_is_not_counted() {
        let study = study(vec![run(0, 4, &[]), run(0, 5, &[3.0]), run(0, 6, &[])]);
        let summaries = Summary::all(&study);
        let stat = |name| summaries[0].stats.iter().find(|stat| stat.name == name).unwrap();
        assert_eq!(stat("slowdown_p50").seeds, 1);
        assert_eq!(stat("slowdown_p50").point, Some(Point::exact(3.0)));
        assert_eq!((stat("isolation_achieved").seeds, stat("isolation_achieved").point), (0, None));
        assert_eq!(stat("events").seeds, 3);
    }

    #[test]
    fn names_are_names_of_one() {
        let mut names = ALL.map(|measure| measure.name);
        names.sort_unstable();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
    }
}
