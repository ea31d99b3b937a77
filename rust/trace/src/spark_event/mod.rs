//! What is read of Spark's events (`org.apache.spark.util.JsonProtocol`), of Spark 2.1 to 4.x.

mod names;
mod parse;
mod raw;
mod reader;

pub use names::{JobNames, Kind};
pub use parse::{parse, wanted};
pub use reader::EventReader;

use std::collections::BTreeMap;

/// Milliseconds since 1970, on the driver's clock.
pub type Millis = u64;

/// The latest time that is believed: the end of the year 9999.
pub const LAST_TIME: Millis = 253_402_300_799_999;

/// An attempt of a stage: its id and the attempt's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StageKey {
    /// `Stage ID`.
    pub stage: u32,
    /// `Stage Attempt ID`.
    pub attempt: u32,
}

/// How near to its input a task ran (Spark's `TaskLocality`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locality {
    /// On the executor that has it; Spark also says so of tasks that do not care.
    Process,
    /// On its host.
    Node,
    /// It does not care.
    NoPreference,
    /// On its rack.
    Rack,
    /// Elsewhere.
    #[default]
    Any,
}

/// Resources by name: `cores`, `gpu`, ..., and how much of each.
pub type Resources = BTreeMap<String, f64>;

/// A task's run on an executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskRun {
    /// The stage attempt.
    pub key: StageKey,
    /// `Task ID`, unique in the application.
    pub task: u64,
    /// Its place in the stage.
    pub index: u32,
    /// The executor, by [`EventReader::executor_name`].
    pub executor: u32,
    /// When it was launched.
    pub launched: Millis,
    /// How near to its input.
    pub locality: Locality,
}

/// A stage as a job's plan lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStage {
    /// `Stage ID`.
    pub stage: u32,
    /// `Parent IDs`.
    pub parents: Vec<u32>,
}

/// A job that begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStart {
    /// `Job ID`.
    pub job: u32,
    /// Its stages, those included that will be skipped.
    pub stages: Vec<PlannedStage>,
    /// What its thread's local properties call it.
    pub names: JobNames,
}

/// An RDD that a stage computes, or reads from where it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageRdd {
    /// `RDD ID`.
    pub rdd: u32,
    /// `Parent IDs`; those that belong to other stages, too.
    pub parents: Vec<u32>,
    /// Whether it is kept in memory or on disk (`cache`, `persist`).
    pub persisted: bool,
}

/// A stage attempt, as its begin and its end tell of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageInfo {
    /// Which.
    pub key: StageKey,
    /// How many tasks it has.
    pub tasks: u32,
    /// `Resource Profile Id`.
    pub profile: u32,
    /// `RDD Info`: what it computes, its last RDD first.
    pub rdds: Vec<StageRdd>,
    /// `Parent IDs`.
    pub parents: Vec<u32>,
    /// Whether its tasks start all together, or not at all.
    pub barrier: bool,
    /// What its thread's local properties call it; a stage's end has none.
    pub names: Option<Box<JobNames>>,
}

/// Where executors get no tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// One executor.
    Executor(u32),
    /// All executors of a host, also those to come.
    Host(String),
}

/// An event that was rebuilt of others tells less than the lost one did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebuilt {
    /// The begin or end of a job.
    Job(u32),
    /// The begin or end of a SQL execution.
    Execution(u64),
}

/// An executor that registers.
#[derive(Clone, Debug, PartialEq)]
pub struct ExecutorAdded {
    /// The executor.
    pub executor: u32,
    /// `Host`.
    pub host: String,
    /// `Total Cores`.
    pub cores: u32,
    /// Addresses of other resources, by name.
    pub resources: BTreeMap<String, u32>,
    /// `Resource Profile Id`.
    pub profile: u32,
}

/// An event, with what is read of it.
#[derive(Clone, Debug, PartialEq)]
pub enum SparkEvent {
    /// The log begins.
    LogStart {
        /// `Spark Version`.
        version: String,
    },
    /// The application begins.
    Application {
        /// `App Name`.
        name: String,
        /// `App ID`.
        id: Option<String>,
    },
    /// Spark's configuration, all of it.
    Environment(BTreeMap<String, String>),
    /// What an executor has and a task takes.
    Profile {
        /// `Resource Profile Id`.
        profile: u32,
        /// Per executor.
        executor: Resources,
        /// Per task.
        task: Resources,
    },
    /// An executor registers.
    ExecutorAdded(Box<ExecutorAdded>),
    /// An executor is gone.
    ExecutorRemoved(u32),
    /// A place gets no tasks for a while, or again.
    Excluded {
        /// Where.
        place: Place,
        /// The only stage attempt that it is so for.
        stage: Option<StageKey>,
        /// Whether it gets none.
        excluded: bool,
    },
    /// The begin or end of this, which has been told or comes next, was rebuilt.
    Rebuilt(Rebuilt),
    /// A SQL execution begins.
    ExecutionStart {
        /// `executionId`.
        execution: u64,
        /// `description`: the query, or the line of the program that asked for it.
        description: Option<String>,
    },
    /// A SQL execution ends.
    ExecutionEnd {
        /// `executionId`.
        execution: u64,
    },
    /// A job begins.
    JobStart(Box<JobStart>),
    /// A job ends.
    JobEnd {
        /// `Job ID`.
        job: u32,
    },
    /// A stage attempt begins.
    StageSubmitted(Box<StageInfo>),
    /// A stage attempt ends, well or not.
    StageCompleted {
        /// Which.
        info: Box<StageInfo>,
        /// When it began.
        submitted: Option<Millis>,
        /// Whether it did what it had to.
        success: bool,
    },
    /// A task is launched.
    TaskStart(TaskRun),
    /// A task's run ends.
    TaskEnd {
        /// Which.
        run: TaskRun,
        /// Whether it did what it had to.
        success: bool,
        /// Whether it writes shuffle output (`Task Type`).
        shuffle: bool,
    },
    /// What a task did is gone with its executor: it has to run again. Its time is that of the events around it: the
    /// log has only when the task itself had run.
    Resubmitted {
        /// The run that had ended well.
        run: TaskRun,
        /// When it had.
        finished: Millis,
    },
    /// The application ends.
    ApplicationEnd,
}

/// An event and its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Timed {
    /// When it happened; none for what has no time of its own.
    pub at: Option<Millis>,
    /// What happened.
    pub event: SparkEvent,
}
