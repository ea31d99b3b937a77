//! The end of a run: of queries in a pool, where the next one may be anybody's.

mod common;

use common::gaps::{MILLI, beside_short_tasks, deadline, job_ended, run_job};
use common::{Host, SECOND, ended, literal};
use holdfast_engine::{Config, Decision, EndCause, Event, Time, Verdict, WorkflowId};

fn run_ended(host: &mut Host) -> Vec<Decision> {
    host.say(Event::RunEnded { workflow: WorkflowId(1) })
}

/// The first run's only job ends at 0 beside short tasks, and the run 10 ms later.
fn after_a_run(linger_query: u64) -> (Host, Vec<Decision>) {
    let mut host = beside_short_tasks(Config { linger_query_ns: linger_query, ..literal() });
    run_job(&mut host, 1);
    host.now += 10 * MILLI;
    let decisions = run_ended(&mut host);
    (host, decisions)
}

#[test]
fn a_job_soon_after_the_end_of_a_run_finds_its_slot() {
    let (mut host, decisions) = after_a_run(500 * MILLI);
    assert_eq!(decisions, []);
    assert_eq!(deadline(&host), Some(510 * MILLI));
    host.now = 509 * MILLI;
    host.job(2, 1, true, &[(2, 1, 0)]);
    assert_eq!(host.engine.holds()[0].deadline, Time(60 * SECOND + 509 * MILLI), "as in any gap");
    host.set(2, 2, 1);
    assert_eq!(host.launch(2, 2, 0, 0), [ended(0, EndCause::Used)]);
}

#[test]
fn later_than_that_after_the_end_of_a_run_nothing_is_held() {
    let (mut host, _) = after_a_run(500 * MILLI);
    assert_eq!(host.at(510 * MILLI - 1), []);
    assert_eq!(host.at(510 * MILLI), [ended(0, EndCause::Expired)]);
    assert_eq!(deadline(&host), None);

    let (mut host, decisions) = after_a_run(0);
    assert_eq!(decisions, [ended(0, EndCause::WorkflowOver)]);
    assert_eq!(deadline(&host), None);
    host.workflow(1, 1);
    run_job(&mut host, 2);
    assert_eq!(host.held(), 1, "the next run holds again");
}

#[test]
fn the_end_of_a_run_makes_no_gap_longer() {
    let (mut host, _) = after_a_run(30 * SECOND);
    assert_eq!(deadline(&host), Some(SECOND));
    host.now = 990 * MILLI;
    run_ended(&mut host);
    assert_eq!(host.at(SECOND), [ended(0, EndCause::Expired)]);
}

#[test]
fn time_between_two_runs_is_no_gap() {
    // The linger after a job that came so many milliseconds after the first.
    let learned = |gap: u64, linger_query: u64| {
        let (mut host, _) = after_a_run(linger_query);
        host.at(gap * MILLI);
        host.workflow(1, 1);
        run_job(&mut host, 2);
        (deadline(&host).expect("a gap") - host.now) / MILLI
    };
    assert_eq!(learned(400, 500 * MILLI), 1_000, "in time: 4 x 400 ms would be more");
    assert_eq!(learned(900, 500 * MILLI), 1_000, "too late");
    assert_eq!(learned(900, 0), 1_000);
}

#[test]
fn the_end_of_a_run_does_nothing_outside_a_gap() {
    let mut host = beside_short_tasks(literal());
    host.job(1, 1, true, &[(1, 1, 1), (2, 1, 0)]);
    host.set(1, 1, 1);
    host.launch(1, 1, 0, 0);
    host.free(1);
    assert_eq!(run_ended(&mut host), []);
    assert_eq!(deadline(&host), Some(60 * SECOND), "a job runs");
    host.end(1);
    host.set(2, 1, 1);
    host.launch(2, 2, 0, 0);
    host.free(2);
    host.end(2);
    job_ended(&mut host, 1);
    assert_eq!(deadline(&host), Some(SECOND), "and lingers as ever");
    host.at(SECOND);
    assert_eq!(run_ended(&mut host), [], "it is over");
    assert_eq!(host.say(Event::RunEnded { workflow: WorkflowId(9) }), [], "nobody knows it");
}

#[test]
fn the_next_run_comes_after_equals_that_have_come_since_the_one_before() {
    // Two slots. The other workflow comes while the first one's run goes on, and holds a slot when that has ended.
    let asked = |run_ends: bool| {
        let mut host = Host::new(literal(), &[2]);
        host.workflow(1, 1);
        run_job(&mut host, 1);
        host.workflow(2, 1);
        host.job(20, 2, true, &[(20, 1, 1), (21, 1, 0)]);
        host.set(20, 20, 1);
        host.launch(20, 20, 0, 0);
        host.free(20);
        assert_eq!(host.held(), 2, "one each");
        if run_ends {
            run_ended(&mut host);
        }
        host.job(2, 1, true, &[(2, 2, 0)]);
        host.set(2, 2, 2);
        host.launch(2, 2, 0, 0);
        host.ask(2, 0, 1) == Verdict::Allow
    };
    assert!(asked(false), "who came first goes first");
    assert!(!asked(true));
}
