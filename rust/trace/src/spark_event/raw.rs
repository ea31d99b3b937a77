//! Events as JSON has them. Fields that are not listed are skipped without being decoded.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::names::Properties;

#[derive(Deserialize)]
pub(super) struct EventName<'a> {
    #[serde(rename = "Event", borrow)]
    pub(super) event: Cow<'a, str>,
}

#[derive(Deserialize)]
pub(super) struct LogStart {
    #[serde(rename = "Spark Version")]
    pub(super) version: String,
}

#[derive(Deserialize)]
pub(super) struct ApplicationStart {
    #[serde(rename = "App Name")]
    pub(super) name: String,
    #[serde(rename = "App ID")]
    pub(super) id: Option<String>,
    #[serde(rename = "Timestamp")]
    pub(super) at: i64,
}

#[derive(Deserialize)]
pub(super) struct ApplicationEnd {
    #[serde(rename = "Timestamp")]
    pub(super) at: i64,
}

#[derive(Deserialize)]
pub(super) struct Environment {
    #[serde(rename = "Spark Properties")]
    pub(super) spark: BTreeMap<String, String>,
}

#[derive(Deserialize)]
pub(super) struct Amount {
    #[serde(rename = "Amount")]
    pub(super) amount: f64,
}

#[derive(Deserialize)]
pub(super) struct Profile {
    #[serde(rename = "Resource Profile Id")]
    pub(super) profile: u32,
    #[serde(rename = "Executor Resource Requests")]
    pub(super) executor: BTreeMap<String, Amount>,
    #[serde(rename = "Task Resource Requests")]
    pub(super) task: BTreeMap<String, Amount>,
}

#[derive(Deserialize)]
pub(super) struct Addresses {
    #[serde(default)]
    pub(super) addresses: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct ExecutorInfo {
    #[serde(rename = "Host", default)]
    pub(super) host: String,
    #[serde(rename = "Total Cores")]
    pub(super) cores: u32,
    #[serde(rename = "Resources", default)]
    pub(super) resources: BTreeMap<String, Addresses>,
    #[serde(rename = "Resource Profile Id", default)]
    pub(super) profile: u32,
}

#[derive(Deserialize)]
pub(super) struct ExecutorAdded<'a> {
    #[serde(rename = "Timestamp")]
    pub(super) at: i64,
    #[serde(rename = "Executor ID", borrow)]
    pub(super) executor: Cow<'a, str>,
    #[serde(rename = "Executor Info")]
    pub(super) info: ExecutorInfo,
}

#[derive(Deserialize)]
pub(super) struct ExecutorRemoved<'a> {
    #[serde(rename = "Timestamp")]
    pub(super) at: i64,
    #[serde(rename = "Executor ID", borrow)]
    pub(super) executor: Cow<'a, str>,
}

/// Excluded, or no longer; under the older name, too. Written by Jackson from the fields of the event's class.
#[derive(Deserialize)]
pub(super) struct Excluded<'a> {
    pub(super) time: i64,
    #[serde(rename = "executorId", borrow)]
    pub(super) executor: Option<Cow<'a, str>>,
    #[serde(rename = "hostId")]
    pub(super) host: Option<String>,
    #[serde(rename = "stageId")]
    pub(super) stage: Option<u32>,
    #[serde(rename = "stageAttemptId")]
    pub(super) attempt: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct Execution<'a> {
    #[serde(rename = "executionId")]
    pub(super) execution: u64,
    #[serde(borrow, default)]
    pub(super) description: Cow<'a, str>,
    pub(super) time: i64,
}

#[derive(Deserialize)]
pub(super) struct Plan {
    #[serde(rename = "Stage ID")]
    pub(super) stage: u32,
    #[serde(rename = "Parent IDs", default)]
    pub(super) parents: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct JobStart<'a> {
    #[serde(rename = "Job ID")]
    pub(super) job: u32,
    #[serde(rename = "Submission Time")]
    pub(super) at: Option<i64>,
    #[serde(rename = "Stage Infos", default)]
    pub(super) plans: Vec<Plan>,
    #[serde(rename = "Stage IDs", default)]
    pub(super) stages: Vec<u32>,
    #[serde(rename = "Properties", borrow)]
    pub(super) properties: Option<Properties<'a>>,
}

#[derive(Deserialize)]
pub(super) struct JobEnd {
    #[serde(rename = "Job ID")]
    pub(super) job: u32,
    #[serde(rename = "Completion Time")]
    pub(super) at: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct StageCompleted {
    #[serde(rename = "Stage Info")]
    pub(super) info: StageInfo,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StorageLevel {
    #[serde(rename = "Use Disk")]
    pub(super) disk: bool,
    #[serde(rename = "Use Memory")]
    pub(super) memory: bool,
}

#[derive(Deserialize)]
pub(super) struct Rdd {
    #[serde(rename = "RDD ID")]
    pub(super) rdd: u32,
    #[serde(rename = "Parent IDs", default)]
    pub(super) parents: Vec<u32>,
    #[serde(rename = "Storage Level", default)]
    pub(super) level: StorageLevel,
    #[serde(rename = "Barrier", default)]
    pub(super) barrier: bool,
}

#[derive(Deserialize)]
pub(super) struct StageInfo {
    #[serde(rename = "Stage ID")]
    pub(super) stage: u32,
    #[serde(rename = "Stage Attempt ID", default)]
    pub(super) attempt: u32,
    #[serde(rename = "Number of Tasks")]
    pub(super) tasks: Option<u32>,
    #[serde(rename = "RDD Info", default)]
    pub(super) rdds: Vec<Rdd>,
    #[serde(rename = "Parent IDs", default)]
    pub(super) parents: Vec<u32>,
    #[serde(rename = "Submission Time")]
    pub(super) submitted: Option<i64>,
    #[serde(rename = "Completion Time")]
    pub(super) completed: Option<i64>,
    #[serde(rename = "Failure Reason")]
    pub(super) failure: Option<serde::de::IgnoredAny>,
    #[serde(rename = "Resource Profile Id", default)]
    pub(super) profile: u32,
}

#[derive(Deserialize)]
pub(super) struct StageSubmitted<'a> {
    #[serde(rename = "Stage Info")]
    pub(super) info: StageInfo,
    #[serde(rename = "Properties", borrow)]
    pub(super) properties: Option<Properties<'a>>,
}

#[derive(Deserialize)]
pub(super) struct TaskInfo<'a> {
    #[serde(rename = "Task ID")]
    pub(super) task: u64,
    #[serde(rename = "Index")]
    pub(super) index: u32,
    #[serde(rename = "Launch Time")]
    pub(super) launched: i64,
    #[serde(rename = "Executor ID", borrow)]
    pub(super) executor: Cow<'a, str>,
    #[serde(rename = "Locality", borrow)]
    pub(super) locality: Cow<'a, str>,
    #[serde(rename = "Finish Time")]
    pub(super) finished: i64,
}

#[derive(Deserialize)]
pub(super) struct Reason<'a> {
    #[serde(rename = "Reason", borrow)]
    pub(super) reason: Cow<'a, str>,
}

#[derive(Deserialize)]
pub(super) struct Task<'a> {
    #[serde(rename = "Stage ID")]
    pub(super) stage: u32,
    #[serde(rename = "Stage Attempt ID", default)]
    pub(super) attempt: u32,
    #[serde(rename = "Task Type", borrow, default)]
    pub(super) kind: Cow<'a, str>,
    #[serde(rename = "Task Info", borrow)]
    pub(super) info: TaskInfo<'a>,
    #[serde(rename = "Task End Reason", borrow)]
    pub(super) reason: Option<Reason<'a>>,
}
