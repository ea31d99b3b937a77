//! Worlds of very many stages and jobs: what a step costs does not grow with them, and no call goes as deep as a chain is
//! long. Such worlds would take hours, or the stack, otherwise.
#![allow(clippy::unwrap_used, reason = "tests")]

use holdfast_sim::world::{
    Durations, JobSpec, LossSpec, NodesSpec, StageSpec, WorkflowSpec, World,
};
use holdfast_sim::{Options, simulate};

const MANY: usize = 150_000;

fn stage() -> StageSpec {
    StageSpec::new(1, Durations::Constant { ms: 10 })
}

fn world(jobs: Vec<JobSpec>) -> World {
    let mut world = World::new(1, vec![NodesSpec::new(2, 2)], vec![WorkflowSpec::new(0, 0, jobs)]);
    world.spark.lag_ms = 0;
    world
}

#[test]
fn a_chain_of_stages_may_have_any_length() {
    let outcome =
        simulate(&world(vec![JobSpec::new(vec![stage(); MANY])]), &Options::default()).unwrap();
    assert_eq!((outcome.attempts, outcome.end_ns), (MANY as u64, MANY as u64 * 10_000_000));
}

/// Each stage of a ladder reads the two before it: there are more ways down than can be walked.
#[test]
fn a_ladder_of_stages_is_walked_once() {
    let rungs =
        |i: usize| stage().after(&[i.saturating_sub(2), i.saturating_sub(1)][usize::from(i < 2)..]);
    let stages = (0..MANY).map(|i| if i == 0 { stage() } else { rungs(i) }).collect();
    let outcome = simulate(&world(vec![JobSpec::new(stages)]), &Options::default()).unwrap();
    assert_eq!((outcome.attempts, outcome.end_ns), (MANY as u64, MANY as u64 * 10_000_000));
}

#[test]
fn a_workflow_may_have_any_number_of_jobs() {
    let jobs = vec![JobSpec::new(vec![stage()]); MANY];
    let outcome = simulate(&world(jobs), &Options::default()).unwrap();
    assert_eq!((outcome.attempts, outcome.end_ns), (MANY as u64, MANY as u64 * 10_000_000));
}

#[test]
fn losses_of_many_kinds_of_nodes_are_checked() {
    let mut world = world(vec![JobSpec::new(vec![stage()])]);
    world.cluster = vec![NodesSpec::new(1, 1); MANY];
    let loss = LossSpec { at_ms: 1, executor: 0, replaced_after_ms: None, announced_ms: None };
    world.losses = vec![loss; MANY];
    world.losses[MANY - 1].executor = MANY;
    let why = world.check().unwrap_err().to_string();
    assert_eq!(
        why,
        "losses[149999].executor: 150000; there are 150000 executors, they count from 0"
    );
}

/// An executor that joins after twelve years, one that is lost after eleven, and a task that ignores its kill and runs for
/// thirteen: nobody waits for them.
#[test]
fn what_outlives_all_workflows_does_not_keep_it_from_ending() {
    const YEAR_MS: u64 = 365 * 24 * 3_600_000;
    let mut plain = world(vec![JobSpec::new(vec![stage()])]);
    // Its timer would ring each second for as long as the task runs.
    plain.spark.revive_ms = 0;
    let expected = simulate(&plain, &Options::default()).unwrap();
    let mut world = plain.clone();
    world.cluster.push(NodesSpec { joins_ms: 12 * YEAR_MS, ..NodesSpec::new(1, 2) });
    let (at_ms, executor) = (11 * YEAR_MS, 0);
    world.losses.push(LossSpec { at_ms, executor, replaced_after_ms: None, announced_ms: None });
    let outcome = simulate(&world, &Options::default()).unwrap();
    assert_eq!((outcome.end_ns, outcome.usage), (expected.end_ns, expected.usage));

    let mut cancelled =
        JobSpec::new(vec![StageSpec::new(1, Durations::Constant { ms: 13 * YEAR_MS })]);
    cancelled.cancel_after_ms = Some(5);
    world.workflows.push(WorkflowSpec::new(0, 0, vec![cancelled]));
    world.faults.stubborn = 1.0;
    let outcome = simulate(&world, &Options::default()).unwrap();
    let ends = outcome.workflows.iter().map(|workflow| workflow.ended_ns);
    assert_eq!(ends.collect::<Vec<_>>(), [10_000_000, 5_000_000]);
}
