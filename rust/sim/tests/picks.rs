//! A pick that the simulator has never heard of: the largest pending task is next, and what has run for a millisecond gets
//! a copy.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod hand;
mod invariants;

use hand::{constant, one_job, world};
use holdfast_engine::{Config, Copies, Stragglers};
use holdfast_sim::world::{ProgressSpec, StageSpec};
use holdfast_sim::{Options, Outcome, World, simulate};

/// Three tasks of 3, 1 and 2 units, a second each, on four executors of one slot.
fn run(explore_seed: u32) -> Outcome {
    let stage = StageSpec { sizes: vec![3_000, 1_000, 2_000], ..constant(3, 1_000) };
    let mut world: World = world(4, 1, vec![one_job(0, 0, vec![stage])]);
    world.spark.progress = Some(ProgressSpec::default());
    let (stragglers, copies) = (Stragglers::Off, Copies::All);
    let world = world.with_engine(Config { stragglers, copies, explore_seed, ..Config::default() });
    simulate(&world, &Options { placements: true, ..Options::default() }).unwrap()
}

#[test]
fn it_says_which_task_is_next_and_its_copies_run() {
    let launched = |outcome: &Outcome| -> Vec<(u32, u64)> {
        outcome.placements.iter().map(|l| (l.partition, l.at_ns / 1_000_000)).collect()
    };
    let (usual, backwards) = (run(1), run(77_777));
    assert_eq!((launched(&usual), usual.copies.launched), (vec![(0, 0), (1, 0), (2, 0)], 0));
    // The largest first. The fourth slot runs a copy once the first task is a millisecond old, the next free one another.
    let expected = [(0, 0), (2, 0), (1, 0), (0, 1), (2, 1_000)];
    assert_eq!((launched(&backwards), backwards.copies.launched), (expected.to_vec(), 2));
}
