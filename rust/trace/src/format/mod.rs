//! The trace format: JSON lines, versioned; `docs/reference/traces.md` has it in words.
//!
//! The first line is a [`Header`]; each further line a [`Workflow`], in the order of their arrivals. Both ways are
//! streams: a trace may be larger than memory.

mod reader;
mod writer;

pub use reader::TraceReader;
pub use writer::{TraceWriter, WriteError};

use std::collections::BTreeMap;

use holdfast_words::count;
use serde::{Deserialize, Serialize};

/// What the first line says that the file is.
pub const NAME: &str = "holdfast-trace";
/// The version that is written and read.
pub const VERSION: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`NAME`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// What the trace was made of: `spark-event-log`, `swim`, `google-cluster-data-2011-2`.
    pub source: String,
    /// The most slots that there were, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<u64>,
    /// What was assumed where the source does not say, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub assumed: BTreeMap<String, String>,
}

impl Header {
    /// Returns a header of this version.
    pub fn new(source: &str) -> Self {
        Self {
            format: NAME.to_owned(),
            version: VERSION,
            source: source.to_owned(),
            slots: None,
            assumed: BTreeMap::new(),
        }
    }
}

/// One run of a workflow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workflow {
    /// Its name.
    pub name: String,
    /// When it arrives, in milliseconds from the first arrival's second or the trace's own origin.
    pub arrival_ms: u64,
    /// Larger is more important.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub priority: i32,
    /// The pool of its first job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// How long it took where it was recorded, from its arrival to its end, in milliseconds; none if it had not ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
    /// Its jobs in the order in which they were submitted.
    pub jobs: Vec<Job>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_zero(n: &i32) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_none(n: &u64) -> bool {
    *n == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A Spark job.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Jobs of the workflow, by their places, that had ended when this was submitted, those left out after which
    /// another of them was submitted. Empty: it comes after the arrival.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<u32>,
    /// What the driver takes between the last of them, or the arrival, and this job, in milliseconds.
    #[serde(default)]
    pub gap_ms: u64,
    /// So long before it was submitted its number was drawn at least: a job with a larger one was submitted before it.
    #[serde(default, skip_serializing_if = "is_none")]
    pub numbered_ahead_ms: u64,
    /// Its stages that ran, each after its parents.
    pub stages: Vec<Stage>,
    /// Whether it ends in shuffle output: a query stage of adaptive execution. Another job reads that.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ends_in_shuffle: bool,
}

/// A stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Stages of the job, by their places, that must have ended before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<u32>,
    /// How long each of its tasks took, in milliseconds: the run that succeeded.
    pub tasks_ms: Vec<u64>,
    /// How near to its input each ran, one letter for each: `P` on the executor that has it (or it did not care),
    /// `N` on its host, `R` on its rack, `A` elsewhere, `0` it did not care. Empty: not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub locality: String,
    /// Whether its tasks leave in their executors' memory what another stage of the workflow reads.
    #[serde(default, skip_serializing_if = "is_false")]
    pub fills_cache: bool,
    /// The stage that left in memory what this one reads, by the places of its job and in that: each task would like to
    /// run where the task of the same number of that stage ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_by: Option<(u32, u32)>,
    /// Whether its tasks start all together, or not at all (Spark's barrier stages).
    #[serde(default, skip_serializing_if = "is_false")]
    pub barrier: bool,
}

impl Workflow {
    /// What is wrong with it, if anything: a place that is none, a job or stage before what it follows, localities
    /// of another number than tasks.
    ///
    /// # Errors
    ///
    /// In words.
    pub fn check(&self) -> Result<(), String> {
        let before = |places: &[u32], place: usize| places.iter().all(|&p| (p as usize) < place);
        for (j, job) in self.jobs.iter().enumerate() {
            if !before(&job.after, j) {
                return Err(format!("job {j} comes after one that is not before it"));
            }
            for (s, stage) in job.stages.iter().enumerate() {
                if !before(&stage.parents, s) {
                    return Err(format!("job {j}, stage {s}: a parent is not before it"));
                }
                if !stage.locality.is_empty() && stage.locality.len() != stage.tasks_ms.len() {
                    return Err(format!(
                        "job {j}, stage {s}: {} and {}",
                        count(stage.tasks_ms.len() as u64, "task"),
                        count(stage.locality.len() as u64, "locality")
                    ));
                }
                if let Some((by_job, by_stage)) = stage.cached_by {
                    let by = (by_job as usize, by_stage as usize);
                    let tasks = self.jobs.get(by.0).and_then(|job| job.stages.get(by.1));
                    if by >= (j, s) || tasks.is_none() {
                        return Err(format!("job {j}, stage {s}: what it reads is not before it"));
                    }
                }
                if let Some(letter) = stage.locality.chars().find(|c| !"PNRA0".contains(*c)) {
                    return Err(format!("job {j}, stage {s}: {letter:?} is no locality"));
                }
            }
        }
        Ok(())
    }
}
