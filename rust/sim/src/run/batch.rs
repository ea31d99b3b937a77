//! Simulations of many worlds at a time, on all cores. Their outcomes do not depend on the number of cores.

use rayon::prelude::*;

use crate::run::options::Options;
use crate::run::outcome::{Failure, Outcome};
use crate::run::simulate::simulate;
use crate::world::World;

/// Simulates worlds at the same time. Outcomes are in the order of the worlds. Each of the `count` is made when its
/// turn comes, so that no more are in memory than run.
///
/// `options` are those of each of them: `progress` hears all, in no order.
#[must_use]
pub fn simulate_all(
    count: usize,
    make: impl Fn(usize) -> World + Sync,
    options: &Options,
) -> Vec<Result<Outcome, Failure>> {
    (0..count).into_par_iter().map(|place| simulate(&make(place), options)).collect()
}
