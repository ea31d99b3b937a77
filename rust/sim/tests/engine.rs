//! What the engine is told, and what follows: logs, replay, invariants, and that a policy that is off changes nothing.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod common;
mod invariants;

use holdfast_engine::{Config, Policy};
use holdfast_log::Reader;
use holdfast_sim::batch::simulate_all;
use holdfast_sim::{Options, Outcome, World, simulate};

const SEEDS: u64 = 150;

fn run(world: &World) -> Outcome {
    let options =
        Options { placements: true, log: true, most_ns: common::DAY, ..Options::default() };
    simulate(world, &options).unwrap_or_else(|why| panic!("seed {}: {why}", world.seed))
}

#[test]
fn a_log_is_replayed_with_the_same_decisions() {
    for seed in 1..=SEEDS {
        let outcome = run(&common::world(seed).with_engine(common::config(seed)));
        let log = outcome.log.unwrap();
        let replayed = holdfast_log::replay(&mut Reader::new(&log[..]).unwrap());
        assert!(replayed.difference.is_none(), "seed {seed}: {:?}", replayed.difference);
        assert!(replayed.ended);
        assert_eq!((replayed.events, replayed.decisions), (outcome.steps, outcome.decisions));
        assert_eq!(replayed.left, 0);
    }
}

/// R1 to R11, R16, R17, R19, R20, after every step, by the naive twin.
#[test]
fn all_invariants_hold_in_every_step() {
    for seed in 1..=SEEDS {
        let world = common::world(seed).with_engine(common::config(seed));
        invariants::check(&world, &run(&world));
    }
}

/// R18.
#[test]
fn with_every_policy_off_launches_are_those_without_the_engine() {
    for seed in 1..=SEEDS {
        let mut world = common::world(seed);
        // Priorities sort task sets, whatever the policy.
        world.workflows.iter_mut().for_each(|w| w.priority = 0);
        world.changes.clear();
        let off = Config { policy: Policy::Stock, ..common::config(seed) };
        let with = run(&world.clone().with_engine(off));
        assert_eq!(with.totals.unwrap().made, 0);
        let without = run(&world);
        assert!(with.placements == without.placements, "seed {seed}");
        // An executor that joins is a reason to offer everything again, which Spark alone does not do.
        if world.losses.is_empty() {
            let idle = run(&world.clone().with_engine(Config::default()));
            assert!(idle.placements == without.placements, "seed {seed}");
        }
    }
}

/// R15.
#[test]
fn equal_worlds_give_equal_bytes() {
    for seed in 1..=SEEDS / 3 {
        let world = common::world(seed).with_engine(common::config(seed));
        let (a, b) = (run(&world), run(&world));
        assert_eq!(a.log, b.log);
        assert!(a == b, "seed {seed}");
        let json = serde_json::to_string(&world).unwrap();
        let read: World = serde_json::from_str(&json).unwrap();
        assert!(run(&read) == a, "seed {seed}");
    }
}

/// R15, whatever the number of threads.
#[test]
fn outcomes_do_not_depend_on_threads() {
    let with_engine = |seed| common::world(seed).with_engine(common::config(seed));
    let worlds: Vec<World> = (1..=40).map(with_engine).collect();
    let options =
        Options { placements: true, log: true, most_ns: common::DAY, ..Options::default() };
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| simulate_all(worlds.len(), |place| worlds[place].clone(), &options))
    };
    let (one, four) = (on(1), on(4));
    assert!(one == four);
    assert!(one.into_iter().all(|outcome| outcome.is_ok()));
}
