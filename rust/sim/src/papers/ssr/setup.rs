//! The simulation of the paper (ICDCS'17, section VI-B, Fig. 15): its cluster, its foregrounds, its background.
//!
//! Given there: 1,000 nodes with 4,000 slots, a locality wait of 3 s, five (or ten) times the run time without
//! locality, 8,000 background jobs synthesized from an hour of a Google trace, SQL and MLlib, 20 TPC-DS queries and
//! MLlib jobs in the foreground at a higher priority, also with twice the parallelism.
//!
//! Not given, and chosen here:
//!
//! * *The background's mix*: 80 % Google, 10 % SQL, 10 % MLlib jobs; the paper says that it has all three (only its
//!   Fig. 13 has a background of maps alone), not how many of each. What SSR costs the background, it costs those of
//!   several stages: half as many of them would be slowed by half as much, on average over all. Google jobs follow the
//!   statistics of such an hour, run times divided by ten: 78 % of the jobs have one task, the mean is 9; task times
//!   are equal within a job, lognormal with a median of 12.6 s, cut at 1.6 and 351 s. MLlib jobs have the stages of
//!   `KMeans` with 5 iterations. SQL queries scan one to three tables and join them; 44 % of the stages are wider and
//!   17 % narrower than what they read, as in public traces.
//! * *How fast it arrives* ([`Setting::load`]): it asks for 0.7 of all slot-time, not counting what tasks away from
//!   their input take longer. The paper says that a task easily finds a slot soon and that locality is what matters,
//!   and finds about the same slowdowns when background tasks take twice as long. That is so up to 0.7: jobs of one
//!   stage take what they take alone, in all three settings. From 0.8 on, with longer tasks or ten times the time
//!   without locality, what the background loses makes it ask for more than there is, and all jobs queue; at 0.9 in the
//!   standard setting, too.
//! * *Where the first tasks of a job run*: anywhere equally fast. No slot can be held for a job that has not come. If
//!   each of them had one host to be near to, MLlib under Algorithm 1 would take 1.38 times its time alone at 5 times
//!   the time without locality and 1.84 at 10 times, all of it in the first stage; the paper has less than 1.10 for
//!   both.
//! * *What is next to the input*: any executor where a task of the stage before ran ([`Preference::Output`]), as in the
//!   paper ("slots used in previous phases hold the output data"), also for copies of stragglers, which run on such
//!   slots. Where an attempt lost against a copy the slot was used as well. If only those of winners were near, up to
//!   half of the held slots would be far from everything after a stage with copies, and these would cut MLlib by 60.8
//!   to 64.6 % instead of 69.0 to 73.3 % (two seeds, alpha = 1.6). Tasks beyond those of the stage before have no such
//!   slot, alone or not, and run anywhere equally fast. If a task were bound to the executor of the task of its own
//!   number, half of what Algorithm 1 keeps for a narrower stage would be the wrong slots, and the slots that
//!   pre-reservation adds, at five times the time, would be worse than none.

use std::f64::consts::TAU;

pub use crate::papers::ssr::variant::Variant;
use crate::world::draw::{About, Draw};
use crate::world::whole;
use crate::world::{Durations, JobSpec, NodesSpec, Preference, StageSpec, WorkflowSpec, World};

/// What runs in the foreground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreground {
    /// 20 queries.
    Sql,
    /// 20 MLlib jobs of 20 tasks a stage.
    Mllib,
    /// The same with 40 tasks.
    MllibWide,
}

/// Which of the paper's worlds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Everything is drawn from it.
    pub seed: u64,
    /// Nodes with four slots each; the background grows with them.
    pub nodes: u32,
    /// Background jobs for 1,000 nodes.
    pub jobs: u32,
    /// Slot-time that the background asks for while it arrives, of what there is, if all of it ran next to its input.
    pub load: f64,
    /// How many times as long its tasks run.
    pub long: f64,
    /// How many times as long a task runs without locality.
    pub penalty: f64,
    /// What is of interest.
    pub foreground: Foreground,
    /// The foreground's tasks take Pareto distributed times of this shape, with the mean that they have otherwise
    /// (Fig. 17); above 1.
    pub alpha: Option<f64>,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 1000,
            jobs: 8000,
            load: 0.7,
            long: 1.0,
            penalty: 5.0,
            foreground: Foreground::Sql,
            alpha: None,
        }
    }
}

impl Setting {
    /// Returns the number of background jobs.
    #[must_use]
    pub fn background(&self) -> u64 {
        u64::from(self.jobs) * u64::from(self.nodes) / 1000
    }
}

/// Foreground workflows.
const FOREGROUNDS: u32 = 20;
/// Slots of a node.
const SLOTS: u32 = 4;

/// Returns the world of a setting, without an engine.
#[must_use]
pub fn world(setting: &Setting) -> World {
    let draw = Draw::new(setting.seed).about(About::Workload);
    let jobs = setting.background();
    let mut workflows: Vec<WorkflowSpec> =
        (0..jobs).map(|i| background(draw.of(1).of(i), setting.long)).collect();
    let work: f64 = workflows.iter().map(expected_ms).sum();
    let span = work / (setting.load * f64::from(setting.nodes * SLOTS));
    log::debug!(
        "{setting:?}: {jobs} background jobs of {work:.0} ms of slot-time arrive within {span:.0} ms"
    );
    let mut at = 0.0;
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let mean = span / jobs.max(1) as f64;
    for (i, workflow) in (0..).zip(&mut workflows) {
        at -= mean * libm::log(1.0 - draw.of(2).of(i).uniform());
        workflow.arrival_ms = whole(at);
    }
    for i in 0..FOREGROUNDS {
        // From a fifth of the background's time to four fifths of it.
        let share = 0.2 + 0.6 * f64::from(i) / f64::from(FOREGROUNDS);
        let jobs = match setting.foreground {
            Foreground::Sql => vec![query(draw.of(3).of(i.into()), 1.0)],
            Foreground::Mllib => mllib(draw.of(3).of(i.into()), 20, 1.0),
            Foreground::MllibWide => mllib(draw.of(3).of(i.into()), 40, 1.0),
        };
        let jobs = match setting.alpha {
            Some(alpha) => heavy_tailed(jobs, alpha),
            None => jobs,
        };
        workflows.push(WorkflowSpec::new(10, whole(span * share), jobs));
    }
    let mut world = World::new(setting.seed, vec![NodesSpec::new(setting.nodes, SLOTS)], workflows);
    world.spark.remote_penalty = setting.penalty;
    world
}

/// Returns the slot-time that a workflow asks for, in milliseconds.
fn expected_ms(workflow: &WorkflowSpec) -> f64 {
    let of = |stage: &StageSpec| f64::from(stage.tasks) * mean_ms(&stage.durations);
    workflow.jobs.iter().flat_map(|job| &job.stages).map(of).sum()
}

fn mean_ms(durations: &Durations) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    match durations {
        Durations::Constant { ms } => *ms as f64,
        Durations::Uniform { least, most } => (least + most) as f64 / 2.0,
        Durations::Pareto { .. }
        | Durations::Straggling { .. }
        | Durations::Recorded { .. }
        | Durations::Resampled { .. } => 0.0,
    }
}

/// Returns the same jobs, the times of each stage Pareto distributed with the same mean.
fn heavy_tailed(mut jobs: Vec<JobSpec>, alpha: f64) -> Vec<JobSpec> {
    for stage in jobs.iter_mut().flat_map(|job| &mut job.stages) {
        stage.durations = Durations::pareto_of_mean(mean_ms(&stage.durations), alpha, None);
    }
    jobs
}

fn background(draw: Draw, long: f64) -> WorkflowSpec {
    let kind = draw.of(0).uniform();
    let jobs = if kind < 0.8 {
        vec![JobSpec::new(vec![google(draw, long)])]
    } else if kind < 0.9 {
        vec![query(draw, long)]
    } else {
        mllib(draw, 20, long)
    };
    WorkflowSpec::new(0, 0, jobs)
}

fn google(draw: Draw, long: f64) -> StageSpec {
    let of = |i: u64, least: u32, most: u32| least + draw.of(i).up_to(most - least);
    let tasks = match draw.of(1).uniform() {
        u if u < 0.78 => 1,
        u if u < 0.82 => 2,
        u if u < 0.93 => of(2, 3, 20),
        u if u < 0.97 => of(2, 21, 100),
        _ => of(2, 120, 303),
    };
    let radius = libm::sqrt(-2.0 * libm::log(1.0 - draw.of(3).uniform()));
    let normal = radius * libm::cos(TAU * draw.of(4).uniform());
    let seconds = (12.6 * libm::exp(1.09 * normal)).clamp(1.6, 351.0) * long;
    StageSpec::new(tasks, Durations::Constant { ms: whole(seconds * 1e3) })
}

fn times(least: f64, most: f64, long: f64) -> Durations {
    Durations::Uniform { least: whole(least * long), most: whole(most * long) }
}

/// Returns the stages of k-means with five iterations: 14 jobs, gaps of 50 ms, cached partitions.
fn mllib(draw: Draw, tasks: u32, long: f64) -> Vec<JobSpec> {
    let scale = long * (0.5 + draw.of(5).uniform());
    let stage =
        || StageSpec::new(tasks, times(500.0, 2000.0, scale)).preferring(Preference::Output);
    let mut load = StageSpec::new(tasks, times(1000.0, 4000.0, scale));
    load.fills_cache = true;
    let mut jobs = vec![JobSpec::new(vec![load])];
    let singles = (0..5).map(|_| JobSpec::new(vec![stage()]));
    jobs.extend(singles);
    jobs.extend((0..6).map(|_| JobSpec::new(vec![stage(), stage()])));
    jobs.extend((0..2).map(|_| JobSpec::new(vec![stage()])));
    jobs.into_iter().map(|job| job.after_gap(50)).collect()
}

/// Draws a query: scans, then stages one after the other, each of another width.
fn query(draw: Draw, long: f64) -> JobSpec {
    let scans = 1 + draw.of(10).up_to(2);
    let mut stages: Vec<StageSpec> = (0..scans)
        .map(|i| {
            let tasks = 8 + draw.of(11).of(i.into()).up_to(56);
            StageSpec::new(tasks, times(500.0, 3000.0, long)).after(&[])
        })
        .collect();
    let mut parents: Vec<usize> = (0..stages.len()).collect();
    let mut width = stages.iter().map(|s| s.tasks).max().unwrap_or(1);
    for i in 0..2 + draw.of(12).up_to(3) {
        let of = draw.of(13).of(i.into());
        let factor = match of.of(0).uniform() {
            u if u < 0.44 => 1.5 + 1.5 * of.of(1).uniform(),
            u if u < 0.61 => 0.3 + 0.4 * of.of(1).uniform(),
            _ => 1.0,
        };
        width = u32::try_from(whole(f64::from(width) * factor)).unwrap_or(1).clamp(1, 200);
        let stage = StageSpec::new(width, times(500.0, 3000.0, long));
        stages.push(stage.preferring(Preference::Output).after(&parents));
        parents = vec![stages.len() - 1];
    }
    JobSpec::new(stages)
}
