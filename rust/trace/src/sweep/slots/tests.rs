//! Slots by themselves.

use super::*;

fn added(executor: u32, cores: u32) -> ExecutorAdded {
    let (host, resources) = (String::new(), Default::default());
    ExecutorAdded { executor, host, cores, resources, profile: 0 }
}

fn resources(pairs: &[(&str, f64)]) -> Resources {
    pairs.iter().map(|(name, amount)| ((*name).to_owned(), *amount)).collect()
}

#[test]
fn the_scarcest_resource_says_how_many_tasks_fit() {
    let mut slots = Slots::default();
    slots.add_profile(0, resources(&[("gpu", 1.0)]), resources(&[("cpus", 1.0), ("gpu", 0.25)]));
    slots.add(&added(1, 16));
    assert_eq!(slots.room(0), Room { all: 4, busy: 0, free: 4 });
    slots.add_profile(1, resources(&[]), resources(&[("cpus", 3.0)]));
    slots.add(&ExecutorAdded { profile: 1, ..added(2, 16) });
    assert_eq!(slots.room(1).all, 5);
    assert_eq!(slots.room(7), slots.room(0), "a profile of tasks only");
    slots.remove(2);
    assert_eq!((slots.total().all, slots.most, slots.executors_added), (4, 9, 2));
}

#[test]
fn without_a_profile_the_configuration_counts() {
    let mut slots = Slots::default();
    slots.configure(&Settings { task_cpus: 2.0, ..Settings::default() });
    slots.add(&added(1, 8));
    assert_eq!(slots.room(0).all, 4);
}

#[test]
fn a_task_avoids_slots_that_others_want_back() {
    let (me, other) = (Some(RunId(1)), Some(RunId(2)));
    let mut slots = Slots::default();
    slots.add(&added(1, 2));
    let mine = slots.take(1, me, 0).unwrap().slot;
    assert_eq!(slots.leave(mine), Some(vec![]));
    assert!(slots.claim(mine, RunId(1)));
    assert!(!slots.claim(mine, RunId(1)), "known already");
    assert_eq!(slots.take(1, other, 1).unwrap().from, []);
    let second = slots.take(1, other, 2).unwrap();
    assert_eq!((second.slot, second.from), (mine, vec![RunId(1)]));
    assert_eq!(slots.room(0), Room { all: 2, busy: 2, free: 0 });
    assert_eq!(slots.leave(mine), Some(vec![RunId(1)]));
    assert!(slots.take(1, me, 3).unwrap().own, "the claim stood");
}

#[test]
fn a_task_that_is_launched_before_the_last_one_has_ended_gets_its_slot() {
    let (me, other) = (Some(RunId(1)), Some(RunId(2)));
    let mut slots = Slots::default();
    slots.add(&added(1, 1));
    let mine = slots.take(1, me, 0).unwrap().slot;
    assert_eq!(slots.take(1, other, 1), None);
    assert_eq!((slots.room(0), slots.most), (Room { all: 1, busy: 2, free: 0 }, 1));
    assert_eq!(slots.next(1), None);
    slots.leave(mine);
    slots.claim(mine, RunId(1));
    assert_eq!(slots.next(1), Some(1));
    let taken = slots.place(1, other);
    assert_eq!((taken.slot, taken.from), (mine, vec![RunId(1)]));
    assert_eq!(slots.room(0), Room { all: 1, busy: 1, free: 0 });
    assert_eq!(slots.take(1, other, 2), None);
    slots.leave_early(1, 2);
    slots.leave_early(1, 2);
    assert_eq!(slots.room(0).busy, 1);
}

#[test]
fn an_executor_that_nobody_announced_is_as_large_as_what_it_runs() {
    let mut slots = Slots::default();
    let taken = slots.take(9, None, 0).unwrap();
    assert_eq!(slots.room(0), Room { all: 1, busy: 1, free: 0 });
    assert_eq!(slots.user(taken.slot), Some(None));
    slots.leave(taken.slot);
    assert_eq!(slots.leave(taken.slot), None, "left already");
    assert_eq!(slots.room(0), Room { all: 1, busy: 0, free: 1 });
}

#[test]
fn an_executor_that_is_idle_for_too_long_has_nothing_free_until_it_runs_again() {
    let mut slots = Slots::default();
    slots.configure(&Settings { idle_timeout: Some(10_000), ..Settings::default() });
    slots.tick(1_000);
    slots.add(&added(1, 2));
    let task = slots.take(1, None, 0).unwrap().slot;
    slots.tick(5_000);
    slots.leave(task);
    assert_eq!(slots.next_given_back(14_999), None);
    assert_eq!(slots.next_given_back(20_000), Some((15_000, 1)));
    slots.give_back(1);
    assert_eq!(slots.room(0), Room { all: 2, busy: 0, free: 0 });
    assert_eq!(slots.next_given_back(90_000), None);
    slots.take(1, None, 1).unwrap();
    assert_eq!(slots.room(0), Room { all: 2, busy: 1, free: 1 });
}

#[test]
fn an_excluded_executor_has_nothing_free_and_a_removed_one_names_its_claims() {
    let mut slots = Slots::default();
    slots.add(&added(1, 2));
    let mine = slots.take(1, Some(RunId(1)), 0).unwrap().slot;
    slots.leave(mine);
    slots.claim(mine, RunId(1));
    slots.exclude(Place::Executor(1), true);
    assert_eq!(slots.room(0), Room { all: 2, busy: 0, free: 0 });
    slots.exclude(Place::Executor(1), false);
    assert_eq!(slots.room(0).free, 2);
    assert_eq!(slots.remove(1), [(RunId(1), mine, false)]);
    assert_eq!(slots.leave(mine), None);
}
