//! What a workflow lacks when it becomes wider than anybody knew.

mod common;

use common::{Host, P, SECOND};
use holdfast_engine::{Config, Event, ExecutorId, ProfileId, Resources, WorkflowId};

const REPORT: u32 = 1;

/// Four executors of two slots. A job of one task, of a program that goes on, runs for a second; after it has begun a
/// crowd takes `taken` of the other slots. Then a job of eight tasks comes.
fn widened(host: &mut Host, before: u32, taken: u32) -> u64 {
    host.simple(9, 0, 8, 0);
    (0..before).for_each(|task| drop(host.launch(900 + task, 9, task, task / 2)));
    host.job(1, REPORT, true, &[(1, 1, 0)]);
    host.set(1, 1, 1);
    host.launch(1, 1, 0, 3);
    host.at(SECOND);
    (before..before + taken).for_each(|task| drop(host.launch(900 + task, 9, task, task / 2)));
    host.free(1);
    host.end(1);
    host.job(2, REPORT, true, &[(2, 8, 0)]);
    host.set(2, 2, 8);
    let accounts = host.engine.accounts();
    let own = accounts.iter().find(|(id, _)| *id == Some(WorkflowId(REPORT)));
    own.map_or(0, |(_, account)| account.unforeseen)
}

fn host() -> Host {
    Host::new(Config::default(), &[2; 4])
}

#[test]
fn what_others_were_given_meanwhile_is_counted() {
    let mut host = host();
    host.workflow(REPORT, 1);
    assert_eq!(widened(&mut host, 0, 7), 7);
    // No wider than known: nothing new to tell.
    host.end(2);
    host.job(3, REPORT, true, &[(3, 8, 0)]);
    host.set(3, 3, 8);
    assert_eq!(host.engine.accounts()[0].1.unforeseen, 7);
}

#[test]
fn what_others_had_before_was_never_its_own() {
    let mut host = host();
    host.workflow(REPORT, 1);
    assert_eq!(widened(&mut host, 4, 3), 3);
}

#[test]
fn with_room_it_lacks_nothing() {
    let mut host = host();
    host.workflow(REPORT, 1);
    assert_eq!(widened(&mut host, 0, 5), 0);
}

#[test]
fn declared_is_known() {
    let mut host = host();
    host.declared(REPORT, 8);
    assert_eq!(widened(&mut host, 0, 7), 0);
}

#[test]
fn who_may_not_hold_is_told_nothing() {
    let mut host = host();
    host.workflow(REPORT, 0);
    assert_eq!(widened(&mut host, 0, 7), 0);
}

/// Ten thousand profiles with demands of their own, each of an executor that comes and goes.
#[test]
fn profiles_of_the_past_are_forgotten() {
    let mut host = host();
    let define = |host: &mut Host, n: u32| {
        let profile = ProfileId(n);
        host.say(Event::ProfileDefined {
            profile,
            runs_on: profile,
            demand: Resources::cpu(1_000 + n),
        });
        let executor = ExecutorId(100 + n % 3);
        host.say(Event::ExecutorLost { executor });
        let capacity = Resources::cpu(4_000);
        host.say(Event::ExecutorAdded { executor, profile, capacity });
    };
    (1..500).for_each(|n| define(&mut host, n));
    let rest = allocation_counter::measure(|| (500..10_000).for_each(|n| define(&mut host, n)));
    assert!(rest.bytes_current < 2_000, "{} bytes", rest.bytes_current);
    // Those that are in use are still known.
    host.simple(1, 1, 2, 0);
    assert_eq!(host.engine.next_deadline(), None);
    host.say(Event::ProfileDefined { profile: P, runs_on: P, demand: Resources::cpu(1_000) });
    host.launch(1, 1, 0, 0);
}
