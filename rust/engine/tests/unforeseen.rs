//! What a workflow lacks when it becomes wider than anybody knew.

mod common;

use common::{Host, SECOND};
use holdfast_engine::pareto::STRICT;
use holdfast_engine::{Config, Event, ExecutorId, PoolId, ProfileId, Resources, WorkflowId};

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

fn host(priority: i32, parallelism: u32) -> Host {
    let mut host = Host::new(Config::default(), &[2; 4]);
    let (workflow, isolation, pool) = (WorkflowId(REPORT), STRICT, PoolId::ROOT);
    host.say(Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool });
    host
}

#[test]
fn what_others_were_given_meanwhile_is_counted_once() {
    let mut host = host(1, 0);
    assert_eq!(widened(&mut host, 0, 7), 7);
    // No wider than known: nothing new to tell.
    host.end(2);
    host.job(3, REPORT, true, &[(3, 8, 0)]);
    host.set(3, 3, 8);
    assert_eq!(host.engine.accounts()[0].1.unforeseen, 7);
}

#[test]
fn nothing_else_is() {
    let lacked = |priority, parallelism, before, taken| {
        widened(&mut host(priority, parallelism), before, taken)
    };
    assert_eq!(lacked(1, 0, 4, 3), 3, "what others had before was never its own");
    assert_eq!(lacked(1, 0, 0, 5), 0, "there is room");
    assert_eq!(lacked(1, 8, 0, 7), 0, "what is declared is known");
    assert_eq!(lacked(0, 0, 0, 7), 0, "who may not hold loses nothing");
}

/// Ten thousand profiles with demands of their own, each of an executor that comes and goes.
#[test]
fn profiles_of_the_past_are_forgotten() {
    let mut host = host(0, 0);
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
    // The default one, which no executor names here, is still known.
    host.simple(2, 1, 2, 0);
    host.launch(1, 2, 0, 0);
}
