//! The worlds of GRASS (NSDI'14), small: what its rules reach there, in counts.
#![allow(clippy::unwrap_used, reason = "tests")]

use holdfast_sim::grass::rules::Rule;
use holdfast_sim::grass::setup::{Bounds, Framework, Setting, Trace, bin, world};
use holdfast_sim::{Options, Outcome, simulate};

fn setting(bounds: Bounds) -> Setting {
    Setting { bounds, jobs: 60, ..Setting::default() }
}

fn run(setting: &Setting, rule: Rule) -> Outcome {
    simulate(&rule.of(&world(setting)), &Options::default()).unwrap()
}

/// Tasks done by deadlines, of all.
fn done(outcome: &Outcome) -> u32 {
    outcome.bounded.iter().map(|job| job.done).sum()
}

/// The time of all jobs, in seconds.
fn took(outcome: &Outcome) -> u64 {
    outcome.bounded.iter().map(|job| job.took_ns / 1_000_000_000).sum()
}

#[test]
fn grass_does_more_by_deadlines_than_what_facebook_and_bing_ran() {
    let setting = setting(Bounds::Deadlines);
    let [late, mantri, grass] =
        [Rule::Late, Rule::Mantri, Rule::Grass].map(|rule| done(&run(&setting, rule)));
    assert!(grass > late && grass > mantri, "{grass}, {late}, {mantri}");
}

#[test]
fn grass_ends_error_bound_jobs_sooner() {
    for bounds in [Bounds::Errors, Bounds::Exact] {
        let setting = setting(bounds);
        let [off, late, grass] =
            [Rule::Off, Rule::Late, Rule::Grass].map(|rule| took(&run(&setting, rule)));
        assert!(grass < late && late < off, "{bounds:?}: {grass}, {late}, {off}");
    }
}

#[test]
fn every_job_ends_at_its_bound_and_none_is_forgotten() {
    for bounds in [Bounds::Deadlines, Bounds::Errors, Bounds::Exact] {
        for stages in [1, 4] {
            let setting = Setting { stages, jobs: 30, ..setting(bounds) };
            let outcome = run(&setting, Rule::Grass);
            assert_eq!(outcome.bounded.len(), 30);
            for job in &outcome.bounded {
                let enough = job.bound.enough(job.tasks);
                assert!(enough.is_none_or(|enough| job.done == enough), "{job:?}");
            }
        }
    }
}

#[test]
fn equal_seeds_give_equal_worlds_and_outcomes() {
    let bursts = Setting { trace: Trace::Swim, ..setting(Bounds::Deadlines) };
    for rule in [Rule::Grass, Rule::TwoWaves, Rule::Oracle] {
        assert_eq!(run(&bursts, rule), run(&bursts, rule));
    }
    let other = Setting { seed: 2, ..bursts };
    assert!(run(&bursts, Rule::Grass).fingerprint != run(&other, Rule::Grass).fingerprint);
}

#[test]
fn worlds_are_what_they_are_called() {
    let of = |setting: Setting| world(&Setting { jobs: 300, ..setting });
    let large = |trace| {
        let world = of(Setting { trace, ..Setting::default() });
        let tasks = world.workflows.iter().map(|workflow| workflow.jobs[0].stages[0].tasks);
        tasks.filter(|&tasks| bin(tasks) == 2).count()
    };
    assert!(large(Trace::Bing) > large(Trace::Facebook));
    let end = |framework| {
        let world = of(Setting { framework, ..Setting::default() });
        world.workflows.last().unwrap().arrival_ms
    };
    assert!(end(Framework::Spark) * 5 < end(Framework::Hadoop));
}
