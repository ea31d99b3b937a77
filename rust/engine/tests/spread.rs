//! Spread (docs/adr/0007): what fills the cache is balanced, but only where somebody has to wait.

mod common;

use common::{Host, P, SECOND};
use holdfast_engine::{
    Config, Decision, Event, JobId, SetId, StageId, StageKind, Verdict, VetoReason,
};

const FAIR: Verdict = Verdict::Veto(VetoReason::Spread);

/// Two executors of two slots, `busy` of executor 1 by workflow 9; workflow 1 submits a set of four tasks, of which
/// two run on executor 0. The first ends after two seconds.
fn two_by_two(config: Config, priority: i32, busy: u32, fills_cache: bool) -> Host {
    let mut host = Host::new(config, &[2, 2]);
    host.simple(9, 0, 4, 0);
    for task in 0..busy {
        host.launch(90 + task, 9, task, 1);
    }
    host.workflow(1, priority);
    host.job(1, 1, true, &[]);
    let (set, job, stage) = (SetId(1), JobId(1), StageId(1));
    host.say(Event::SetSubmitted {
        set,
        job,
        stage,
        tasks: 4,
        profile: P,
        fills_cache,
        kind: StageKind::Result,
    });
    host.launch(1, 1, 0, 0);
    host.launch(2, 1, 1, 0);
    host.now = 2 * SECOND;
    host.free(1);
    host
}

#[test]
fn an_executor_gets_its_share_of_a_set_that_fills_the_cache_while_somebody_else_runs() {
    let host = two_by_two(Config::default(), 1, 2, true);
    assert_eq!(host.ask(1, 0, 1), FAIR, "two of four tasks ran on half of the slots");
    assert_eq!(host.ask(1, 1, 1), Verdict::Allow, "its share of the other one is still open");
}

#[test]
fn nothing_is_spread_that_does_not_fill_the_cache_or_may_not_hold_or_is_alone_or_by_switch() {
    let off = Config { spread: false, ..Config::default() };
    for (config, priority, busy, fills_cache) in [
        (Config::default(), 1, 2, false),
        (Config::default(), 0, 2, true),
        (Config::default(), 1, 0, true),
        (off, 1, 2, true),
    ] {
        let host = two_by_two(config, priority, busy, fills_cache);
        assert_ne!(host.ask(1, 0, 1), FAIR, "priority {priority}, {busy} busy, {fills_cache}");
        let only_holds = host.held() > 0;
        assert_eq!(host.engine.restricts(), only_holds);
    }
}

#[test]
fn r5_spreading_ends_with_its_time_and_says_so() {
    let mut host = two_by_two(Config::default(), 1, 2, true);
    assert!(!host.at(5 * SECOND - 1).contains(&Decision::Reoffer));
    assert_eq!(host.ask(1, 0, 1), FAIR);
    assert!(host.at(5 * SECOND).contains(&Decision::Reoffer));
    assert_ne!(host.ask(1, 0, 1), FAIR);
}

#[test]
fn only_the_first_set_that_fills_the_cache_is_spread() {
    let mut host = two_by_two(Config::default(), 1, 2, true);
    let (set, job, stage) = (SetId(2), JobId(1), StageId(2));
    host.say(Event::SetSubmitted {
        set,
        job,
        stage,
        tasks: 1,
        profile: P,
        fills_cache: true,
        kind: StageKind::Result,
    });
    host.launch(5, 2, 0, 0);
    host.free(5);
    assert_ne!(host.ask(2, 0, 1), FAIR, "its share of executor 0 is one task");
    assert_eq!(host.ask(1, 0, 1), FAIR);
}

#[test]
fn r5_short_tasks_do_not_wait_long_for_the_rest() {
    let mut host = two_by_two(Config::default(), 1, 2, true);
    host.launch(3, 1, 2, 1);
    host.now += SECOND / 10;
    host.free(3);
    assert_eq!(host.ask(1, 0, 1), FAIR);
    assert_eq!(host.engine.next_deadline().map(|time| time.0), Some(2 * SECOND + SECOND / 2));
    assert!(host.at(2 * SECOND + SECOND / 2).contains(&Decision::Reoffer));
    assert_ne!(host.ask(1, 0, 1), FAIR);
}

#[test]
fn r5_spreading_ends_when_the_workflow_owns_what_it_needs_and_says_so() {
    let mut host = two_by_two(Config::default(), 1, 2, true);
    host.launch(3, 1, 2, 1);
    assert_eq!(host.ask(1, 0, 1), FAIR, "it runs two tasks of four and holds one slot");
    assert!(host.launch(4, 1, 3, 1).contains(&Decision::Reoffer));
    assert_ne!(host.ask(1, 0, 1), FAIR);
}

#[test]
fn r5_spreading_ends_when_nobody_else_runs_any_more_and_says_so() {
    let mut host = two_by_two(Config::default(), 1, 2, true);
    assert!(!host.free(90).contains(&Decision::Reoffer), "one task of the other still runs");
    assert_eq!(host.ask(1, 0, 1), FAIR);
    assert!(host.free(91).contains(&Decision::Reoffer));
    assert_ne!(host.ask(1, 0, 1), FAIR, "no slot is left to wait for");
}
