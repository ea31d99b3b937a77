//! A simulation says how far it is, and is ended from outside.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use holdfast_sim::paper::{Setting, Variant, world};
use holdfast_sim::{Failure, Options, Progress, World, simulate};

/// So many events are between two looks.
const LOOK_EVERY: u64 = 1 << 16;

/// Some 170,000 events.
fn long() -> World {
    Variant::Lookahead.of(&world(&Setting { nodes: 80, ..Setting::default() }))
}

#[test]
fn an_interrupt_ends_it_at_the_next_look() {
    let (interrupt, looks) = (AtomicBool::new(false), Mutex::new(Vec::new()));
    let progress = |at: Progress| {
        looks.lock().unwrap().push(at.events);
        // Whoever hears of the second look ends it there.
        interrupt.store(at.events == 2 * LOOK_EVERY, Ordering::Relaxed);
    };
    let options =
        Options { progress: Some(&progress), interrupt: Some(&interrupt), ..Options::default() };
    assert_eq!(simulate(&long(), &options), Err(Failure::Interrupted));
    assert_eq!(looks.into_inner().unwrap(), [LOOK_EVERY, 2 * LOOK_EVERY]);
}

#[test]
fn who_is_interrupted_before_has_no_outcome() {
    let interrupt = AtomicBool::new(true);
    let options = Options { interrupt: Some(&interrupt), ..Options::default() };
    assert_eq!(simulate(&long(), &options), Err(Failure::Interrupted));
}

#[test]
fn progress_is_told_in_order_and_changes_nothing() {
    let looks = Mutex::new(Vec::new());
    let progress = |at: Progress| looks.lock().unwrap().push(at);
    let options = Options { progress: Some(&progress), ..Options::default() };
    let world = long();
    let outcome = simulate(&world, &options).unwrap();
    assert!(outcome == simulate(&world, &Options::default()).unwrap());
    let looks = looks.into_inner().unwrap();
    assert_eq!(looks.len() as u64, outcome.events / LOOK_EVERY);
    assert!(looks.len() >= 2);
    for (number, at) in (1..).zip(&looks) {
        assert_eq!(at.events, number * LOOK_EVERY);
        assert!(at.now_ns <= outcome.end_ns && at.open > 0);
    }
    assert!(looks.is_sorted_by_key(|at| at.now_ns));
}
