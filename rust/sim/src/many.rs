//! Many simulations at a time, on all cores; what comes of them does not depend on how many there are.

use rayon::prelude::*;

use crate::run::{Failure, Options, Outcome, simulate};
use crate::world::World;

/// Simulates worlds at the same time. Outcomes are in the order of the worlds.
///
/// `options` are those of each of them: `progress` hears all, in no order.
#[must_use]
pub fn simulate_all(worlds: &[World], options: &Options) -> Vec<Result<Outcome, Failure>> {
    worlds.par_iter().map(|world| simulate(world, options)).collect()
}

/// A world in which only one of its workflows comes, and what it does takes what it would take there.
#[must_use]
pub fn alone(world: &World, workflow: usize) -> World {
    let mut alone = world.clone();
    alone.only = Some(workflow);
    alone.losses.clear();
    alone
}

/// How long each foreground takes alone, from arrival to end: (workflow, nanoseconds), in the order of the workflows.
/// `options` are those of each of these simulations.
///
/// # Errors
/// Those of a simulation alone.
pub fn alone_ns(world: &World, options: &Options) -> Result<Vec<(usize, u64)>, Failure> {
    let places: Vec<usize> =
        (0..world.workflows.len()).filter(|&w| world.workflows[w].foreground).collect();
    let one = |&w: &usize| Ok((w, simulate(&alone(world, w), options)?.workflows[w].jct_ns()));
    places.par_iter().map(one).collect()
}

/// How many times as long each foreground takes as it does alone: (workflow, slowdown), in the order of the workflows.
///
/// # Errors
/// Those of a simulation alone.
pub fn slowdowns(world: &World, outcome: &Outcome) -> Result<Vec<(usize, f64)>, Failure> {
    let alone = alone_ns(world, &Options::default())?;
    let slowdown = |(w, alone): (usize, u64)| (w, slowdown(outcome.workflows[w].jct_ns(), alone));
    Ok(alone.into_iter().map(slowdown).collect())
}

/// How many times as long as alone; both in nanoseconds.
#[must_use]
pub fn slowdown(jct_ns: u64, alone_ns: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = jct_ns as f64 / alone_ns.max(1) as f64;
    ratio
}
