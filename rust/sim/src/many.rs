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

/// The places of workflows whose time is of interest.
#[must_use]
pub fn foregrounds(world: &World) -> Vec<usize> {
    (0..world.workflows.len()).filter(|&w| world.workflows[w].foreground).collect()
}

/// How long a workflow takes alone, from arrival to end, in nanoseconds. `options` are those of that simulation.
///
/// # Errors
/// Those of a simulation.
pub fn alone_ns(world: &World, workflow: usize, options: &Options) -> Result<u64, Failure> {
    Ok(simulate(&alone(world, workflow), options)?.workflows[workflow].jct_ns())
}

/// How many times as long each foreground takes as it does alone: (workflow, slowdown), in the order of the workflows.
///
/// # Errors
/// Those of a simulation alone.
pub fn slowdowns(world: &World, outcome: &Outcome) -> Result<Vec<(usize, f64)>, Failure> {
    let one = |&w: &usize| {
        let alone = alone_ns(world, w, &Options::default())?;
        Ok((w, slowdown(outcome.workflows[w].jct_ns(), alone)))
    };
    foregrounds(world).par_iter().map(one).collect()
}

/// How many times as long as alone; both in nanoseconds.
#[must_use]
pub fn slowdown(jct_ns: u64, alone_ns: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = jct_ns as f64 / alone_ns.max(1) as f64;
    ratio
}
