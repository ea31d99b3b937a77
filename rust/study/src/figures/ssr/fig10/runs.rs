//! A thousand runs of a phase, and what is measured in them.

use super::phase::{Phase, Times};
use crate::statistics::{mean, quantile};

/// The widths of a phase in the paper.
pub(super) const TASKS: [u32; 2] = [20, 200];
/// Heaviest tail first; the paper does not list its own.
pub(super) const ALPHAS: [f64; 11] = [1.1, 1.2, 1.4, 1.6, 1.8, 2.0, 2.2, 2.4, 2.6, 2.8, 3.0];
/// The place of 1.6, the shape of production traces.
pub(super) const TYPICAL: usize = 3;
/// By seed, as in the paper.
pub(super) const RUNS: u32 = 1000;

/// A number that says something about the runs of one seed.
type Measure = fn(&Runs) -> f64;

/// What is measured in the runs of one seed. The first four are numbered below.
pub(super) const MEASURES: [(&str, Measure); 8] = [
    ("mean without copies", |runs| mean(&runs.without)),
    ("mean with copies", |runs| mean(&runs.with)),
    ("cut of the means", |runs| 1.0 - mean(&runs.with) / mean(&runs.without)),
    ("mean of the cuts", |runs| mean(&runs.cuts)),
    ("median without copies", |runs| quantile(&runs.without, 0.5)),
    ("median with copies", |runs| quantile(&runs.with, 0.5)),
    ("99th percentile without copies", |runs| quantile(&runs.without, 0.99)),
    ("99th percentile with copies", |runs| quantile(&runs.with, 0.99)),
];
pub(super) const WITHOUT: usize = 0;
pub(super) const WITH: usize = 1;
pub(super) const CUT: usize = 2;
pub(super) const CUTS: usize = 3;

/// By number of tasks and shape.
pub(super) type Grid<T> = [[T; ALPHAS.len()]; TASKS.len()];
pub(super) type Measured = [f64; MEASURES.len()];

/// The phase times of one seed's runs, for one number of tasks and one shape; ascending once all have been taken in.
#[derive(Default)]
pub(super) struct Runs {
    without: Vec<f64>,
    with: Vec<f64>,
    cuts: Vec<f64>,
}

impl Runs {
    fn take(&mut self, Times { without, with }: Times) {
        self.without.push(without);
        self.with.push(with);
        self.cuts.push(1.0 - with / without);
    }

    fn measured(mut self) -> Measured {
        for times in [&mut self.without, &mut self.with] {
            times.sort_unstable_by(f64::total_cmp);
        }
        MEASURES.map(|(_, measure)| measure(&self))
    }
}

/// Returns one seed's runs. A run draws once for all shapes.
pub(super) fn of_seed(seed: u64) -> Grid<Measured> {
    TASKS.map(|tasks| {
        let mut shapes: [Runs; ALPHAS.len()] = std::array::from_fn(|_| Runs::default());
        for run in 0..RUNS {
            let phase = Phase::draw(seed, tasks, run);
            for (runs, alpha) in shapes.iter_mut().zip(ALPHAS) {
                runs.take(phase.times(alpha));
            }
        }
        shapes.map(Runs::measured)
    })
}
