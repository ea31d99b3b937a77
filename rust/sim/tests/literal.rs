//! Rounds that look only where something can change launch what rounds do that ask every set about every offer.

mod common;

use holdfast_sim::{Options, Outcome, World, simulate};

const SEEDS: u64 = 400;

fn run(world: &World, literal: bool) -> Outcome {
    let options = Options { placements: true, literal, ..Options::default() };
    let seed = world.seed;
    simulate(world, &options).unwrap_or_else(|why| panic!("seed {seed}, literal {literal}: {why}"))
}

fn compare(world: &World) -> Outcome {
    let (quick, literal) = (run(world, false), run(world, true));
    let pairs = quick.placements.iter().zip(&literal.placements);
    if let Some((number, (quick, literal))) = pairs.enumerate().find(|(_, (a, b))| a != b) {
        panic!("seed {}: launch {number} is\n{quick:?} instead of\n{literal:?}", world.seed);
    }
    assert_eq!(quick.placements.len(), literal.placements.len(), "seed {}", world.seed);
    assert_eq!(quick.workflows, literal.workflows, "seed {}", world.seed);
    quick
}

#[test]
fn without_the_engine() {
    let (mut any, mut near, mut copies) = (0, 0, 0);
    for seed in 1..=SEEDS {
        let outcome = compare(&common::world(seed));
        any += outcome.locality[0].any + outcome.locality[1].any;
        near += outcome.locality[0].process + outcome.locality[1].process;
        copies += outcome.copies.won;
    }
    assert!(any > 0 && near > 0 && copies > 0, "{any} {near} {copies}");
}

#[test]
fn with_the_engine() {
    let (mut vetoes, mut used, mut won) = (0, 0, 0);
    for seed in 1..=SEEDS {
        let outcome = compare(&common::world(seed).with_engine(common::config(seed)));
        let totals = outcome.totals.unwrap();
        vetoes += outcome.asks.1;
        used += totals.used;
        won += totals.copies_won;
    }
    assert!(vetoes > 0 && used > 0 && won > 0, "{vetoes} {used} {won}");
}
