//! The harness is tested: known bugs, put back by hand, must each be caught.

#![allow(clippy::print_stdout, reason = "which history caught what, with --nocapture")]

use holdfast_engine::{Config, Engine};
use holdfast_reference::history::{Checks, Failure, Reached, play};
use holdfast_reference::{Bug, Reference};
use rayon::prelude::*;

/// Histories within which every bug has to be found.
const WITHIN: u64 = 10_000;

/// The first history that catches the bug, and how.
fn caught(bug: Bug, checks: Checks) -> Option<(u64, Failure)> {
    let models =
        |config: &Config| (Reference::with_bug(config.clone(), bug), Engine::new(config.clone()));
    (1..=WITHIN).find_map(|seed| {
        let played = play(seed, checks, &mut Reached::default(), models);
        played.failure.map(|failure| (seed, failure))
    })
}

fn survivors(bugs: &[Bug], checks: Checks) -> Vec<Bug> {
    let survives = |bug: &&Bug| match caught(**bug, checks) {
        Some((seed, failure)) => {
            println!("{bug:?}: {:?}, history {seed}", failure.rule);
            false
        }
        None => true,
    };
    bugs.par_iter().filter(survives).copied().collect()
}

#[test]
fn comparison_catches_every_bug() {
    let survivors = survivors(Bug::ALL, Checks { compare: true, invariants: false });
    assert!(survivors.is_empty(), "nobody notices {survivors:?}");
}

#[test]
fn invariants_alone_catch_what_breaks_them() {
    let breaking = Bug::ALL.iter().copied().filter(|bug| bug.breaks_an_invariant());
    let breaking: Vec<Bug> = breaking.collect();
    assert_eq!(breaking.len(), 25, "as many as break one today");
    let survivors = survivors(&breaking, Checks { compare: false, invariants: true });
    assert!(survivors.is_empty(), "no invariant notices {survivors:?}");
}
