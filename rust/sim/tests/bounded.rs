//! Bounded jobs, sizes and progress: worlds worked out by hand. The twin of the engine's tests knows none of it yet.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod hand;
mod invariants;

use hand::{constant, one_job, recorded, world};
use holdfast_engine::{Config, Copies, Stragglers};
use holdfast_sim::world::{
    BoundSpec, Durations, JobSpec, NodesSpec, ProgressSpec, StageSpec, WorkflowSpec,
};
use holdfast_sim::{BoundedJob, Options, Outcome, Placement, World, simulate};

const SECOND: u64 = 1_000_000_000;

fn run(world: &World) -> Outcome {
    simulate(world, &Options::default()).unwrap()
}

fn bounded(bound: BoundSpec, stages: Vec<StageSpec>) -> WorkflowSpec {
    let mut workflow = one_job(0, 0, Vec::new());
    workflow.jobs = vec![JobSpec::new(stages).bounded(bound)];
    workflow
}

fn sized(ms: u64, sizes: &[u32]) -> StageSpec {
    StageSpec { sizes: sizes.to_vec(), ..constant(sizes.len() as u32, ms) }
}

fn with(mut world: World, stragglers: Stragglers) -> World {
    world.spark.progress = Some(ProgressSpec::default());
    world.with_engine(Config { stragglers, copies: Copies::All, ..Config::default() })
}

fn only(outcome: &Outcome) -> (u32, u32, u64) {
    let [BoundedJob { tasks, done, took_ns, .. }] = outcome.bounded[..] else {
        panic!("{:?}", outcome.bounded);
    };
    (done, tasks, took_ns / 1_000_000)
}

fn launches(world: &World) -> Vec<Placement> {
    simulate(world, &Options { placements: true, ..Options::default() }).unwrap().placements
}

/// Three of four tasks are enough: the last one runs from 1 to 2 s in vain.
#[test]
fn an_error_bound_job_ends_with_enough_tasks() {
    let job =
        || bounded(BoundSpec::ErrorPpm(250_000), vec![recorded(&[1_000, 1_000, 1_000, 9_000])]);
    let after = one_job(0, 0, vec![constant(1, 1_000)]);
    for stragglers in [None, Some(Stragglers::Ras), Some(Stragglers::Late)] {
        let world = world(2, 1, vec![job(), after.clone()]);
        let world = stragglers.map_or(world.clone(), |rule| with(world, rule));
        let outcome = run(&world);
        assert_eq!(only(&outcome), (3, 4, 2_000), "{stragglers:?}");
        assert_eq!(outcome.workflows[1].jct_ns(), 3 * SECOND, "the slot is free at once");
        if stragglers != Some(Stragglers::Late) {
            // LATE copies the other job's only task.
            assert_eq!((outcome.attempts, outcome.wasted), (5, 1));
        }
    }
}

/// One slot does three tasks of 1 s in 3.5 s. The fourth one is killed, the fifth one never begins.
#[test]
fn a_deadline_bound_job_ends_at_its_deadline_and_launches_nothing_after_it() {
    let job = bounded(BoundSpec::DeadlineMs(3_500), vec![constant(5, 1_000)]);
    for stragglers in [Stragglers::Grass, Stragglers::Mantri, Stragglers::Off] {
        let world = with(world(1, 1, vec![job.clone()]), stragglers);
        let outcome = run(&world);
        assert_eq!(only(&outcome), (3, 5, 3_500));
        assert!(launches(&world).iter().all(|launch| launch.at_ns < 3_500_000_000));
        assert_eq!(outcome.attempts, 4);
    }
}

/// A job that is done before its deadline ends then.
#[test]
fn a_deadline_that_is_met_changes_nothing() {
    let job = bounded(BoundSpec::DeadlineMs(9_000), vec![constant(5, 1_000)]);
    assert_eq!(only(&run(&with(world(1, 1, vec![job]), Stragglers::Grass))), (5, 5, 5_000));
}

/// The bound is about the stage that reads: all of the next one runs.
#[test]
fn later_stages_run_in_full() {
    let stages = || vec![constant(4, 1_000), constant(3, 1_000)];
    let error = bounded(BoundSpec::ErrorPpm(500_000), stages());
    let deadline = bounded(BoundSpec::DeadlineMs(1_500), stages());
    for (job, took, done) in [(error, 5_000, 2), (deadline, 4_500, 1)] {
        let outcome = run(&with(world(1, 1, vec![job]), Stragglers::Grass));
        assert_eq!(only(&outcome), (done, 4, took));
    }
}

/// Sizes decide which task is next: the smallest by a deadline, the largest where all are wanted.
#[test]
fn pending_tasks_go_by_size() {
    let stage = || vec![sized(1_000, &[3_000, 1_000, 2_000])];
    let order = |bound, rule| {
        let world = with(world(1, 1, vec![bounded(bound, stage())]), rule);
        let partitions: Vec<u32> = launches(&world).iter().map(|l| l.partition).collect();
        (partitions, only(&run(&world)))
    };
    let deadline = BoundSpec::DeadlineMs(3_500);
    assert_eq!(order(deadline, Stragglers::Gs), (vec![1, 2, 0], (2, 3, 3_500)));
    assert_eq!(order(deadline, Stragglers::Late), (vec![0, 1], (1, 3, 3_500)));
    assert_eq!(order(BoundSpec::ErrorPpm(0), Stragglers::Ras), (vec![0, 2, 1], (3, 3, 6_000)));
}

/// Two quick executors and a slow one.
fn slow(speed: f64) -> World {
    let mut world = world(2, 1, vec![bounded(BoundSpec::ErrorPpm(0), vec![constant(3, 1_000)])]);
    world.cluster.push(NodesSpec { speed, ..NodesSpec::new(1, 1) });
    world
}

/// The third task takes 10 s on its slow executor. A copy begins at 1 s, when the others are done.
#[test]
fn each_rule_copies_a_clear_straggler() {
    for rule in
        [Stragglers::Gs, Stragglers::Ras, Stragglers::Grass, Stragglers::Late, Stragglers::Mantri]
    {
        let outcome = run(&with(slow(0.1), rule));
        assert_eq!(only(&outcome), (3, 3, 2_000), "{rule:?}");
        assert_eq!((outcome.copies.launched, outcome.copies.won), (1, 1));
    }
    assert_eq!(only(&run(&with(slow(0.1), Stragglers::Off))), (3, 3, 10_000));
}

/// It takes 2.5 s: at 1 s a copy is sooner by half a second, and saves no slot-time.
#[test]
fn gs_copies_where_ras_does_not() {
    assert_eq!(only(&run(&with(slow(0.4), Stragglers::Gs))), (3, 3, 2_000));
    let ras = run(&with(slow(0.4), Stragglers::Ras));
    assert_eq!((only(&ras), ras.copies.launched), ((3, 3, 2_500), 0));
}

fn straggling(seed: u64) -> World {
    let (median, spread, share) = (1_000.0, 0.2, 0.2);
    let durations =
        Durations::Straggling { median, spread, share, least: 2.0, alpha: 1.259, most: 40.0 };
    let stage = StageSpec { sizes: vec![1_000; 40], ..StageSpec::new(40, durations) };
    let job = |ms| {
        let bound = if ms == 0 { BoundSpec::ErrorPpm(100_000) } else { BoundSpec::DeadlineMs(ms) };
        bounded(bound, vec![stage.clone()])
    };
    let mut world = world(10, 1, vec![job(5_000), job(0), job(7_000)]);
    world.seed = seed;
    world.spark.fair = true;
    world
}

#[test]
fn equal_seeds_give_equal_results_and_others_other_ones() {
    let progress = ProgressSpec { rest_error: 0.28, size_error: 0.1, ..ProgressSpec::default() };
    let noisy = |seed| {
        let mut world = with(straggling(seed), Stragglers::Grass);
        world.spark.progress = Some(progress);
        run(&world)
    };
    assert_eq!(noisy(1), noisy(1));
    assert!(noisy(1).fingerprint != noisy(2).fingerprint);
    assert!(noisy(1).fingerprint != run(&with(straggling(1), Stragglers::Grass)).fingerprint);
}

/// An oracle's straggler has its copy before it would have reported for the first time.
#[test]
fn an_oracle_knows_stragglers_as_they_begin() {
    let early = |oracle: bool| -> u64 {
        let of = |seed| {
            let mut world = with(straggling(seed), Stragglers::Gs);
            world.spark.progress = Some(ProgressSpec { oracle, ..ProgressSpec::default() });
            run(&world);
            let all = launches(&world);
            let copies = all.iter().filter(|launch| launch.copy);
            let early = copies.filter(|copy| {
                let first = all.iter().find(|l| {
                    (l.stage, l.partition, l.copy) == (copy.stage, copy.partition, false)
                });
                // No attempt takes less than 0.8 s.
                copy.at_ns - first.unwrap().at_ns < 40_000_000
            });
            early.count() as u64
        };
        (1..=5).map(of).sum()
    };
    assert_eq!(early(false), 0);
    assert!(early(true) > 0);
}

#[test]
fn what_cannot_be_is_refused() {
    let said = |change: fn(&mut World)| {
        let mut world = world(1, 1, vec![bounded(BoundSpec::ErrorPpm(0), vec![constant(2, 1)])]);
        change(&mut world);
        simulate(&world, &Options::default()).unwrap_err().to_string()
    };
    let error = said(|w| w.workflows[0].jobs[0].bound = Some(BoundSpec::ErrorPpm(1_000_001)));
    assert!(error.starts_with("workflows[0].jobs[0].bound.error_ppm: 1000001"), "{error}");
    let deadline = said(|w| w.workflows[0].jobs[0].bound = Some(BoundSpec::DeadlineMs(1 << 32)));
    assert!(deadline.contains("bound.deadline_ms: 4294967296"), "{deadline}");
    let barrier = said(|w| w.workflows[0].jobs[0].stages[0].barrier = true);
    assert!(barrier.contains("barrier stages run as a whole"), "{barrier}");
    let noise = ProgressSpec { rest_error: 0.5, ..ProgressSpec::default() };
    let mut world = world(1, 1, Vec::new());
    world.spark.progress = Some(noise);
    let noise = simulate(&world, &Options::default()).unwrap_err().to_string();
    assert!(noise.starts_with("spark.progress.rest_error: 0.5"), "{noise}");
}
