//! The worked examples of GRASS (NSDI'14, introduction, Fig. 1 and 2), played on the engine: what a slot is used for, by
//! which rule, and how many tasks are done when.
#![allow(clippy::unwrap_used, reason = "tests")]

use holdfast_engine::{Bound, Choice, Stragglers};
use holdfast_sim::grass::examples::{Outcomes, Play, fig_1, fig_2};

#[test]
fn fig_1_a_copy_costs_gs_a_task_and_wins_ras_one() {
    assert_eq!(fig_1(Stragglers::Gs, 6).unwrap().done.len(), 7);
    let Outcomes { done, copies } = fig_1(Stragglers::Ras, 6).unwrap();
    assert_eq!((done.len(), copies[0]), (8, 0), "RAS copies T1, which saves 5 - 2 x 2 = 1");
}

#[test]
fn fig_1_with_a_tight_deadline_gs_does_more() {
    let Outcomes { done, copies } = fig_1(Stragglers::Gs, 3).unwrap();
    assert_eq!((done.len(), copies), (3, vec![]));
    assert_eq!(fig_1(Stragglers::Ras, 3).unwrap().done.len(), 2);
}

#[test]
fn fig_2_gs_is_sooner_near_the_bound_and_ras_far_from_it() {
    let last = |rule, wanted: u32| {
        let outcomes = fig_2(rule, wanted).unwrap();
        assert_eq!(outcomes.done.len(), wanted as usize);
        outcomes.done[outcomes.done.len() - 1]
    };
    assert_eq!(last(Stragglers::Gs, 3), 9);
    assert_eq!(fig_2(Stragglers::Gs, 3).unwrap().copies[0], 2, "GS copies T3, which takes longest");
    assert_eq!(last(Stragglers::Ras, 3), 10);
    assert_eq!(last(Stragglers::Gs, 4), 12);
    assert_eq!(last(Stragglers::Ras, 4), 11);
}

/// A straggler has 5 left, a copy would take 4, and another task takes 5.
#[test]
fn the_introductions_straggler_is_copied_by_gs_and_not_by_ras() {
    for (rule, copied) in [(Stragglers::Gs, true), (Stragglers::Ras, false)] {
        let bound = (Bound::Deadline, 100_000);
        let tasks = [(4, Some(9)), (4, Some(4)), (5, None)];
        let mut play = Play::new(rule, bound, &tasks).unwrap();
        let slots = play.end_next().unwrap();
        assert_eq!(play.choice(slots[0]).unwrap() == Choice::Copy(0), copied, "{rule:?}");
    }
}

/// A host that learns what a new attempt would take says so: the pace of the others stays what it was.
#[test]
fn a_task_that_runs_may_get_another_size() {
    let bound = (Bound::Error, 0);
    let tasks = [(5, Some(5)), (5, Some(12)), (5, Some(9))];
    let mut play = Play::new(Stragglers::Gs, bound, &tasks).unwrap();
    let slot = play.end_next().unwrap()[0];
    assert_eq!(play.choice(slot).unwrap(), Choice::Copy(1), "7 are left, and a copy takes 5");
    play.resize(1, 10).unwrap();
    assert_eq!(play.choice(slot).unwrap(), Choice::Nothing, "a copy would take 10");
    play.end_next().unwrap();
    play.resize(1, 2).unwrap();
    assert_eq!(play.choice(slot).unwrap(), Choice::Copy(1), "3 are left, and a copy takes 2");
}
