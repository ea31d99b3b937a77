//! What a simulation follows from: executors, workflows, and how Spark and the engine are configured.

use holdfast_engine::Config;
use serde::{Deserialize, Serialize};

use crate::draw::{About, Draw};

/// How long attempts run, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Durations {
    /// The same for all.
    Constant {
        /// Milliseconds.
        ms: f64,
    },
    /// Uniform between two.
    Uniform {
        /// Least, in milliseconds.
        least: f64,
        /// Most, in milliseconds.
        most: f64,
    },
    /// Pareto: heavy-tailed, as task times of production clusters are.
    Pareto {
        /// Least, in milliseconds.
        least: f64,
        /// Shape.
        alpha: f64,
        /// No attempt takes longer, in milliseconds.
        most: Option<f64>,
    },
    /// Of each task, as recorded; copies and retries take as long.
    Recorded {
        /// Milliseconds by task.
        ms: Vec<f64>,
    },
}

impl Durations {
    /// Nanoseconds of an attempt, at least 1.
    ///
    /// `of` names the attempt, so that it takes the same time under every policy.
    #[must_use]
    pub fn nanos(&self, draw: Draw, task: u32, of: &[u64]) -> u64 {
        let u = || draw.uniform(About::Duration, of);
        let ms = match self {
            Self::Constant { ms } => *ms,
            Self::Uniform { least, most } => least + (most - least) * u(),
            Self::Pareto { least, alpha, most } => {
                (least * libm::pow(1.0 - u(), -1.0 / alpha)).min(most.unwrap_or(f64::INFINITY))
            }
            Self::Recorded { ms } => ms.get(task as usize).copied().unwrap_or(1.0),
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "saturates; less than 0 becomes 1"
        )]
        let nanos = libm::round(ms * 1e6) as u64;
        nanos.max(1)
    }
}

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
    /// On the executor where the task of the same number of the stage before has run: its output.
    Before,
}

/// A stage of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageSpec {
    /// Its number of tasks.
    pub tasks: u32,
    /// How long they run at their best place.
    pub durations: Durations,
    /// Stages of the job that must have ended before, by their places; all of them come before it.
    #[serde(default)]
    pub parents: Vec<usize>,
    /// Where its tasks would like to run.
    #[serde(default)]
    pub preference: Preference,
    /// Whether its tasks compute partitions that will be cached.
    #[serde(default)]
    pub fills_cache: bool,
}

/// A Spark job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobSpec {
    /// What the driver takes before it submits the job, in milliseconds: after the job before it, or the arrival.
    #[serde(default)]
    pub gap_ms: f64,
    /// Its stages. The last one is what the job is for.
    pub stages: Vec<StageSpec>,
    /// Whether it ends in shuffle output: a query stage of adaptive execution.
    #[serde(default)]
    pub ends_in_shuffle: bool,
}

/// Jobs one after the other: what a user sees as one computation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkflowSpec {
    /// Larger is more important; 0 is what everybody has.
    #[serde(default)]
    pub priority: i32,
    /// Whether it has a name, so that another job of it may follow any.
    #[serde(default)]
    pub named: bool,
    /// Its pool, by its place in the world's; none: Spark's default pool.
    #[serde(default)]
    pub pool: Option<usize>,
    /// When it comes, in milliseconds.
    pub arrival_ms: f64,
    /// Its jobs.
    pub jobs: Vec<JobSpec>,
    /// Whether its time is of interest: a foreground.
    #[serde(default)]
    pub foreground: bool,
}

/// A pool of the fair scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoolSpec {
    /// Compared with other pools.
    pub weight: u32,
    /// Slots that it gets before others get more.
    pub min_share: u32,
}

/// Executors that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterSpec {
    /// Hosts.
    pub nodes: u32,
    /// On each host.
    pub executors_per_node: u32,
    /// Of each executor.
    pub slots: u32,
    /// Hosts of a rack; 0: no racks.
    #[serde(default)]
    pub nodes_per_rack: u32,
}

/// What Spark would be told, with its defaults.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SparkSpec {
    /// `spark.scheduler.mode=FAIR`.
    pub fair: bool,
    /// `spark.locality.wait`, for each level, in milliseconds.
    pub locality_wait_ms: f64,
    /// `spark.scheduler.revive.interval`, in milliseconds.
    pub revive_ms: f64,
    /// What a launch takes before the task begins, in milliseconds.
    pub launch_ms: f64,
    /// How many times as long a task takes away from where it would like to run.
    pub remote_penalty: f64,
    /// Whether executors are offered in a random order, as Spark does, or in that of their ids.
    pub shuffled: bool,
}

impl Default for SparkSpec {
    fn default() -> Self {
        Self {
            fair: false,
            locality_wait_ms: 3000.0,
            revive_ms: 1000.0,
            launch_ms: 0.0,
            remote_penalty: 1.0,
            shuffled: true,
        }
    }
}

/// All that a simulation follows from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct World {
    /// Everything is drawn from it.
    pub seed: u64,
    /// The executors.
    pub cluster: ClusterSpec,
    /// Pools, if `spark.fair`.
    #[serde(default)]
    pub pools: Vec<PoolSpec>,
    /// What runs.
    pub workflows: Vec<WorkflowSpec>,
    /// Spark's configuration.
    #[serde(default)]
    pub spark: SparkSpec,
    /// The engine's.
    #[serde(default)]
    pub engine: Config,
}
