//! Simulations of the paper's worlds (NSDI'14, section 6.1), and what rules gain in them.

use holdfast_sim::grass::rules::Rule;
use holdfast_sim::grass::setup::{Setting, bin, slack, world};
use holdfast_sim::world::BoundSpec;
use holdfast_sim::{Options, World, simulate};
use rayon::prelude::*;

use crate::Failure;
use crate::figures::ask::Ask;
use crate::statistics::{Point, expected, mean};

/// How many seeds are usual.
const SEEDS: u32 = 5;
/// The first jobs, one in so many, teach the learner and do not count.
const TAUGHT: u32 = 5;

/// What came of one job.
#[derive(Clone, Copy)]
pub(super) struct Done {
    /// Its size: small, medium, large.
    pub(super) bin: usize,
    /// The share of tasks done by its deadline, or how long it took in seconds.
    pub(super) score: f64,
    /// The share of tasks that may be missing, or by which its deadline is above its ideal duration.
    pub(super) bound: f64,
}

/// The jobs of one world, by rule.
pub(super) type ByRule = Vec<Vec<Done>>;

/// Simulates worlds from all seeds under all rules, on all cores: by world, then by seed.
///
/// # Errors
/// Those of a simulation.
pub(super) fn simulated(
    ask: &Ask,
    settings: &[Setting],
    rules: &[Rule],
) -> Result<Vec<Vec<ByRule>>, Failure> {
    let seeds = ask.seeds(SEEDS);
    let progress = ask.progress(settings.len() * seeds.len() * rules.len(), "simulations");
    let of_world = |setting: &Setting, seed: u64| {
        let world = world(&Setting { seed, ..*setting });
        let of_rule = |rule: &Rule| {
            let done = jobs(&world, *rule);
            progress.one_done("");
            done
        };
        rules.par_iter().map(of_rule).collect::<Result<ByRule, Failure>>()
    };
    let of_setting =
        |setting: &Setting| seeds.par_iter().map(|&seed| of_world(setting, seed)).collect();
    settings.par_iter().map(of_setting).collect()
}

/// Simulates one world under a rule.
fn jobs(world: &World, rule: Rule) -> Result<Vec<Done>, Failure> {
    let outcome = simulate(&rule.of(world), &Options::default())
        .map_err(|e| Failure::Input(format!("simulating {rule:?}: {e}")))?;
    let taught = world.workflows.len() / TAUGHT as usize;
    let counted = outcome.bounded.iter().filter(|job| job.workflow as usize >= taught);
    let of = |job: &holdfast_sim::BoundedJob| Done {
        bin: bin(job.tasks),
        score: match job.bound {
            BoundSpec::DeadlineMs(_) => job.accuracy(),
            BoundSpec::ErrorPpm(_) => job.took_ns as f64 / 1e9,
        },
        bound: match job.bound {
            BoundSpec::DeadlineMs(_) => slack(&world.workflows[job.workflow as usize].jobs[0]),
            BoundSpec::ErrorPpm(ppm) => f64::from(ppm) / 1e6,
        },
    };
    let mut done: Vec<(u32, Done)> = counted.map(|job| (job.workflow, of(job))).collect();
    done.sort_by_key(|(workflow, _)| *workflow);
    Ok(done.into_iter().map(|(_, done)| done).collect())
}

/// Says which measure counts: more accuracy, or less time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// (a - b) / b of mean accuracies.
    Accuracy,
    /// (b - a) / b of mean times.
    Time,
}

impl Measure {
    /// Returns what `of` gains over `over`, both means.
    pub(super) fn gain(self, of: f64, over: f64) -> f64 {
        match self {
            Self::Accuracy => of / over - 1.0,
            Self::Time => 1.0 - of / over,
        }
    }
}

/// Returns what one rule gains over another in jobs that count: of each seed, and together with their interval. None
/// if a seed has no such job.
pub(super) fn gain(
    runs: &[ByRule],
    (of, over): (usize, usize),
    measure: Measure,
    seed: u64,
    counts: impl Fn(&Done) -> bool,
) -> Option<Point> {
    let score = |jobs: &[Done]| {
        let scores = jobs.iter().filter(|job| counts(job)).map(|job| job.score);
        mean(&scores.collect::<Vec<f64>>())
    };
    let gains = runs.iter().map(|rules| measure.gain(score(&rules[of]), score(&rules[over])));
    let gains: Vec<f64> = gains.filter(|gain| gain.is_finite()).collect();
    expected(&gains, seed)
}

/// Returns the least of some gains, and their mean.
pub(super) fn least_and_mean(gains: &[f64]) -> (f64, f64) {
    (gains.iter().copied().fold(f64::INFINITY, f64::min), mean(gains))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(bin: usize, score: f64) -> Done {
        Done { bin, score, bound: 0.0 }
    }

    #[test]
    fn gains_by_hand() {
        let runs = vec![vec![vec![job(0, 0.9), job(1, 0.5)], vec![job(0, 0.6), job(1, 0.5)]]];
        let all = gain(&runs, (0, 1), Measure::Accuracy, 1, |_| true).unwrap().value;
        assert!((all - (1.4 / 1.1 - 1.0)).abs() < 1e-12, "of means, not the mean of gains");
        let small = gain(&runs, (0, 1), Measure::Accuracy, 1, |job| job.bin == 0).unwrap().value;
        assert!((small - 0.5).abs() < 1e-12);
        let time = gain(&runs, (1, 0), Measure::Time, 1, |job| job.bin == 0).unwrap().value;
        assert!((time - 1.0 / 3.0).abs() < 1e-12);
        assert!(gain(&runs, (0, 1), Measure::Time, 1, |job| job.bin == 2).is_none());
    }
}
