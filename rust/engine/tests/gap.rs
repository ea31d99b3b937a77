//! Between two jobs: the linger, what it learns, the cap, and the stall rule.

mod common;

use common::gaps::{
    MILLI, a_task_of_others, beside_short_tasks, deadline, job_ended, one_slot, run_job,
};
use common::{Host, SECOND, ended, holds, literal};
use holdfast_engine::{Config, Decision, EndCause, Event, JobId, Time, WorkflowId};

#[test]
fn holds_survive_into_the_gap_and_end_with_it() {
    let mut host = beside_short_tasks(literal());
    run_job(&mut host, 1);
    assert_eq!(host.held(), 1);
    assert!(host.engine.workflows()[0].in_gap);
    assert_eq!(deadline(&host), Some(SECOND));
    assert_eq!(host.at(SECOND - 1), []);
    assert_eq!(host.at(SECOND), [ended(0, EndCause::Expired)]);
    assert_eq!(deadline(&host), None);
}

#[test]
fn the_next_job_finds_its_slot() {
    let mut host = one_slot(literal());
    run_job(&mut host, 1);
    host.now = 900 * MILLI;
    host.job(2, 1, true, &[(2, 1, 0)]);
    let hold = host.engine.holds()[0];
    assert_eq!(hold.deadline, Time(60 * SECOND + 900 * MILLI), "no linger any more, but the cap");
    host.set(2, 2, 1);
    assert_eq!(host.launch(2, 2, 0, 0), [ended(0, EndCause::Used)]);
}

#[test]
fn linger_grows_with_the_largest_gap_seen() {
    let mut host = beside_short_tasks(literal());
    let mut lingers = Vec::new();
    for (job, gap) in [(1, 100), (2, 500), (3, 300), (4, 1_900), (5, 10)] {
        run_job(&mut host, job);
        lingers.push((deadline(&host).expect("a gap") - host.now) / MILLI);
        host.now += gap * MILLI;
    }
    // The first second, 4 x 100 ms is less, 4 x 500 ms, that again, at most 5 s.
    assert_eq!(lingers, [1_000, 1_000, 2_000, 2_000, 5_000]);
}

/// The lingers of jobs that come so many milliseconds after each other, said as the host says them.
fn lingers(gaps: &[u64], between: impl Fn(&mut Host)) -> Vec<u64> {
    let mut host = beside_short_tasks(literal());
    let mut lingers = Vec::new();
    for (job, gap) in (1..).zip(gaps) {
        host.workflow(1, 1);
        run_job(&mut host, job);
        lingers.push((deadline(&host).expect("a gap") - host.now) / MILLI);
        host.now += SECOND;
        between(&mut host);
        host.now += gap * MILLI - SECOND;
    }
    lingers
}

#[test]
fn a_gap_longer_than_the_linger_is_seen_too() {
    let quiet = |_: &mut Host| {};
    assert_eq!(lingers(&[1_200, 1_200, 1_200], quiet), [1_000, 4_800, 4_800]);
    assert_eq!(lingers(&[5_000, 1_200], quiet), [1_000, 5_000]);
    assert_eq!(lingers(&[5_001, 1_200], quiet), [1_000, 1_000], "that was no gap but a pause");
    let tick = |host: &mut Host| drop(host.say(Event::Tick));
    assert_eq!(lingers(&[1_200, 1_200], tick), [1_000, 4_800], "whenever it is noticed");
    let close = |host: &mut Host| drop(host.say(Event::WorkflowClosed { workflow: WorkflowId(1) }));
    assert_eq!(lingers(&[1_200, 1_200], close), [1_000, 1_000], "another run of it");
    let run_ended = |host: &mut Host| drop(host.say(Event::RunEnded { workflow: WorkflowId(1) }));
    assert_eq!(lingers(&[1_200, 1_200], run_ended), [1_000, 1_000], "its run was over before");
}

/// The linger of a workflow's first gap beside tasks of others that took so many milliseconds.
fn first_linger(others: &[u64]) -> u64 {
    let mut host = Host::new(literal(), &[1]);
    for millis in others {
        a_task_of_others(&mut host, millis * MILLI);
    }
    host.workflow(1, 1);
    run_job(&mut host, 1);
    (deadline(&host).expect("a gap") - host.now) / MILLI
}

#[test]
fn in_an_unknown_gap_slots_are_kept_for_as_long_as_it_takes_to_get_them_back() {
    assert_eq!(first_linger(&[200]), 1_000, "at least linger.first");
    assert_eq!(first_linger(&[3_000]), 3_000);
    assert_eq!(first_linger(&[200, 3_000, 200]), 3_000, "the longest");
    assert_eq!(first_linger(&[7_000]), 5_000, "at most linger.max");
    assert_eq!(first_linger(&[]), 5_000, "and that while none has ended");
    let mut short = vec![3_000];
    short.extend([200; 127]);
    assert_eq!(first_linger(&short), 1_000, "of late: 64 to 128 tasks");
}

/// Of the first job's gap, of the second's, and of that after a pause that ends the run.
fn lingers_of_two_runs(host: &mut Host, gap: u64) -> [u64; 3] {
    let linger = |host: &mut Host, job, pause: u64| {
        host.workflow(1, 1);
        run_job(host, job);
        let linger = (deadline(host).expect("a gap") - host.now) / MILLI;
        host.now += pause * MILLI;
        host.say(Event::Tick);
        linger
    };
    [linger(host, 1, gap), linger(host, 2, 60_000), linger(host, 3, 0)]
}

#[test]
fn gaps_are_unknown_all_through_the_first_run() {
    let mut host = Host::new(literal(), &[1]);
    a_task_of_others(&mut host, 3_000 * MILLI);
    // A gap of 10 ms says little about the next; that a whole run had none longer does.
    assert_eq!(lingers_of_two_runs(&mut host, 10), [3_000, 3_000, 1_000]);
}

#[test]
fn a_gap_that_lost_its_slots_is_known_from_the_next_run_on() {
    let mut host = Host::new(literal(), &[1]);
    a_task_of_others(&mut host, 3_000 * MILLI);
    // It comes back after 3.5 s, longer than the linger: 4 x that, at most 5 s.
    assert_eq!(lingers_of_two_runs(&mut host, 3_500), [3_000, 5_000, 5_000]);
}

#[test]
fn without_a_gap_in_its_run_a_workflow_knows_none() {
    let mut host = Host::new(literal(), &[1]);
    a_task_of_others(&mut host, 3_000 * MILLI);
    assert_eq!(lingers_of_two_runs(&mut host, 60_000), [3_000; 3]);
}

#[test]
fn no_gap_is_seen_after_a_job_that_failed() {
    let mut host = beside_short_tasks(literal());
    host.job(1, 1, true, &[(1, 1, 0)]);
    host.set(1, 1, 1);
    host.launch(1, 1, 0, 0);
    host.free(1);
    host.end(1);
    host.at(SECOND);
    host.say(Event::JobEnded { job: JobId(1), succeeded: false });
    host.now += 200 * MILLI;
    host.workflow(1, 1);
    run_job(&mut host, 2);
    assert_eq!(deadline(&host), Some(host.now + SECOND));
}

#[test]
fn what_has_held_is_remembered_longer_than_what_came_once() {
    let mut host = one_slot(literal());
    run_job(&mut host, 1);
    host.now += 500 * MILLI;
    run_job(&mut host, 2);
    host.at(6 * SECOND);
    assert_eq!(host.engine.workflows(), []);
    for id in 10..310 {
        host.workflow(id, 0);
        host.job(id, id, false, &[(id, 1, 0)]);
        host.set(id, id, 1);
        host.launch(id, id, 0, 0);
        host.free(id);
        host.end(id);
        job_ended(&mut host, id);
    }
    host.now += 60 * SECOND;
    host.workflow(1, 1);
    run_job(&mut host, 3);
    assert_eq!(deadline(&host), Some(host.now + 2 * SECOND));
}

#[test]
fn a_job_that_does_not_continue_or_a_closed_workflow_keeps_nothing() {
    let mut host = one_slot(literal());
    run_job(&mut host, 1);
    let closed = host.say(Event::WorkflowClosed { workflow: WorkflowId(1) });
    assert_eq!(closed, [ended(0, EndCause::WorkflowOver)]);
    assert_eq!(host.engine.workflows(), []);

    let mut host = one_slot(literal());
    host.job(1, 1, false, &[(1, 1, 0)]);
    host.set(1, 1, 1);
    host.launch(1, 1, 0, 0);
    assert_eq!(host.free(1), []);
}

#[test]
fn the_cap_is_absolute() {
    let mut host = one_slot(literal());
    host.job(1, 1, true, &[(1, 1, 1), (2, 1, 0)]);
    host.set(1, 1, 1);
    host.launch(1, 1, 0, 0);
    host.free(1);
    assert_eq!(host.at(60 * SECOND - 1), []);
    assert_eq!(host.at(60 * SECOND), [ended(0, EndCause::Expired)]);
    assert!(host.engine.workflows()[0].exhausted);
}

#[test]
fn claiming_again_never_restarts_the_cap() {
    let mut host = Host::new(Config::default(), &[1, 1]);
    host.simple(2, 0, 9, 0);
    host.launch(20, 2, 0, 0);
    host.launch(21, 2, 1, 1);
    host.simple(1, 1, 2, 2);
    host.now = SECOND;
    assert!(holds(&host.free(20)));
    host.now = 40 * SECOND;
    assert!(holds(&host.free(21)));
    let deadlines: Vec<Time> = host.engine.holds().iter().map(|hold| hold.deadline).collect();
    assert_eq!(deadlines, [Time(61 * SECOND); 2]);
    let expired = host.at(61 * SECOND);
    let all = [ended(0, EndCause::Expired), ended(1, EndCause::Expired), Decision::Reoffer];
    assert_eq!(expired, all, "and nothing is claimed again in this episode");
}

#[test]
fn a_late_tick_is_slow_never_wrong() {
    let mut host = one_slot(literal());
    run_job(&mut host, 1);
    assert_eq!(host.at(900 * SECOND), [ended(0, EndCause::Expired)]);
    assert_eq!(host.engine.totals().idle_held_ns, u128::from(900 * SECOND));
}

#[test]
fn time_never_goes_back() {
    let mut host = one_slot(literal());
    host.at(5 * SECOND);
    host.at(SECOND);
    assert_eq!(host.engine.now(), Time(5 * SECOND));
    assert_eq!(host.engine.totals().regressions, 1);
}

/// Workflow 1 holds the only slot through a long gap; workflow 2 waits for it.
fn stalled() -> Host {
    let mut host = one_slot(Config { linger_first_ns: 30 * SECOND, ..literal() });
    run_job(&mut host, 1);
    host.simple(2, 0, 1, 0);
    host
}

#[test]
fn gap_holds_yield_after_a_second_when_nothing_runs_and_somebody_waits() {
    let mut host = stalled();
    assert_eq!(deadline(&host), Some(SECOND));
    assert_eq!(host.at(SECOND), [ended(0, EndCause::Expired), Decision::Reoffer]);
    assert!(host.engine.workflows()[0].in_gap, "the workflow still lingers, but holds nothing");
}

#[test]
fn what_waited_before_the_gap_ends_no_holds_in_it() {
    let mut host = one_slot(Config { linger_first_ns: 30 * SECOND, ..literal() });
    host.simple(2, 0, 1, 0);
    run_job(&mut host, 1);
    assert_eq!(deadline(&host), Some(30 * SECOND), "the driver is not waiting for that");
    assert_eq!(host.at(10 * SECOND), []);
    host.simple(3, 0, 1, 0);
    assert_eq!(deadline(&host), Some(11 * SECOND), "for this it may be");
}

#[test]
fn no_stall_while_anything_runs() {
    let mut host = stalled();
    host.executor(7, 1);
    host.launch(9, 2, 0, 7);
    host.simple(3, 0, 1, 0);
    assert_eq!(host.at(5 * SECOND), []);
    assert_eq!(host.held(), 1);
}
