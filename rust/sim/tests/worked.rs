//! Worlds worked out by hand: exact finish times. The engine's invariants hold in all of them.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "tests")]

mod hand;
mod invariants;

use hand::{constant, jcts, one_job, recorded, run, world};
use holdfast_engine::{Config, Copies, NeedRule, Policy};
use holdfast_sim::draw::{About, Draw};
use holdfast_sim::paper::{self, Foreground, Setting, Variant};
use holdfast_sim::world::{
    ChangeSpec, Durations, JobSpec, LossSpec, NodesSpec, PoolSpec, Preference, Speculation,
    StageSpec, WorkflowSpec,
};
use holdfast_sim::{Options, Placement, World, simulate};

/// Two slots: two tasks from 0 to 10 s, the third one from 10 to 20 s; the later job's tasks then.
#[test]
fn fifo_runs_the_earlier_job_first() {
    let workflows =
        vec![one_job(0, 0, vec![constant(3, 10_000)]), one_job(0, 1_000, vec![constant(2, 4_000)])];
    // The second job: one task from 10 to 14 s, one from 14 to 18 s.
    assert_eq!(jcts(&world(1, 2, workflows)), [20_000, 17_000]);
}

/// Two slots, a foreground of two phases, and a background that waits: the paper's Fig. 3.
///
/// Without holding, the slot that is free at 1 s goes to a background task until 11 s, the other one at 3 s until 13 s.
/// The second phase has a slot at 11 s, and the same one again at 12 s. With holding it begins at 3 s.
#[test]
fn a_held_slot_saves_the_barrier() {
    let foreground = one_job(10, 0, vec![recorded(&[1_000, 3_000]), constant(2, 1_000)]);
    let background = one_job(0, 500, vec![constant(4, 10_000)]);
    let stock = world(2, 1, vec![foreground, background]);
    assert_eq!(jcts(&stock), [13_000, 22_500]);
    let held = stock.with_engine(Config { copies: Copies::Off, ..Config::default() });
    let outcome = run(&held);
    assert_eq!(jcts(&held), [4_000, 23_500]);
    assert_eq!((outcome.barriers.held, outcome.barriers.kept), (1, 1));
    // One slot is held from 1 to 3 s.
    assert_eq!(outcome.usage.held_ns, 2_000_000_000);
}

/// The same world. One slot is set aside, the first executor's: the background begins at 3 s, on the other one, and has only
/// that. The second phase runs on the first one, one task after the other.
#[test]
fn slots_that_are_set_aside_are_not_used_by_others() {
    let foreground = one_job(10, 0, vec![recorded(&[1_000, 3_000]), constant(2, 1_000)]);
    let background = one_job(0, 500, vec![constant(4, 10_000)]);
    let config = Config { policy: Policy::Static, static_slots: 1, ..Config::default() };
    let world = world(2, 1, vec![foreground, background]).with_engine(config);
    assert_eq!(jcts(&world), [5_000, 42_500]);
    assert_eq!(run(&world).totals.unwrap().made, 0);
}

/// The same world, what the foreground releases is held for 1.5 s. The first slot is given away at 2.5 s, half a second too
/// early; the second one is kept. The background has the first one from 2.5 to 22.5 s, the second one from 5 to 25 s.
#[test]
fn a_timeout_that_is_shorter_than_the_barrier_loses_the_slot() {
    let foreground = one_job(10, 0, vec![recorded(&[1_000, 3_000]), constant(2, 1_000)]);
    let background = one_job(0, 500, vec![constant(4, 10_000)]);
    let config =
        Config { policy: Policy::Timeout, hold_max_ns: 1_500_000_000, ..Config::default() };
    let world = world(2, 1, vec![foreground, background]).with_engine(config);
    assert_eq!(jcts(&world), [5_000, 24_500]);
    assert_eq!(run(&world).totals.unwrap().expired, 1);
}

/// Both tasks of the second stage would like to run where the only task of the first one ran. The second one waits at
/// the nearest level from 1 to 4 s, on the host from 4 to 7 s; a round that comes at 7 s launches it elsewhere, where it
/// takes five times as long.
#[test]
fn locality_is_waited_for_level_by_level() {
    let near = |ms| constant(2, ms).preferring(Preference::Before);
    let build = |ms| {
        let mut world = world(2, 1, vec![one_job(0, 0, vec![constant(1, 1_000), near(ms)])]);
        world.spark.remote_penalty = 5.0;
        world
    };
    // Its place is free at 6 s.
    assert_eq!(jcts(&build(5_000)), [11_000]);
    // Its place would be free at 9 s.
    let far = build(8_000);
    assert_eq!(jcts(&far), [47_000]);
    let locality = run(&far).locality[0];
    assert_eq!((locality.process, locality.any, locality.none), (1, 1, 1));
}

/// Three slots; of the tasks of 1, 2 and 3 s the first one's slot is given back (SSR-3) and the background takes it. All
/// that read what they wrote are next to it on the two slots that are kept: the second stage takes 1 s. Were each bound to
/// the slot of the task of its own number, the first would have to read from afar, five times as long.
#[test]
fn who_reads_from_all_is_near_wherever_one_of_them_ran() {
    let build = |preference| {
        let second = constant(2, 1_000).preferring(preference);
        let foreground = one_job(10, 0, vec![recorded(&[1_000, 2_000, 3_000]), second]);
        let background = one_job(0, 500, vec![constant(4, 10_000)]);
        let mut world = world(3, 1, vec![foreground, background]);
        world.spark.remote_penalty = 5.0;
        let need = NeedRule::Literal;
        world.with_engine(Config { need, copies: Copies::Off, ..Config::default() })
    };
    assert_eq!(jcts(&build(Preference::Output))[0], 4_000);
    assert_eq!(jcts(&build(Preference::Before))[0], 8_000);
}

/// Two tasks on a fast node and a slow one, then so many, with copies; both nodes have one slot.
fn copied(next: u32) -> World {
    let next = constant(next, 1_000).preferring(Preference::Output);
    let mut world = world(1, 1, vec![one_job(10, 0, vec![constant(2, 1_000), next])]);
    world.cluster.push(NodesSpec { speed: 0.25, ..NodesSpec::new(1, 1) });
    world.spark.remote_penalty = 5.0;
    world.with_engine(Config { copy_age_ns: 0, copy_age_factor: 0, ..Config::default() })
}

/// Two tasks of 1 s on a fast executor and on one that takes four times as long. At 1 s the slow one's gets a copy on the
/// fast one, which is done at 2 s: both results are there. Both slots have been used, and both tasks of the next stage are
/// next to their input, until 3 s and 6 s. Were only those near that were first, the second would take until 22 s.
#[test]
fn slots_of_attempts_that_were_not_first_are_near_as_well() {
    let world = copied(2);
    assert_eq!(jcts(&world), [6_000]);
    let outcome = run(&world);
    assert_eq!((outcome.copies.launched, outcome.copies.won), (1, 1));
    assert_eq!((outcome.locality[1].process, outcome.locality[1].any), (2, 0));
}

/// The same, followed by three: two of them mind where they run, as many as there were before. The third does not, although
/// three attempts ran.
#[test]
fn a_copy_makes_no_further_task_near() {
    let outcome = run(&copied(3));
    assert_eq!((outcome.copies.launched, outcome.copies.won), (1, 1));
    let locality = outcome.locality[1];
    assert_eq!((locality.process, locality.any, locality.none), (2, 0, 4));
}

/// One task is followed by two: one is near where it ran, for the other there is no such slot, and it runs anywhere.
#[test]
fn a_task_beyond_those_before_has_nothing_to_be_near_to() {
    let second = constant(2, 1_000).preferring(Preference::Output);
    let mut world = world(2, 1, vec![one_job(0, 0, vec![constant(1, 1_000), second])]);
    world.spark.remote_penalty = 5.0;
    assert_eq!(jcts(&world), [2_000]);
    let locality = run(&world).locality[0];
    assert_eq!((locality.process, locality.any, locality.none), (1, 0, 2));
}

/// Three slots, weights 2 and 1: at 1 s the second pool gets one slot, at 2 s the first pool has one task left.
#[test]
fn fair_pools_share_by_weight() {
    let pool =
        |name: &str, weight| PoolSpec { name: name.into(), fair: false, weight, min_share: 0 };
    let job = |pool| one_job(0, 0, vec![constant(6, 1_000)]).in_pool(pool);
    let mut world = world(1, 3, vec![job(0), job(1)]);
    world.spark.fair = true;
    world.pools = vec![pool("a", 2), pool("b", 1)];
    assert_eq!(jcts(&world), [3_000, 4_000]);
}

/// The output of a finished map task is lost at 2 s. It runs again on the other executor when that is free at 5 s; the
/// second stage runs from 6 to 7 s.
#[test]
fn lost_output_is_made_again() {
    let stages = vec![recorded(&[1_000, 5_000]), constant(1, 1_000)];
    let mut world = world(2, 1, vec![one_job(0, 0, stages)]);
    world.losses =
        vec![LossSpec { at_ms: 2_000, executor: 0, replaced_after_ms: None, announced_ms: None }];
    assert_eq!(jcts(&world), [7_000]);
}

/// An attempt is lost with its executor at 2 s; another executor joins a second later, and the task runs for 5 s.
#[test]
fn a_lost_attempt_runs_again() {
    let mut world = world(1, 1, vec![one_job(0, 0, vec![constant(1, 5_000)])]);
    let replaced_after_ms = Some(1_000);
    world.losses =
        vec![LossSpec { at_ms: 2_000, executor: 0, replaced_after_ms, announced_ms: None }];
    assert_eq!(jcts(&world), [8_000]);
}

/// One of two executors is ten times as slow. The check at 1.6 s is the first one that finds the slow task older than
/// 1.5 times what the fast one took; its copy runs on the fast executor until 2.6 s.
#[test]
fn speculation_is_spark_s() {
    let slow = NodesSpec { speed: 0.1, ..NodesSpec::new(1, 1) };
    let workflows = vec![one_job(0, 0, vec![constant(2, 1_000)])];
    let mut world = World::new(1, vec![NodesSpec::new(1, 1), slow], workflows);
    world.spark.shuffled = false;
    world.spark.speculation =
        Some(Speculation { quantile: 0.5, multiplier: 1.5, ..Speculation::default() });
    let outcome = run(&world);
    assert_eq!(jcts(&world), [2_600]);
    assert_eq!((outcome.copies.launched, outcome.copies.won, outcome.wasted), (1, 1, 1));
}

/// Two slots, one job of 2 s and one that begins when a gap of 500 ms is over.
#[test]
fn jobs_of_a_workflow_wait_for_each_other() {
    let first = JobSpec::new(vec![constant(2, 2_000)]);
    let second = JobSpec::new(vec![constant(4, 1_000)]).after_gap(500);
    let workflow = WorkflowSpec::new(0, 0, vec![first, second]);
    assert_eq!(jcts(&world(1, 2, vec![workflow])), [4_500]);
}

/// Two roots run at the same time, their child after both.
#[test]
fn a_join_waits_for_both_sides() {
    let stages = vec![
        constant(1, 1_000).after(&[]),
        constant(1, 3_000).after(&[]),
        constant(1, 1_000).after(&[0, 1]),
    ];
    assert_eq!(jcts(&world(1, 2, vec![one_job(0, 0, stages)])), [4_000]);
}

/// One slot: the first stage to 1 s, the second one's only task finds its input lost at 1,001 ms. 200 ms later the first
/// stage begins again, to 2,201 ms, then the second one once more.
#[test]
fn a_stage_that_lacks_input_runs_again_after_its_parent() {
    let mut world = world(1, 1, vec![one_job(0, 0, vec![constant(1, 1_000), constant(1, 1)])]);
    world.faults.fetch_failing = 1.0;
    let options = Options { placements: true, ..Options::default() };
    let outcome = simulate(&world, &options).unwrap();
    let at = |p: &Placement| (p.at_ns / 1_000_000, p.stage, p.stage_attempt);
    let placements: Vec<_> = outcome.placements.iter().map(at).collect();
    assert_eq!(placements, [(0, 0, 0), (1_000, 1, 0), (1_201, 0, 1), (2_201, 1, 1)]);
    assert_eq!((outcome.end_ns, outcome.wasted), (2_202_000_000, 1));
}

/// One slot, two workflows of equal priority: the later one becomes more important at 500 ms, and runs from 1 to 3 s.
#[test]
fn a_priority_that_changes_counts_at_once() {
    let [mut first, mut second] = [(0, 3), (100, 2)].map(|(arrival, tasks)| {
        WorkflowSpec::new(0, arrival, vec![JobSpec::new(vec![constant(tasks, 1_000)])])
    });
    // Nothing is held for what may come after.
    (first.isolation_ppm, second.isolation_ppm) = (Some(0), Some(0));
    let mut world = world(1, 1, vec![first, second]).with_engine(Config::default());
    assert_eq!(jcts(&world), [3_000, 4_900]);
    world.changes = vec![ChangeSpec { at_ms: 500, workflow: 1, priority: 10 }];
    assert_eq!(jcts(&world), [5_000, 2_900]);
}

/// Two slots, one busy to 3 s. A barrier stage of two tasks comes at 1 s and finds one slot; a task of another job takes that
/// from 2 to 7 s. At 7 s both are free, and the barrier stage runs to 8 s.
#[test]
fn a_barrier_stage_starts_as_a_whole_or_not_at_all() {
    let mut together = constant(2, 1_000);
    together.barrier = true;
    let workflows = vec![
        one_job(0, 0, vec![constant(1, 3_000)]),
        one_job(0, 1_000, vec![together]),
        one_job(0, 2_000, vec![constant(1, 5_000)]),
    ];
    let mut world = world(2, 1, workflows);
    assert_eq!(jcts(&world), [3_000, 7_000, 5_000]);
    // Half a second after it has begun one of its executors is lost; another one comes at 8 s, and is offered alone. All runs
    // again from 9 s on, when everything is offered.
    world.losses = vec![LossSpec {
        at_ms: 7_500,
        executor: 0,
        replaced_after_ms: Some(500),
        announced_ms: None,
    }];
    assert_eq!(jcts(&world), [3_000, 9_000, 5_000]);
}

/// Four stages of 16 Pareto distributed tasks, which get their slots one by one from a crowd, a hundred times: as many
/// barriers keep all their slots as the isolation asks for, give or take two standard deviations of 300 such barriers.
#[test]
fn ssr_8_what_is_achieved_is_what_is_asked_for() {
    let pareto = Durations::Pareto { least: 500.0, alpha: 1.6, most: None };
    let stages = vec![StageSpec::new(16, pareto); 4];
    let crowd = |at| {
        let durations = Durations::Uniform { least: 3_000, most: 8_000 };
        one_job(0, at, vec![StageSpec::new(160, durations)])
    };
    for (asked, least, most) in [(200_000, 46, 74), (500_000, 133, 167), (900_000, 260, 280)] {
        let achieved = |seed| {
            let mut important = one_job(10, 15_000, stages.clone());
            (important.named, important.isolation_ppm) = (true, Some(asked));
            let mut world = world(6, 4, vec![important, crowd(0), crowd(5_000)]);
            (world.seed, world.spark.shuffled) = (seed, true);
            // Not `run`: so many checks of the log would take half a minute.
            simulate(&Variant::Literal.of(&world), &Options::default()).unwrap().barriers
        };
        let all: Vec<_> = (0..100).map(achieved).collect();
        let kept: u64 = all.iter().map(|barriers| barriers.kept).sum();
        assert_eq!(all.iter().map(|barriers| barriers.held).sum::<u64>(), 300);
        assert!((least..=most).contains(&kept), "{asked}: {kept}");
    }
}

/// How long a phase takes with copies by the paper's numeric model (section IV-C), in milliseconds: when half of its tasks
/// have ended, each of the others gets a copy, and the first of the two counts. `ms`: of a task's attempt.
fn phase_with_copies(tasks: u32, ms: impl Fn(u32, u64) -> u64) -> u64 {
    let mut all: Vec<(u64, u32)> = (0..tasks).map(|task| (ms(task, 0), task)).collect();
    all.sort_unstable();
    let (ended, left) = all.split_at(tasks.div_ceil(2) as usize);
    let half = ended[ended.len() - 1].0;
    let slowest = left.iter().map(|&(original, task)| (original - half).min(ms(task, 1))).max();
    half + slowest.unwrap_or(0)
}

/// The MLlib jobs of Fig. 17, twenty stages of twenty Pareto distributed tasks each: with copies of stragglers they take to
/// the millisecond what the numeric model says of the same draws. Nothing is lost between the two.
#[test]
fn ssr_10_copies_gain_what_the_numeric_model_says() {
    let setting =
        Setting { foreground: Foreground::Mllib, alpha: Some(1.6), jobs: 0, ..Setting::default() };
    let mut world = Variant::LiteralCopies.of(&paper::world(&setting));
    world.engine = world.engine.map(|engine| Config { grow: false, ..engine });
    // Without a background executors of several slots would be free beside those that are held, and as near.
    world.cluster = vec![NodesSpec::new(1_000, 1)];
    let draw = Draw::new(setting.seed).about(About::Duration);
    let expected = |(w, workflow): (u64, &WorkflowSpec)| -> u64 {
        let jobs = (0..).zip(&workflow.jobs).map(|(j, job)| {
            let stages = (0..).zip(&job.stages).map(|(s, stage)| {
                // Named by workflow, job, stage, its first attempt, task, and the task's attempt.
                let of = draw.of(w).of(j).of(s).of(0);
                let ms = |task: u32, attempt| {
                    stage.durations.millis(task, of.of(task.into()).of(attempt))
                };
                phase_with_copies(stage.tasks, ms)
            });
            job.gap_ms + stages.sum::<u64>()
        });
        jobs.sum()
    };
    let expected: Vec<u64> = (0..).zip(&world.workflows).map(expected).collect();
    // Not `run`: the reference takes minutes in a cluster of this size.
    let outcome = simulate(&world, &Options::default()).unwrap();
    let jcts: Vec<u64> = outcome.workflows.iter().map(|times| times.jct_ns() / 1_000_000).collect();
    assert_eq!(jcts, expected);
    let copies = outcome.copies;
    assert!(copies.launched > 3_900 && copies.won > 1_000, "{copies:?}");
}
