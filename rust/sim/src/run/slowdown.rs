//! How many times as long workflows take as they do alone.

use rayon::prelude::*;

use crate::run::options::Options;
use crate::run::outcome::{Failure, Outcome};
use crate::run::simulate::simulate;
use crate::world::World;

/// Returns what slowdowns are measured against: the same executors, none of which is lost, on Spark without Holdfast,
/// so that all variants have the same measure. `Options::only` says who has them alone.
#[must_use]
pub fn bare(mut world: World) -> World {
    world.engine = None;
    world.losses.clear();
    world
}

/// Returns a bare world in which only one of its workflows comes; see [`bare`].
#[must_use]
pub fn alone(world: &World, workflow: usize) -> World {
    let mut alone = bare(world.clone());
    alone.only = Some(workflow);
    alone
}

/// Returns the places of workflows whose time is of interest.
#[must_use]
pub fn foregrounds(world: &World) -> Vec<usize> {
    (0..world.workflows.len()).filter(|&w| world.workflows[w].foreground).collect()
}

/// Returns how long a workflow takes alone in a [`bare`] world, from arrival to end, in nanoseconds. `options` are
/// those of that simulation.
///
/// # Errors
/// Those of a simulation.
pub fn alone_ns(bare: &World, workflow: usize, options: &Options) -> Result<u64, Failure> {
    let options = Options { only: Some(workflow), ..*options };
    Ok(simulate(bare, &options)?.workflows[workflow].jct_ns())
}

/// Returns how many times as long each foreground takes as it does alone on Spark: (workflow, slowdown), in the order
/// of the workflows.
///
/// # Errors
/// Those of a simulation alone.
pub fn slowdowns(world: &World, outcome: &Outcome) -> Result<Vec<(usize, f64)>, Failure> {
    let bare = bare(world.clone());
    let one = |&w: &usize| {
        let alone = alone_ns(&bare, w, &Options::default())?;
        Ok((w, slowdown(outcome.workflows[w].jct_ns(), alone)))
    };
    foregrounds(world).par_iter().map(one).collect()
}

/// Returns how many times as long as alone something takes; both in nanoseconds.
#[must_use]
pub fn slowdown(jct_ns: u64, alone_ns: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a ratio")]
    let ratio = jct_ns as f64 / alone_ns.max(1) as f64;
    ratio
}
