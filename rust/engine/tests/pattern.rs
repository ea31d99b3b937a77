//! What a workflow repeats is foreseen: from its own stages, and from an earlier run's.

mod common;

use common::{Host, SECOND};
use holdfast_engine::{Config, EngineError, Event, NeedRule, Time, WorkflowId};

/// A stage of workflow 1: what it does, its tasks, and how long they take.
type Stage = (u32, u32, u64);

const LOAD: Stage = (1, 8, SECOND);
const WIDE: Stage = (2, 3, SECOND);
const NARROW: Stage = (3, 1, SECOND);

/// Runs one job of one stage; what the workflow needs in the gap after it.
fn need_of(host: &mut Host, workflow: u32, job: u32, (signature, tasks, nanos): Stage) -> u32 {
    // A stage is named by what it does; a set by its job.
    host.job(job, workflow, true, &[(signature, tasks, 0)]);
    host.set_of_stage(job, job, signature, tasks);
    (0..tasks).for_each(|task| drop(host.launch(100 * job + task, job, task, task / 2)));
    host.now += nanos;
    (0..tasks).for_each(|task| drop(host.free(100 * job + task)));
    host.end(job);
    let all = host.engine.workflows();
    let need = all.iter().find(|w| w.id == WorkflowId(workflow)).map(|w| w.need);
    host.say(Event::JobEnded { job: holdfast_engine::JobId(job), succeeded: true });
    need.expect("the workflow is known")
}

fn need_after(host: &mut Host, job: u32, stage: Stage) -> u32 {
    need_of(host, 1, job, stage)
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

/// A run of a workflow, and the end of it; what is needed after each stage.
fn run_of(host: &mut Host, workflow: u32, jobs: u32, stages: &[Stage]) -> Vec<u32> {
    let stages = (jobs..).zip(stages);
    let needs = stages.map(|(job, stage)| need_of(host, workflow, job, *stage)).collect();
    host.say(Event::RunEnded { workflow: WorkflowId(workflow) });
    needs
}

fn akin(host: &mut Host, workflow: u32, to: u32) {
    host.workflow(workflow, 1);
    let said = Event::Akin { workflow: WorkflowId(workflow), to: WorkflowId(to) };
    assert_eq!(host.say(said), []);
}

#[test]
fn who_is_akin_foresees_what_the_other_has_shown() {
    let run = [NARROW, LOAD, WIDE];
    // The first goes on, or has been forgotten meanwhile.
    for pause in [0, 10 * SECOND] {
        let mut host = host(NeedRule::Lookahead);
        host.workflow(1, 1);
        assert_eq!(run_of(&mut host, 1, 1, &run), [1, 8, 8]);
        host.at(host.now + pause);
        akin(&mut host, 2, 1);
        assert_eq!(run_of(&mut host, 2, 11, &run), [8, 3, 0], "pause {pause}");
        assert_eq!(run_of(&mut host, 2, 21, &[WIDE, LOAD]), [8, 8]);
        host.at(host.now + 10 * SECOND);
        host.workflow(1, 1);
        assert_eq!(run_of(&mut host, 1, 31, &[WIDE, LOAD]), [8, 0], "it has shown something, too");
        // Whoever is akin to itself, or to one that nobody knows, has what itself has shown: nothing.
        for (workflow, to) in [(3, 3), (4, 9)] {
            akin(&mut host, workflow, to);
            assert_eq!(run_of(&mut host, workflow, 10 * workflow + 1, &run), [1, 8, 8]);
        }
    }
    let unknown = Event::Akin { workflow: WorkflowId(7), to: WorkflowId(1) };
    let refused = host(NeedRule::Lookahead).engine.step(Time(0), &unknown, &mut Vec::new());
    assert_eq!(refused, Err(EngineError::UnknownWorkflow));
}

#[test]
fn what_kin_still_use_is_not_forgotten_with_the_one_that_has_shown_it() {
    let mut host = host(NeedRule::Lookahead);
    let run = [NARROW, LOAD, WIDE];
    run_of(&mut host, 1, 1, &run);
    // More others come and go than are remembered, and now and then somebody asks for the same as the first.
    let mut needs = Vec::new();
    for other in 10..610 {
        host.at(host.now + 10 * SECOND);
        host.workflow(other, 1);
        run_of(&mut host, other, 10 * other, &[WIDE]);
        if other % 100 == 0 {
            host.at(host.now + 10 * SECOND);
            akin(&mut host, 2, 1);
            needs.push(run_of(&mut host, 2, 10 * other + 1, &run));
        }
    }
    assert_eq!(needs, vec![[8, 3, 0]; 6]);
}

#[test]
fn stages_that_come_in_another_order_are_known_again() {
    let (left, right) = ((11, 2, SECOND), (12, 1, SECOND));
    let mut host = host(NeedRule::Lookahead);
    run_of(&mut host, 1, 1, &[left, right, LOAD]);
    // Of the first alone nothing is known, but what came last after it.
    assert_eq!(run_of(&mut host, 1, 11, &[right, left, LOAD])[1..], [8, 0]);
}

#[test]
fn a_run_that_another_one_followed_at_once_is_known_again_by_itself() {
    let mut host = host(NeedRule::Lookahead);
    let runs: [&[Stage]; 3] = [&[WIDE, NARROW], &[LOAD, NARROW], &[NARROW, WIDE]];
    // All of these are one: each comes within the bridge.
    for (i, run) in (0..).zip(runs) {
        run_of(&mut host, 1, 1 + 10 * i, run);
    }
    host.at(host.now + 10 * SECOND);
    host.workflow(1, 1);
    assert_eq!(run_of(&mut host, 1, 41, runs[1]), [1, 0], "nothing follows the narrow stage");
    assert_eq!(run_of(&mut host, 1, 51, runs[2]), [3, 0]);
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
