//! The workloads of the paper (NSDI'14, section 6.1): Facebook's and Bing's, on Hadoop and on Spark.
//!
//! Given there: task times of which the slowest of a job averages 8 times its median, with a tail of shape 1.259; errors
//! uniform from 5 to 30 %; deadlines 2 to 20 % above a job's ideal duration, in which each task takes its job's median;
//! small jobs have less than 50 tasks, large ones more than 500; tasks on Spark are shorter, and straggle more; progress
//! reports every 5 %, with a mean accuracy of 72 % of what is left and 76 % of what a new attempt takes.
//!
//! Not given, and chosen here, while looking at what the rules gain: other choices give other gains.
//!
//! * *Sizes of jobs*: 60 % of Facebook's and 50 % of Bing's are small, 30 and 35 % medium, the others large. Within its
//!   kind the logarithm of a job's size is uniform. The traces have more small ones; so each kind has enough to compare.
//! * *What a job gets*: slots are shared fairly. Deadline-bound jobs come so that [`CONCURRENT`] of them run at a time,
//!   whatever the rule: each stays for its deadline. The ideal duration is that of a job with [`SHARE`] slots:
//!   ceil(tasks / share) medians. That is more than 100 slots divided by the jobs: those that end leave theirs to
//!   others. Error-bound jobs come so that they ask for [`Setting::load`] of all
//!   slot-time without copies.
//! * *Sizes of tasks*: lognormal, sigma 0.6. The paper normalises times by input and says nothing of how that varies.
//!   GRASS takes the small ones first, what it is compared with does not: of 300 deadline-bound jobs of Facebook on
//!   Hadoop it does 36 % more than LATE with a sigma of 0.5, and 51 % more with 0.75.
//! * *Stragglers*: a quarter of all attempts on Hadoop and 30 % on Spark, of at least 2.5 times the median, and at most
//!   10 and 11 times: with a tail of 1.259 and no such cap the slowest of 1,000 tasks would take hundreds of medians.
//!   Others differ by up to a quarter. A task's attempts straggle independently.
//! * *DAGs*: each later stage has half the tasks of the one before and as long tasks. The bound is the first stage's: the
//!   deadline is what the paper leaves of the job's when it has taken off the later ones.

use std::f64::consts::TAU;

use crate::papers::grass::swim;
use crate::papers::grass::theory::BETA;
use crate::world::draw::{About, Draw};
use crate::world::whole;
use crate::world::{
    BoundSpec, Durations, JobSpec, NodesSpec, PoolSpec, ProgressSpec, StageSpec, WorkflowSpec,
    World,
};

/// Whose jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trace {
    /// Facebook's.
    Facebook,
    /// Bing's: larger ones.
    Bing,
    /// Facebook's of 2010 with sizes and times between jobs as SWIM has them: they come in bursts.
    Swim,
}

/// On what they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Framework {
    /// Hadoop: tasks of half a minute.
    Hadoop,
    /// Spark: tasks of seconds, with more stragglers.
    Spark,
}

/// What bounds all jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// Deadlines.
    Deadlines,
    /// Errors of 5 to 30 %.
    Errors,
    /// An error of 0.
    Exact,
}

/// Which world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Everything is drawn from it.
    pub seed: u64,
    /// Whose jobs.
    pub trace: Trace,
    /// On what they run.
    pub framework: Framework,
    /// What bounds them.
    pub bounds: Bounds,
    /// How many.
    pub jobs: u32,
    /// Stages of each.
    pub stages: u32,
    /// Of all slot-time, what error-bound jobs ask for.
    pub load: f64,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            seed: 1,
            trace: Trace::Facebook,
            framework: Framework::Hadoop,
            bounds: Bounds::Deadlines,
            jobs: 400,
            stages: 1,
            load: 0.6,
        }
    }
}

/// Nodes.
const NODES: u32 = 50;
/// Slots of each.
const SLOTS: u32 = 2;
/// Deadline-bound jobs that run at a time, on average.
pub const CONCURRENT: u32 = 14;
/// Slots that a job is taken to have.
pub const SHARE: u32 = 10;
/// Sigma of the logarithm of a task's size.
const SIGMA: f64 = 0.6;
/// Mean of |estimate - truth| / truth of what is left.
const REST_ERROR: f64 = 0.28;
/// The same of sizes; stragglers do the rest to what a new attempt takes.
const SIZE_ERROR: f64 = 0.1;

/// Names of the bins of the paper's figures.
pub const BINS: [&str; 3] = ["small", "medium", "large"];

/// Returns the bin of a job by its number of tasks.
#[must_use]
pub const fn bin(tasks: u32) -> usize {
    match tasks {
        0..=50 => 0,
        51..=500 => 1,
        _ => 2,
    }
}

/// Returns the world of a setting, without an engine.
#[must_use]
pub fn world(setting: &Setting) -> World {
    let draw = Draw::new(setting.seed).about(About::Workload);
    let mut workflows: Vec<WorkflowSpec> =
        (0..setting.jobs).map(|i| workflow(draw.of(1).of(i.into()), setting)).collect();
    let between = between_ms(setting, &workflows);
    let mut at = 0.0;
    for (i, workflow) in (0..).zip(&mut workflows) {
        let drawn = draw.of(2).of(i).uniform();
        at += between
            * match setting.trace {
                Trace::Facebook | Trace::Bing => -libm::log(1.0 - drawn),
                Trace::Swim => swim::between(drawn),
            };
        workflow.arrival_ms = whole(at);
    }
    let mut world = World::new(setting.seed, vec![NodesSpec::new(NODES, SLOTS)], workflows);
    world.pools = vec![PoolSpec { name: "all".into(), fair: true, weight: 1, min_share: 0 }];
    world.spark.fair = true;
    world.spark.progress = Some(ProgressSpec {
        rest_error: REST_ERROR,
        size_error: SIZE_ERROR,
        ..ProgressSpec::default()
    });
    world
}

/// Returns the mean time between two jobs, in milliseconds.
fn between_ms(setting: &Setting, workflows: &[WorkflowSpec]) -> f64 {
    let jobs = || workflows.iter().flat_map(|workflow| &workflow.jobs);
    let stays: f64 = jobs().map(stays_ms).sum();
    let slots = f64::from(NODES * SLOTS);
    let span = match setting.bounds {
        Bounds::Deadlines => stays / f64::from(CONCURRENT),
        Bounds::Errors | Bounds::Exact => {
            jobs().map(|job| work_ms(job, setting.framework)).sum::<f64>() / setting.load / slots
        }
    };
    span / f64::from(setting.jobs.max(1))
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn stays_ms(job: &JobSpec) -> f64 {
    let later = job.stages.iter().skip(1).map(|stage| ideal_ms(stage.tasks, median_ms(stage)));
    match job.bound {
        Some(BoundSpec::DeadlineMs(ms)) => ms as f64 + later.sum::<f64>(),
        _ => 0.0,
    }
}

/// Returns the slot-time that a job asks for without copies, in milliseconds.
fn work_ms(job: &JobSpec, framework: Framework) -> f64 {
    let kept = job.bound.and_then(|bound| bound.enough(job.stages[0].tasks));
    let tasks = |place: usize, stage: &StageSpec| match kept {
        Some(kept) if place == 0 => kept,
        _ => stage.tasks,
    };
    let size = libm::exp(SIGMA * SIGMA / 2.0);
    let of = |(place, stage): (usize, &StageSpec)| {
        f64::from(tasks(place, stage)) * median_ms(stage) * size * stretch(framework)
    };
    job.stages.iter().enumerate().map(of).sum()
}

fn median_ms(stage: &StageSpec) -> f64 {
    match stage.durations {
        Durations::Straggling { median, .. } => median,
        _ => 0.0,
    }
}

/// Returns how long a stage takes in its share of the slots if each task takes the median.
fn ideal_ms(tasks: u32, median: f64) -> f64 {
    f64::from(tasks.div_ceil(SHARE)) * median
}

/// Returns the time of each task's first attempt, in medians of its job, before sizes count: as simulated, or `capped` by
/// nothing (Fig. 3).
#[must_use]
pub fn times_in_medians(setting: &Setting, capped: bool) -> Vec<f64> {
    let draw = Draw::new(setting.seed).about(About::Duration);
    let mut times = Vec::new();
    for (i, workflow) in (0..).zip(&world(setting).workflows) {
        for stage in workflow.jobs.iter().flat_map(|job| &job.stages) {
            let mut durations = stage.durations.clone();
            if let (Durations::Straggling { most, .. }, false) = (&mut durations, capped) {
                *most = f64::MAX;
            }
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            let time = |task: u32| durations.millis(task, draw.of(i).of(task.into())) as f64;
            times.extend((0..stage.tasks).map(|task| time(task) / median_ms(stage)));
        }
    }
    times
}

/// Returns by which share of its ideal duration a job's deadline is above that; 0 without a deadline.
#[must_use]
pub fn slack(job: &JobSpec) -> f64 {
    let (Some(BoundSpec::DeadlineMs(ms)), Some(stage)) = (job.bound, job.stages.first()) else {
        return 0.0;
    };
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let times = ms as f64 / ideal_ms(stage.tasks, median_ms(stage));
    times - 1.0
}

/// The share of attempts that straggle, how many times the median they take at least, and at most.
const fn stragglers(framework: Framework) -> (f64, f64, f64) {
    match framework {
        Framework::Hadoop => (0.25, 2.5, 10.0),
        Framework::Spark => (0.3, 2.5, 11.0),
    }
}

/// Returns the mean time of an attempt, in medians.
fn stretch(framework: Framework) -> f64 {
    let (share, least, most) = stragglers(framework);
    let below = BETA * least / (BETA - 1.0) * (1.0 - libm::pow(least / most, BETA - 1.0));
    let tail = below + most * libm::pow(least / most, BETA);
    (1.0 - share) + share * tail
}

fn workflow(draw: Draw, setting: &Setting) -> WorkflowSpec {
    let between =
        |i: u64, least: f64, most: f64| least * libm::pow(most / least, draw.of(i).uniform());
    let tasks = match setting.trace {
        Trace::Facebook => by_kind(draw, (0.6, 0.3)),
        Trace::Bing => by_kind(draw, (0.5, 0.35)),
        Trace::Swim => swim::tasks(draw.of(0).uniform()),
    };
    let tasks = u32::try_from(whole(tasks)).unwrap_or(1);
    let median = match setting.framework {
        Framework::Hadoop => between(2, 15_000.0, 60_000.0),
        Framework::Spark => between(2, 1_000.0, 4_000.0),
    };
    let (share, least, most) = stragglers(setting.framework);
    let durations = Durations::Straggling { median, spread: 0.25, share, least, alpha: BETA, most };
    let stages = (0..setting.stages.max(1)).map(|place| {
        let tasks = (tasks >> place).max(1);
        let of = draw.of(3).of(place.into());
        let sizes = (0..tasks).map(|task| size(of.of(task.into()))).collect();
        StageSpec { sizes, ..StageSpec::new(tasks, durations.clone()) }
    });
    let more = draw.of(4).uniform();
    let bound = match setting.bounds {
        Bounds::Deadlines => {
            BoundSpec::DeadlineMs(whole(ideal_ms(tasks, median) * (1.02 + 0.18 * more)))
        }
        Bounds::Errors => {
            BoundSpec::ErrorPpm(u32::try_from(whole(50_000.0 + 250_000.0 * more)).unwrap_or(0))
        }
        Bounds::Exact => BoundSpec::ErrorPpm(0),
    };
    let job = JobSpec::new(stages.collect()).bounded(bound);
    let mut workflow = WorkflowSpec::new(0, 0, vec![job]).in_pool(0);
    workflow.named = false;
    workflow
}

/// Draws a job's number of tasks, by the shares of small and of medium jobs.
fn by_kind(draw: Draw, (small, medium): (f64, f64)) -> f64 {
    let (least, most) = match draw.of(0).uniform() {
        u if u < small => (10.0, 50.0),
        u if u < small + medium => (51.0, 500.0),
        _ => (501.0, 1_500.0),
    };
    least * libm::pow((most + 1.0) / least, draw.of(1).uniform())
}

/// Draws a task's size, in thousandths.
fn size(draw: Draw) -> u32 {
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - draw.of(0).uniform()));
    let normal = radius * libm::cos(TAU * draw.of(1).uniform());
    u32::try_from(whole(1_000.0 * libm::exp(SIGMA * normal))).unwrap_or(1_000).max(1)
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "tests")]
mod tests {
    use super::*;

    /// Of all jobs, the slowest task of each against its median, by size.
    fn slowest(setting: &Setting) -> f64 {
        let world = world(setting);
        let draw = Draw::new(setting.seed).about(About::Duration);
        let of = |(i, workflow): (u64, &WorkflowSpec)| {
            let stage = &workflow.jobs[0].stages[0];
            let ms = |task: u32| stage.durations.millis(task, draw.of(i).of(task.into()));
            let mut all: Vec<u64> = (0..stage.tasks).map(ms).collect();
            all.sort_unstable();
            all[all.len() - 1] as f64 / all[all.len() / 2] as f64
        };
        let all: Vec<f64> = (0..).zip(&world.workflows).map(of).collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    #[test]
    fn the_slowest_task_takes_some_eight_medians() {
        let hadoop = slowest(&Setting { jobs: 2_000, ..Setting::default() });
        assert!((7.0..9.5).contains(&hadoop), "{hadoop}");
        let spark = Setting { framework: Framework::Spark, jobs: 2_000, ..Setting::default() };
        assert!(slowest(&spark) > hadoop);
    }

    #[test]
    fn bounds_are_as_the_paper_says() {
        for bounds in [Bounds::Deadlines, Bounds::Errors] {
            let world = world(&Setting { bounds, jobs: 500, ..Setting::default() });
            world.check().unwrap();
            for workflow in &world.workflows {
                let job = &workflow.jobs[0];
                let ideal = ideal_ms(job.stages[0].tasks, median_ms(&job.stages[0]));
                match job.bound.unwrap() {
                    BoundSpec::DeadlineMs(ms) => {
                        let times = ms as f64 / ideal;
                        assert!((1.019..1.2).contains(&times), "{times}");
                    }
                    BoundSpec::ErrorPpm(ppm) => assert!((50_000..300_000).contains(&ppm)),
                }
            }
        }
    }

    #[test]
    fn fifty_tasks_are_few() {
        assert_eq!([1, 50, 51, 500, 501].map(bin), [0, 0, 1, 1, 2]);
    }
}
