//! What has run somewhere, as a workload of the simulator: traces of every kind that `holdfast-trace` reads.

pub(crate) mod args;
mod cluster;
mod compare;
mod conf;
mod kind;
mod pools;
mod world;

use std::collections::BTreeMap;
use std::path::Path;

use holdfast_trace::clusterdata::ClusterDataReader;
use holdfast_trace::format::{TraceReader, Workflow};
use holdfast_trace::input::{Lines, LogFiles, logs_at};
use holdfast_trace::recording::{Recorded, Recording};
use holdfast_trace::swim::{SwimModel, SwimReader};
use holdfast_trace::{Options, TraceError};

use crate::Failure;
pub(crate) use compare::{Compared, Comparison, within};
pub(crate) use conf::config;
pub(crate) use kind::{Kind, kind};
pub(crate) use world::{Shape, Workload};

/// So much of what is read is kept.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// More tasks are refused.
    pub(crate) tasks: u64,
    /// What arrives later is left out, in milliseconds.
    pub(crate) until: u64,
}

/// Reads a trace that is no world. Configuration is what the user adds to a log's own.
pub(crate) fn read(
    path: &Path,
    kind: Kind,
    conf: &BTreeMap<String, String>,
    limits: Limits,
) -> Result<Workload, Failure> {
    if kind == Kind::EventLog {
        let logs = logs_at(path)?;
        let [log] = logs.as_slice() else {
            let (logs, path) = (logs.len(), path.display());
            let what = format!("{path} has {logs} event logs: name one of them");
            return Err(Failure::Usage(what));
        };
        return match of_log(log, conf, limits.tasks)? {
            Some(mut workload) => {
                workload.workflows.retain(|workflow| workflow.arrival_ms <= limits.until);
                Ok(workload)
            }
            None => Err(too_many(path, limits.tasks)),
        };
    }
    let (workflows, slots) = match kind {
        Kind::Trace => {
            let mut reader = TraceReader::open(path)?;
            let slots = reader.header().slots;
            (take(path, limits, || reader.read())?, slots)
        }
        Kind::Swim => {
            let mut reader = SwimReader::new(lines(path), SwimModel::default());
            (take(path, limits, || reader.read())?, None)
        }
        _ => {
            let mut reader = ClusterDataReader::new(lines(path));
            (take(path, limits, || reader.read())?, None)
        }
    };
    let conf = conf.clone();
    Ok(Workload { workflows, slots, conf, recording: None })
}

/// An event log; none if it has more tasks.
pub(crate) fn of_log(
    log: &LogFiles,
    conf: &BTreeMap<String, String>,
    most_tasks: u64,
) -> Result<Option<Workload>, TraceError> {
    let options = Options { spark: conf.clone(), ..Options::default() };
    of_log_with(log, &options, most_tasks)
}

/// The same, with another linger.
pub(crate) fn of_log_with(
    log: &LogFiles,
    options: &Options,
    most_tasks: u64,
) -> Result<Option<Workload>, TraceError> {
    let Recorded::Whole(mut recording) = Recording::of(log, options, most_tasks)? else {
        return Ok(None);
    };
    let workflows = std::mem::take(&mut recording.workflows);
    let conf = recording.surroundings.spark.clone();
    Ok(Some(Workload { workflows, slots: None, conf, recording: Some(*recording) }))
}

fn lines(path: &Path) -> Lines {
    let (path, files) = (path.to_owned(), vec![path.to_owned()]);
    Lines::new(&LogFiles { path, files, in_progress: false, complete: true })
}

fn too_many(path: &Path, tasks: u64) -> Failure {
    Failure::Input(format!(
        "{} has more than {tasks} tasks: --until takes those that come first, --most-tasks allows more",
        path.display()
    ))
}

fn take(
    path: &Path,
    limits: Limits,
    mut next: impl FnMut() -> Result<Option<Workflow>, TraceError>,
) -> Result<Vec<Workflow>, Failure> {
    let (mut all, mut tasks) = (Vec::new(), 0);
    while let Some(workflow) = next()? {
        // They arrive in order.
        if workflow.arrival_ms > limits.until {
            break;
        }
        let stages = workflow.jobs.iter().flat_map(|job| &job.stages);
        tasks += stages.map(|stage| stage.tasks_ms.len() as u64).sum::<u64>();
        if tasks > limits.tasks {
            return Err(too_many(path, limits.tasks));
        }
        all.push(workflow);
    }
    Ok(all)
}
