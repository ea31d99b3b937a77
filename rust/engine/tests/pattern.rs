//! What a workflow repeats is foreseen: from its own stages, and from an earlier run's.

mod common;

use common::{Host, SECOND};
use holdfast_engine::{Config, Event, NeedRule, WorkflowId};

/// A stage of workflow 1: what it does, its tasks, and how long they take.
type Stage = (u32, u32, u64);

const LOAD: Stage = (1, 8, SECOND);
const WIDE: Stage = (2, 3, SECOND);
const NARROW: Stage = (3, 1, SECOND);

/// Runs one job of one stage; what the workflow needs in the gap after it.
fn need_after(host: &mut Host, job: u32, (signature, tasks, nanos): Stage) -> u32 {
    // A stage is named by what it does; a set by its job.
    host.job(job, 1, true, &[(signature, tasks, 0)]);
    host.set_of_stage(job, job, signature, tasks);
    (0..tasks).for_each(|task| drop(host.launch(100 * job + task, job, task, task / 2)));
    host.now += nanos;
    (0..tasks).for_each(|task| drop(host.free(100 * job + task)));
    host.end(job);
    let need = host.engine.workflows().iter().find(|w| w.id == WorkflowId(1)).map(|w| w.need);
    host.say(Event::JobEnded { job: holdfast_engine::JobId(job), succeeded: true });
    need.expect("the workflow is known")
}

fn needs(host: &mut Host, stages: &[Stage]) -> Vec<u32> {
    (1..).zip(stages).map(|(job, stage)| need_after(host, job, *stage)).collect()
}

fn host(need: NeedRule) -> Host {
    let mut host = Host::new(Config { need, ..Config::default() }, &[2; 4]);
    host.workflow(1, 1);
    host
}

#[test]
fn what_was_wide_once_is_given_back_when_the_loop_is_known() {
    let stages = [LOAD, WIDE, NARROW, WIDE, NARROW, WIDE, NARROW];
    // Before, the widest of late: it may come again.
    let ahead = [8, 8, 8, 8, 3, 3, 3];
    assert_eq!(needs(&mut host(NeedRule::Lookahead), &stages), ahead);
    // As wide as the stage that ended.
    assert_eq!(needs(&mut host(NeedRule::Literal), &stages), [8, 3, 1, 3, 1, 3, 1]);
}

/// What workflow 1 does, said beforehand.
fn recall(host: &mut Host, stages: &[Stage]) {
    let mut after = [0, 0];
    for &(then, tasks, nanos) in stages {
        let [first, second] = after;
        let after_ms = u32::try_from(nanos / 1_000_000).expect("few");
        let workflow = WorkflowId(1);
        host.say(Event::Recalled { workflow, first, second, then, tasks, after_ms });
        after = [second, then];
    }
}

#[test]
fn an_earlier_run_tells_what_follows_the_first_stage() {
    let run = [NARROW, LOAD, WIDE];
    let mut fresh = host(NeedRule::Lookahead);
    assert_eq!(needs(&mut fresh, &run), [1, 8, 8]);
    let mut recalls = host(NeedRule::Lookahead);
    recall(&mut recalls, &run);
    assert_eq!(needs(&mut recalls, &run), [8, 8, 8]);
}

#[test]
fn a_wide_stage_that_is_further_away_than_a_wait_is_not_kept_for() {
    // The others' tasks take a second; the wide stage comes three seconds after the narrow one.
    let stages = [LOAD, (11, 1, SECOND), (12, 1, SECOND), (13, 1, SECOND), WIDE];
    let mut host = host(NeedRule::Lookahead);
    host.simple(99, 0, 1, 0);
    host.launch(9_000, 99, 0, 0);
    host.now += SECOND;
    host.free(9_000);
    recall(&mut host, &[&stages[..], &[(1, 8, 5 * SECOND)]].concat());
    let needs = needs(&mut host, &stages);
    // What follows directly counts, however long it has been coming.
    assert_eq!((needs[0], needs[3]), (1, 3));
}

/// A job of one narrow stage, and one of two stages of four tasks side by side; what is needed between the two.
fn need_before_a_pair(host: &mut Host, job: u32) -> u32 {
    let need = need_after(host, job, NARROW);
    let (pair, sets) = (job + 1, [10 * job, 10 * job + 1]);
    host.job(pair, 1, true, &[(21, 4, 0), (22, 4, 0)]);
    for (set, stage) in sets.into_iter().zip([21, 22]) {
        host.set_of_stage(set, pair, stage, 4);
    }
    for set in sets {
        (0..4).for_each(|task| drop(host.launch(100 * set + task, set, task, task)));
    }
    host.now += SECOND;
    for set in sets {
        (0..4).for_each(|task| drop(host.free(100 * set + task)));
        host.end(set);
    }
    host.say(Event::JobEnded { job: holdfast_engine::JobId(pair), succeeded: true });
    need
}

#[test]
fn stages_side_by_side_are_foreseen_together() {
    let mut host = host(NeedRule::Lookahead);
    // First the one task that has run, then as wide as the widest stage of late, then both together.
    let needs = [1, 3, 5, 7].map(|job| need_before_a_pair(&mut host, job));
    assert_eq!(needs, [1, 4, 8, 8]);
}

#[test]
fn what_is_known_counts_although_the_end_is_not() {
    let mut host = host(NeedRule::Lookahead);
    // Nothing is known of what follows the stage of eight, the program's last.
    recall(&mut host, &[NARROW, (11, 1, SECOND), (12, 8, SECOND)]);
    assert_eq!(needs(&mut host, &[NARROW, (11, 1, SECOND), (12, 8, SECOND)]), [8, 8, 8]);
}

#[test]
fn runs_tell_how_often_a_loop_goes_round_and_which_program_it_is() {
    let (other, another) = ((31, 2, SECOND), (32, 5, SECOND));
    let runs: [&[Stage]; 2] =
        [&[NARROW, WIDE, NARROW, WIDE, NARROW, LOAD], &[other, NARROW, WIDE, NARROW, another]];
    let mut host = host(NeedRule::Lookahead);
    let mut job = 0;
    let mut run = |stages: &[Stage]| -> Vec<u32> {
        host.workflow(1, 1);
        let needs = stages.iter().map(|stage| {
            job += 1;
            need_after(&mut host, job, *stage)
        });
        let needs = needs.collect();
        host.say(Event::WorkflowClosed { workflow: WorkflowId(1) });
        needs
    };
    // As wide as the widest of late, until the widest has come.
    assert_eq!(run(runs[0])[..5], [1, 3, 3, 3, 3]);
    run(runs[1]);
    // After a narrow stage a wide one came last, or the end of the other program. After the last stage nothing comes.
    assert_eq!(run(runs[0]), [8, 8, 8, 8, 8, 0]);
    assert_eq!(run(runs[1]), [5, 5, 5, 5, 0]);
}

#[test]
fn a_run_that_follows_at_once_is_foreseen_and_that_none_does() {
    let second_time = |pause: u64| {
        let mut host = host(NeedRule::Lookahead);
        let mut after_narrow = |job: u32| {
            let need = need_after(&mut host, job, NARROW);
            host.say(Event::RunEnded { workflow: WorkflowId(1) });
            host.at(host.now + pause);
            host.workflow(1, 1);
            need_after(&mut host, job + 1, LOAD);
            host.say(Event::WorkflowClosed { workflow: WorkflowId(1) });
            host.workflow(1, 1);
            need
        };
        after_narrow(1);
        after_narrow(3)
    };
    assert_eq!([SECOND / 4, SECOND].map(second_time), [8, 0]);
}
