//! Copies of stragglers on own held slots (SSR-10; ICDCS'17, section IV-C, docs/adr/0013).

mod common;

use common::{Host, SECOND, ended};
use holdfast_engine::{
    Config, Copies, Decision, EndCause, Event, ExecutorId, Outcome, SetId, StageKind,
};

/// As in the paper: any running task may be copied at once.
fn at_once() -> Config {
    Config { copy_age_ns: 0, copy_age_factor: 0, ..Config::default() }
}

/// Four tasks on two executors of two slots, launched at time 0; a stage of four follows.
fn four(config: Config, kind: StageKind) -> Host {
    let mut host = Host::new(config, &[2, 2]);
    host.workflow(1, 1);
    host.job(1, 1, false, &[(1, 4, 4), (2, 4, 0)]);
    host.set_of(kind, 1, 1, 4);
    for task in 0..4 {
        host.launch(task, 1, task, task / 2);
    }
    host
}

fn copy(host: &Host, executor: u32) -> Option<u32> {
    host.engine.copy(SetId(1), ExecutorId(executor)).expect("both are known")
}

fn wants(host: &Host) -> bool {
    host.engine.wants_copies(SetId(1)).expect("the set is known")
}

fn offers(decisions: &[Decision]) -> bool {
    decisions.contains(&Decision::Reoffer)
}

/// Tasks 0 and 2 end after a second, so that each executor has a held slot.
fn two_ended(config: Config, kind: StageKind) -> (Host, Vec<Decision>) {
    let mut host = four(config, kind);
    host.now = SECOND;
    host.free(0);
    let decisions = host.free(2);
    (host, decisions)
}

#[test]
fn ssr_10_copies_start_when_no_more_tasks_run_than_slots_are_held() {
    let mut host = four(at_once(), StageKind::ShuffleMap);
    host.now = SECOND;
    assert!(!offers(&host.free(0)), "three run, one slot is held");
    assert_eq!((copy(&host, 0), copy(&host, 1), wants(&host)), (None, None, false));
    assert!(offers(&host.free(2)), "two run, two are held");
    assert_eq!((copy(&host, 0), copy(&host, 1), wants(&host)), (Some(3), Some(1), true));
    host.launch(10, 1, 3, 0);
    assert_eq!((copy(&host, 0), copy(&host, 1)), (None, Some(1)), "the second one all the same");
    host.launch(11, 1, 1, 1);
    assert_eq!((host.held(), wants(&host)), (0, false), "Fig. 9: two copies, no more");
    assert_eq!(host.engine.totals().copies, 2);
}

#[test]
fn ssr_10_the_losers_slot_is_held_again() {
    let (mut host, _) = two_ended(at_once(), StageKind::ShuffleMap);
    host.launch(10, 1, 3, 0);
    assert!(common::holds(&host.free(10)), "the copy has won");
    assert!(common::holds(&host.fail(3)), "the original was killed");
    assert_eq!(host.held(), 3);
    assert_eq!((host.engine.totals().copies, host.engine.totals().copies_won), (1, 1));
    host.launch(11, 1, 1, 1);
    host.free(1);
    host.fail(11);
    assert_eq!((host.engine.totals().copies, host.engine.totals().copies_won), (2, 1));
    assert_eq!(host.held(), 4);
}

#[test]
fn ssr_10_young_tasks_are_not_copied_and_the_engine_calls_when_they_are_of_age() {
    let (mut host, decisions) = two_ended(Config::default(), StageKind::ShuffleMap);
    assert!(!offers(&decisions) && !wants(&host), "they run as long as the others ran");
    assert_eq!(host.engine.next_deadline().map(|time| time.0), Some(2 * SECOND));
    assert!(!offers(&host.at(2 * SECOND - 1)));
    assert!(offers(&host.at(2 * SECOND)), "twice the median");
    assert_eq!((copy(&host, 0), copy(&host, 1)), (Some(3), Some(1)));
    assert!(!offers(&host.at(2 * SECOND + 1)), "said once");
}

#[test]
fn ssr_10_nothing_is_copied_before_a_tenth_of_a_second() {
    let mut host = four(Config::default(), StageKind::ShuffleMap);
    host.now = SECOND / 1_000;
    host.free(0);
    host.free(2);
    assert_eq!(host.engine.next_deadline().map(|time| time.0), Some(SECOND / 10));
    assert!(offers(&host.at(SECOND / 10)));
}

#[test]
fn r10_never_beside_the_original() {
    let mut host = four(at_once(), StageKind::ShuffleMap);
    host.now = SECOND;
    host.free(0);
    host.free(1);
    assert_eq!((copy(&host, 0), copy(&host, 1)), (Some(2), None), "both slots held are on 0");
    host.launch(10, 1, 2, 0);
    assert_eq!(copy(&host, 0), Some(3));
}

#[test]
fn r10_only_on_own_holds() {
    let (mut host, _) = two_ended(at_once(), StageKind::ShuffleMap);
    host.workflow(9, 9);
    host.job(9, 9, false, &[]);
    host.set(9, 9, 1);
    assert!(host.launch(90, 9, 0, 0).contains(&ended(0, EndCause::Overridden)));
    assert_eq!((copy(&host, 0), copy(&host, 1)), (None, None), "two run, one slot is held");
}

#[test]
fn a_task_that_has_failed_is_not_copied_and_none_twice() {
    let mut host = four(at_once(), StageKind::ShuffleMap);
    host.now = SECOND;
    host.say(Event::SlotFreed { attempt: holdfast_engine::AttemptId(3), outcome: Outcome::Failed });
    host.launch(4, 1, 3, 1);
    host.free(0);
    host.free(1);
    assert_eq!((copy(&host, 0), copy(&host, 1)), (Some(2), None), "task 3 has failed");
    host.launch(10, 1, 2, 0);
    host.fail(10);
    assert_eq!((copy(&host, 0), wants(&host)), (None, false), "task 2 has had its copy");
}

#[test]
fn while_a_task_waits_nothing_is_copied() {
    let (mut host, _) = two_ended(at_once(), StageKind::ShuffleMap);
    host.fail(3);
    assert_eq!((copy(&host, 0), copy(&host, 1), wants(&host)), (None, None, false));
}

#[test]
fn by_default_only_shuffle_output_is_made_twice_and_barrier_tasks_never() {
    let all = Config { copies: Copies::All, ..at_once() };
    let off = Config { copies: Copies::Off, ..at_once() };
    for (config, kind, wanted) in [
        (at_once(), StageKind::ShuffleMap, true),
        (at_once(), StageKind::Result, false),
        (at_once(), StageKind::Barrier, false),
        (all.clone(), StageKind::Result, true),
        (all, StageKind::Barrier, false),
        (off, StageKind::ShuffleMap, false),
    ] {
        let (host, decisions) = two_ended(config.clone(), kind);
        assert_eq!(wants(&host), wanted, "{:?} {kind:?}", config.copies);
        assert_eq!(offers(&decisions), wanted);
    }
}
