//! What a simulation follows from: executors, workflows, and how Spark and the engine are configured.

use std::fmt;

use holdfast_engine::{Config, Resources};
use serde::{Deserialize, Serialize};

use crate::world::bounds::BoundSpec;
use crate::world::durations::Durations;
use crate::world::spark::SparkSpec;

/// Where the tasks of a stage would like to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preference {
    /// It does not matter.
    #[default]
    Anywhere,
    /// On a host, drawn for each task: input in a distributed file system.
    Hosts,
    /// On an executor, drawn for each task: cached partitions.
    Executors,
    /// On the executor where the task of the same number of its first parent ran last, or of the same stage place in
    /// the workflow's job before when it has no parent: its output, or what that cached.
    Before,
    /// On the executor where the task of the same number of another stage of the workflow ran: what that cached.
    CachedBy {
        /// The place of that stage's job in the workflow, not larger than its own.
        job: usize,
        /// Its place in that job; smaller than its own, if the job is the same.
        stage: usize,
    },
    /// On one of the executors whose slots tasks of its parents have used, or as `Before` when it has none: each holds
    /// a part of what every task reads, so one is as good as another. Attempts that were not first count, too. They are
    /// dealt out when the set is submitted, one for each attempt that ran there, those with a free slot first. A task
    /// for which none is left does not care.
    Output,
}

/// A stage of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageSpec {
    /// Its number of tasks.
    pub tasks: u32,
    /// How long they run at their best place.
    pub durations: Durations,
    /// Stages of the job that come before it, by their places (smaller than its own). None said: the stage before it.
    #[serde(default)]
    pub parents: Option<Vec<usize>>,
    /// Where its tasks would like to run.
    #[serde(default)]
    pub preference: Preference,
    /// Whether its tasks compute partitions that will be cached.
    #[serde(default)]
    pub fills_cache: bool,
    /// Whether all its tasks start together or none does. They do not fail, and do not care where they run.
    #[serde(default)]
    pub barrier: bool,
    /// What its tasks ask for, by its place in the world's profiles.
    #[serde(default)]
    pub profile: usize,
    /// By which it is known again when the workflow repeats itself; none said: its number of tasks.
    #[serde(default)]
    pub signature: Option<u32>,
    /// How much each task has to do, in thousandths of what `durations` says; those beyond, and all if there are none:
    /// 1,000.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sizes: Vec<u32>,
}

impl StageSpec {
    /// Returns a stage that follows the one before it, of tasks without a preference.
    #[must_use]
    pub fn new(tasks: u32, durations: Durations) -> Self {
        Self {
            tasks,
            durations,
            parents: None,
            preference: Preference::Anywhere,
            fills_cache: false,
            barrier: false,
            profile: 0,
            signature: None,
            sizes: Vec::new(),
        }
    }

    /// Returns the same with another preference.
    #[must_use]
    pub fn preferring(mut self, preference: Preference) -> Self {
        self.preference = preference;
        self
    }

    /// Returns the same with other parents.
    #[must_use]
    pub fn after(mut self, parents: &[usize]) -> Self {
        self.parents = Some(parents.to_vec());
        self
    }
}

/// A Spark job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobSpec {
    /// What the driver takes before it submits the job, in milliseconds: after what it waits for, or the arrival.
    #[serde(default)]
    pub gap_ms: u64,
    /// Jobs of the workflow that have to end before, by their places (smaller than its own). None said: the job before
    /// it.
    #[serde(default)]
    pub after: Option<Vec<usize>>,
    /// Its stages. The last one is what the job is for; all others lead to it.
    pub stages: Vec<StageSpec>,
    /// Whether it ends in shuffle output: a query stage of adaptive execution.
    #[serde(default)]
    pub ends_in_shuffle: bool,
    /// Milliseconds before it is submitted at which a thread of the driver draws its number, by which FIFO goes.
    #[serde(default)]
    pub numbered_ahead_ms: u64,
    /// Milliseconds after it was submitted at which the user cancels it.
    #[serde(default)]
    pub cancel_after_ms: Option<u64>,
    /// What it can do without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<BoundSpec>,
}

impl JobSpec {
    /// Returns a job of a chain of stages.
    #[must_use]
    pub fn new(stages: Vec<StageSpec>) -> Self {
        Self {
            gap_ms: 0,
            after: None,
            stages,
            ends_in_shuffle: false,
            numbered_ahead_ms: 0,
            cancel_after_ms: None,
            bound: None,
        }
    }

    /// Returns the same with a bound.
    #[must_use]
    pub fn bounded(mut self, bound: BoundSpec) -> Self {
        self.bound = Some(bound);
        self
    }

    /// Returns the same after a gap.
    #[must_use]
    pub fn after_gap(mut self, gap_ms: u64) -> Self {
        self.gap_ms = gap_ms;
        self
    }
}

/// Jobs that belong together: what a user sees as one computation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkflowSpec {
    /// Larger is more important; 0 is Spark's default.
    #[serde(default)]
    pub priority: i32,
    /// P in millionths; none said: 1,000,000.
    #[serde(default)]
    pub isolation_ppm: Option<u32>,
    /// The parallelism that the user declares for what comes next; 0: none.
    #[serde(default)]
    pub parallelism: u32,
    /// Whether it has a name, so that another job of it may follow any. Without one each job is a workflow of its own.
    #[serde(default)]
    pub named: bool,
    /// Its pool, by its place in the world's; none: Spark's pool `default`.
    #[serde(default)]
    pub pool: Option<usize>,
    /// When it comes, in milliseconds.
    pub arrival_ms: u64,
    /// Its jobs.
    pub jobs: Vec<JobSpec>,
    /// Whether its time is of interest: a foreground.
    #[serde(default)]
    pub foreground: bool,
}

impl WorkflowSpec {
    /// Returns a workflow with a name.
    #[must_use]
    pub fn new(priority: i32, arrival_ms: u64, jobs: Vec<JobSpec>) -> Self {
        Self {
            priority,
            isolation_ppm: None,
            parallelism: 0,
            named: true,
            pool: None,
            arrival_ms,
            jobs,
            foreground: priority > 0,
        }
    }

    /// Returns the same in a pool.
    #[must_use]
    pub fn in_pool(mut self, pool: usize) -> Self {
        self.pool = Some(pool);
        self
    }
}

/// A pool of the fair scheduler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolSpec {
    /// Decides between pools that are equally far from their shares.
    pub name: String,
    /// Whether task sets in it share fairly, or go in the order of jobs and stages.
    #[serde(default)]
    pub fair: bool,
    /// Compared with other pools.
    pub weight: u32,
    /// Slots that it gets before others get more.
    #[serde(default)]
    pub min_share: u32,
}

/// Hosts that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodesSpec {
    /// How many.
    pub nodes: u32,
    /// Executors on each.
    pub executors_per_node: u32,
    /// All that one executor has.
    pub capacity: Resources,
    /// How fast it is compared with others: 2 halves every task's time.
    #[serde(default = "one")]
    pub speed: f64,
    /// The number of the first host; none: after those before.
    #[serde(default)]
    pub first_host: Option<u32>,
    /// When they join, in milliseconds.
    #[serde(default)]
    pub joins_ms: u64,
}

impl NodesSpec {
    /// Makes hosts with one executor of `slots` slots each.
    #[must_use]
    pub fn new(nodes: u32, slots: u32) -> Self {
        let capacity = Resources::cpu(slots * 1000);
        Self { nodes, executors_per_node: 1, capacity, speed: 1.0, first_host: None, joins_ms: 0 }
    }
}

/// An executor is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LossSpec {
    /// When, in milliseconds; or when it is announced.
    pub at_ms: u64,
    /// Which of those that are there then, in the order of joining.
    pub executor: usize,
    /// Milliseconds after which another one like it joins on its host.
    #[serde(default)]
    pub replaced_after_ms: Option<u64>,
    /// For how many milliseconds before it is lost it is being decommissioned.
    #[serde(default)]
    pub announced_ms: Option<u64>,
}

/// The user gives a workflow another priority (`Holdfast.setPriority`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeSpec {
    /// When, in milliseconds.
    pub at_ms: u64,
    /// Which, by its place in the world's; it must have a name.
    pub workflow: usize,
    /// Its priority from then on.
    pub priority: i32,
}

/// How often attempts do not end well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// Share of attempts that fail. The third attempt of a task does not.
    pub failing: f64,
    /// Share of attempts that find some of their input lost: of the first attempt of a stage that has parents.
    pub fetch_failing: f64,
    /// Share of attempts that ignore it when they are killed.
    pub stubborn: f64,
}

/// All that a simulation follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// Everything is drawn from it.
    #[serde(default)]
    pub seed: u64,
    /// The executors, in the order of joining.
    pub cluster: Vec<NodesSpec>,
    /// What one task asks for; the first one is what executors are for.
    #[serde(default = "one_core")]
    pub profiles: Vec<Resources>,
    /// Pools, if `spark.fair`. Without any, all task sets are in Spark's pool `default`, which shares fairly then.
    #[serde(default)]
    pub pools: Vec<PoolSpec>,
    /// What runs.
    pub workflows: Vec<WorkflowSpec>,
    /// Only this one of them comes, and takes what it would take: how fast it is alone.
    #[serde(default)]
    pub only: Option<usize>,
    /// Executors that are lost.
    #[serde(default)]
    pub losses: Vec<LossSpec>,
    /// Priorities that change.
    #[serde(default)]
    pub changes: Vec<ChangeSpec>,
    /// Attempts that do not end well.
    #[serde(default)]
    pub faults: Faults,
    /// Spark.
    #[serde(default)]
    pub spark: SparkSpec,
    /// The engine; none: Spark without Holdfast.
    #[serde(default)]
    pub engine: Option<Config>,
}

impl World {
    /// Spark's defaults, without Holdfast.
    #[must_use]
    pub fn new(seed: u64, cluster: Vec<NodesSpec>, workflows: Vec<WorkflowSpec>) -> Self {
        Self {
            seed,
            cluster,
            profiles: one_core(),
            pools: Vec::new(),
            workflows,
            only: None,
            losses: Vec::new(),
            changes: Vec::new(),
            faults: Faults::default(),
            spark: SparkSpec::default(),
            engine: None,
        }
    }

    /// Returns the same with that engine.
    #[must_use]
    pub fn with_engine(mut self, config: Config) -> Self {
        self.engine = Some(config);
        self
    }
}

/// Why a world cannot be simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWorld(pub String);

impl fmt::Display for BadWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadWorld {}

fn one() -> f64 {
    1.0
}

fn one_core() -> Vec<Resources> {
    vec![Resources::cpu(1000)]
}
