//! Worlds that cannot be simulated: those that are refused at once, by field and value, and those that come to no end.
#![allow(clippy::unwrap_used, reason = "tests")]

use holdfast_engine::{Config, Resources};
use holdfast_sim::world::{
    ChangeSpec, Durations, JobSpec, LONGEST_MS, LossSpec, NodesSpec, Speculation, StageSpec,
    WarmUp, WorkflowSpec,
};
use holdfast_sim::{Failure, Options, World, simulate};

const SECOND: u64 = 1_000_000_000;

/// Two executors of two slots; four tasks of 100 ms, and four that follow them.
fn sound() -> World {
    let stage = || StageSpec::new(4, Durations::Constant { ms: 100 });
    let job = JobSpec::new(vec![stage(), stage()]);
    World::new(1, vec![NodesSpec::new(2, 2)], vec![WorkflowSpec::new(0, 0, vec![job])])
}

fn with(change: impl FnOnce(&mut World)) -> World {
    let mut world = sound();
    change(&mut world);
    world
}

fn first(world: &mut World) -> &mut StageSpec {
    &mut world.workflows[0].jobs[0].stages[0]
}

fn lost(executor: usize) -> LossSpec {
    LossSpec { at_ms: 10, executor, replaced_after_ms: None, announced_ms: None }
}

#[test]
fn times_that_cannot_be_counted_are_refused_by_field_and_value() {
    assert_eq!(sound().check(), Ok(()));
    let late = LONGEST_MS + 1;
    type Change = fn(&mut World, u64);
    let fields: [(&str, Change); 16] = [
        ("cluster[0].joins_ms", |w, ms| w.cluster[0].joins_ms = ms),
        ("workflows[0].arrival_ms", |w, ms| w.workflows[0].arrival_ms = ms),
        ("workflows[0].jobs[0].gap_ms", |w, ms| w.workflows[0].jobs[0].gap_ms = ms),
        ("workflows[0].jobs[0].numbered_ahead_ms", |w, ms| {
            w.workflows[0].jobs[0].numbered_ahead_ms = ms;
        }),
        ("workflows[0].jobs[0].cancel_after_ms", |w, ms| {
            w.workflows[0].jobs[0].cancel_after_ms = Some(ms);
        }),
        ("workflows[0].jobs[0].stages[0].durations", |w, ms| {
            first(w).durations = Durations::Constant { ms };
        }),
        ("workflows[0].jobs[0].stages[0].durations", |w, ms| {
            first(w).durations = Durations::Uniform { least: 1, most: ms };
        }),
        ("workflows[0].jobs[0].stages[0].durations", |w, ms| {
            first(w).durations = Durations::Recorded { ms: vec![1, ms, 1, 1] };
        }),
        ("spark.locality_wait_ms", |w, ms| w.spark.locality_wait_ms = ms),
        ("spark.revive_ms", |w, ms| w.spark.revive_ms = ms),
        ("spark.lag_ms", |w, ms| w.spark.lag_ms = ms),
        ("spark.tick_lag_ms", |w, ms| w.spark.tick_lag_ms = ms),
        ("spark.speculation.interval_ms", |w, ms| {
            w.spark.speculation = Some(Speculation { interval_ms: ms, ..Speculation::default() });
        }),
        ("losses[0].at_ms", |w, ms| w.losses = vec![LossSpec { at_ms: ms, ..lost(0) }]),
        ("losses[0].replaced_after_ms", |w, ms| {
            w.losses = vec![LossSpec { replaced_after_ms: Some(ms), ..lost(0) }];
        }),
        ("changes[0].at_ms", |w, ms| {
            w.changes = vec![ChangeSpec { at_ms: ms, workflow: 0, priority: 1 }];
        }),
    ];
    for (field, change) in fields {
        assert_eq!(with(|w| change(w, LONGEST_MS)).check(), Ok(()), "{field}");
        for ms in [late, u64::MAX] {
            let why = with(|w| change(w, ms)).check().unwrap_err().to_string();
            let value = format!("{ms}");
            assert!(why.starts_with(&format!("{field}: ")) && why.contains(&value), "{why}");
            assert!(why.contains(&format!("write at most {LONGEST_MS}")), "{why}");
        }
    }
}

#[test]
fn clusters_that_no_table_holds_are_refused() {
    let huge = u32::MAX;
    let endless = Config { hold_max_ns: u64::MAX - 1, ..Config::default() };
    let cases: [(World, &str); 8] = [
        (
            sound().with_engine(endless),
            "engine.hold_max_ns: 18446744073709551614; write at most 946080000000000000, thirty years",
        ),
        (
            with(|w| w.profiles = Vec::new()),
            "profiles: none; write at least one, or leave them out",
        ),
        (
            with(|w| w.losses = vec![lost(2)]),
            "losses[0].executor: 2; there are 2 executors, they count from 0",
        ),
        (
            with(|w| w.cluster[0].nodes = huge),
            "cluster: 4294967295 executors; write at most 1048576",
        ),
        (
            with(|w| (w.cluster[0].nodes, w.cluster[0].executors_per_node) = (huge, huge)),
            "cluster: 18446744065119617025 executors; write at most 1048576",
        ),
        (
            with(|w| w.cluster[0].first_host = Some(huge)),
            "cluster[0].first_host: its hosts have numbers up to 4294967296; write numbers below 1048576",
        ),
        (
            with(|w| w.cluster[0].capacity = Resources([huge; 4])),
            "cluster: 8589934 slots for tasks that ask for [1000, 0, 0, 0]; write at most 4194304",
        ),
        (
            with(|w| w.spark.warm_up = Some(WarmUp { attempts: 1, factor: -1.0 })),
            "spark.warm_up.factor: -1; write a number, at least 0",
        ),
    ];
    for (world, why) in cases {
        assert_eq!(world.check().unwrap_err().to_string(), why);
        assert!(matches!(simulate(&world, &Options::default()), Err(Failure::World(_))));
    }
}

#[test]
fn without_executors_it_ends_when_no_wait_for_locality_can_go_on() {
    let mut world = with(|w| w.losses = vec![lost(0), lost(0)]);
    // The timer finds nothing at 1 s, and from 14 s on it is more than four waits of 3 s and a round since then.
    assert_eq!(simulate(&world, &Options::default()), Err(Failure::Stuck(15 * SECOND, 1)));
    // Speculation looks every 100 ms: it gives up at 13.2 s, and the other timer with it when it rings.
    world.spark.speculation = Some(Speculation::default());
    assert_eq!(simulate(&world, &Options::default()), Err(Failure::Stuck(14 * SECOND, 1)));
    world.spark.revive_ms = 0;
    let gave_up = 12 * SECOND + 200_000_000;
    assert_eq!(simulate(&world, &Options::default()), Err(Failure::Stuck(gave_up, 1)));
    world.spark.speculation = None;
    let lost_at = 10_000_000;
    assert_eq!(simulate(&world, &Options::default()), Err(Failure::Stuck(lost_at, 1)));
}

#[test]
fn an_executor_that_is_still_to_come_is_waited_for() {
    let mut world = with(|w| w.losses = vec![lost(0), lost(0)]);
    world.losses[1].replaced_after_ms = Some(3_600_000);
    let end = simulate(&world, &Options::default()).unwrap().end_ns;
    // It comes an hour after the loss; its two slots take two tasks of 100 ms at a time, four times.
    assert_eq!(end, 3_600 * SECOND + 410_000_000);
}

#[test]
fn times_without_end_are_cut_and_what_goes_on_for_too_long_is_given_up() {
    let world = with(|w| {
        first(w).durations = Durations::Pareto { least: 1e9, alpha: 0.01, most: None };
        (w.spark.launch_ms, w.spark.remote_penalty, w.cluster[0].speed) = (1e300, 1e300, 1e-300);
    });
    let most_ns = 3_600 * SECOND;
    let options = Options { most_ns, ..Options::default() };
    let why = simulate(&world, &options).unwrap_err();
    assert_eq!(why, Failure::TooLong(most_ns, 1));
    assert_eq!(
        why.to_string(),
        "it comes to no end: after 3600 s of simulated time 1 of its workflows have not ended"
    );
}
