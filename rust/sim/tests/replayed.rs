//! What recorded workloads need: caches of earlier jobs, executors that come later.
#![allow(clippy::unwrap_used, reason = "tests")]

use holdfast_sim::world::{Durations, JobSpec, NodesSpec, Preference, StageSpec, WorkflowSpec};
use holdfast_sim::{Options, Outcome, World, simulate};

fn run(world: &World) -> Outcome {
    simulate(world, &Options::default()).unwrap()
}

fn jcts(outcome: &Outcome) -> Vec<u64> {
    outcome.workflows.iter().map(|times| times.jct_ns() / 1_000_000).collect()
}

fn constant(tasks: u32, ms: u64) -> StageSpec {
    StageSpec::new(tasks, Durations::Constant { ms })
}

/// Two executors with a slot each. A job caches a partition on both at 1 s. Another workflow takes one of them from 1.2 to
/// 5.2 s. The next job, at 1.5 s, runs one task at its place; the other one has a free slot elsewhere from 2.5 s on, may
/// go there at 7.5 s (3 s for the executor, 3 s for the host), and gets its own at 5.2 s.
#[test]
fn tasks_wait_for_what_an_earlier_job_has_cached() {
    let second =
        |preference| JobSpec::new(vec![constant(2, 1_000).preferring(preference)]).after_gap(500);
    let build = |preference| {
        let jobs = vec![JobSpec::new(vec![constant(2, 1_000)]), second(preference)];
        let other = WorkflowSpec::new(0, 1_200, vec![JobSpec::new(vec![constant(1, 4_000)])]);
        World::new(1, vec![NodesSpec::new(2, 1)], vec![WorkflowSpec::new(0, 0, jobs), other])
    };
    let cached = run(&build(Preference::CachedBy { job: 0, stage: 0 }));
    assert_eq!(jcts(&cached), [6_200, 4_000]);
    assert_eq!((cached.locality[0].process, cached.locality[0].none), (2, 3));
    assert_eq!(jcts(&run(&build(Preference::Anywhere))), [3_500, 4_000]);
}

/// The same partitions again, three jobs later: the jobs between them ran elsewhere or had other widths.
#[test]
fn caches_outlive_the_jobs_between() {
    let reads = || constant(2, 1_000).preferring(Preference::CachedBy { job: 0, stage: 1 });
    let own = constant(2, 1_000).preferring(Preference::CachedBy { job: 0, stage: 0 });
    let jobs = vec![
        JobSpec::new(vec![constant(2, 500), own]),
        JobSpec::new(vec![constant(1, 1_000)]),
        JobSpec::new(vec![reads()]),
        JobSpec::new(vec![reads()]),
    ];
    let world = World::new(3, vec![NodesSpec::new(2, 1)], vec![WorkflowSpec::new(0, 0, jobs)]);
    let outcome = run(&world);
    assert_eq!(jcts(&outcome), [4_500]);
    assert_eq!((outcome.locality[0].process, outcome.locality[0].none), (6, 3));
}

#[test]
fn what_is_read_must_have_been_cached_before() {
    let world = |job, stage| {
        let reads = constant(1, 1).preferring(Preference::CachedBy { job, stage });
        let jobs = vec![JobSpec::new(vec![reads, constant(1, 1)])];
        World::new(1, vec![NodesSpec::new(1, 1)], vec![WorkflowSpec::new(0, 0, jobs)])
    };
    for (job, stage) in [(0, 0), (0, 1), (1, 0)] {
        let error = world(job, stage).check().unwrap_err().to_string();
        assert!(error.contains("has not cached anything before"), "{error}");
    }
}

/// Four tasks of a second: one at a time on the first executor, from 2 s on two.
#[test]
fn executors_may_join_later() {
    let later = NodesSpec { joins_ms: 2_000, ..NodesSpec::new(1, 1) };
    let tasks = WorkflowSpec::new(0, 0, vec![JobSpec::new(vec![constant(4, 1_000)])]);
    let world = World::new(1, vec![NodesSpec::new(1, 1), later], vec![tasks]);
    assert_eq!(jcts(&run(&world)), [3_000]);
}

/// One slot. The second workflow comes 100 ms after the first, whose two tasks wait for a third; but its number is the
/// smaller one, so that it goes first when the slot is free.
#[test]
fn fifo_goes_by_the_numbers_of_jobs() {
    let job =
        |ms, ahead| JobSpec { numbered_ahead_ms: ahead, ..JobSpec::new(vec![constant(1, ms)]) };
    let build = |ahead| {
        let arrivals = [(0, 1_000, 0), (100, 400, 0), (200, 50, ahead)];
        let workflows =
            arrivals.map(|(at, ms, ahead)| WorkflowSpec::new(0, at, vec![job(ms, ahead)]));
        World::new(1, vec![NodesSpec::new(1, 1)], workflows.to_vec())
    };
    assert_eq!(jcts(&run(&build(0))), [1_000, 1_300, 1_250]);
    assert_eq!(jcts(&run(&build(101))), [1_000, 1_350, 850]);
}
