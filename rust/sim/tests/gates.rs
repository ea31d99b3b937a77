//! A gate that the simulator has never heard of: it refuses every second ask of pools of one weight, and a tick wakes it.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod common;

use holdfast_sim::{Options, Outcome, World, simulate};

/// The weight of the pools that the engine's gate for tests guards.
const GUARDED: u32 = 77_777;

/// The fair worlds of these seeds, with every pool of this weight.
fn worlds(weight: u32) -> impl Iterator<Item = World> {
    let worlds = (1..=150).map(|seed| common::world(seed).with_engine(common::config(seed)));
    worlds.filter(|world| world.spark.fair && !world.pools.is_empty()).map(move |mut world| {
        world.pools.iter_mut().for_each(|pool| pool.weight = weight);
        world
    })
}

fn run(world: &World, exhaustive: bool) -> Outcome {
    let options =
        Options { placements: true, exhaustive, most_ns: common::DAY, ..Options::default() };
    simulate(world, &options).unwrap_or_else(|why| panic!("seed {}: {why}", world.seed))
}

#[test]
fn rounds_that_look_only_where_something_can_change_find_it() {
    let (mut guarded, mut free) = (0, 0);
    for (world, other) in worlds(GUARDED).zip(worlds(1)) {
        let (quick, exhaustive) = (run(&world, false), run(&world, true));
        assert_eq!(quick.placements, exhaustive.placements, "seed {}", world.seed);
        assert_eq!(quick.workflows, exhaustive.workflows, "seed {}", world.seed);
        guarded += exhaustive.asks.1;
        free += run(&other, true).asks.1;
    }
    assert!(guarded > 2 * free && free > 0, "{guarded} vetoes with the gate, {free} without");
}
