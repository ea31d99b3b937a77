//! What has run somewhere, as a workload of the simulator: traces of every kind that `holdfast-trace` reads.

pub(crate) mod args;
mod check;
mod cluster;
mod compare;
mod conf;
mod kind;
mod pools;
mod world;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use holdfast_trace::clusterdata::ClusterDataReader;
use holdfast_trace::convert::Converter;
use holdfast_trace::format::{Header, TraceReader, TraceWriter, Workflow};
use holdfast_trace::input::{Lines, LogFiles, logs_at};
use holdfast_trace::recording::{Recorded, Recording};
use holdfast_trace::swim::{SwimModel, SwimReader};
use holdfast_trace::{Options, TraceError};

use crate::Failure;
pub(crate) use check::check;
pub(crate) use compare::{Compared, Comparison, within};
pub(crate) use conf::config;
pub(crate) use kind::{Kind, kind};
pub(crate) use pools::{file as pools_file, unknown as pools_unknown};
pub(crate) use world::{Built, Shape, Workload};

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
        let options = Options { spark: conf.clone(), ..Options::default() };
        return match Recording::of(&only_log(path)?, &options, limits.tasks)? {
            Recorded::Whole(recording) => {
                let mut workload = of_recording(*recording);
                workload.workflows.retain(|workflow| workflow.arrival_ms <= limits.until);
                Ok(workload)
            }
            Recorded::TooMany => Err(Failure::Input(format!(
                "{} has more than {} tasks: --most-tasks allows more (a log is read as a whole, whatever --until says)",
                path.display(),
                limits.tasks
            ))),
        };
    }
    let (header, next) = stream(path, kind, conf)?;
    let (workflows, slots) = (take(path, limits, next)?, header.slots);
    Ok(Workload { workflows, slots, conf: conf.clone(), recording: None })
}

/// Gives workflow by workflow.
type Next = Box<dyn FnMut() -> Result<Option<Workflow>, TraceError>>;

/// What is no world as a trace, read as a stream.
fn stream(
    path: &Path,
    kind: Kind,
    conf: &BTreeMap<String, String>,
) -> Result<(Header, Next), Failure> {
    Ok(match kind {
        Kind::EventLog => {
            let options = Options { spark: conf.clone(), ..Options::default() };
            let mut converter = Converter::new(Lines::new(&only_log(path)?), &options);
            (Converter::header(), Box::new(move || converter.read()))
        }
        Kind::Trace => {
            let mut reader = TraceReader::open(path)?;
            (reader.header().clone(), Box::new(move || reader.read()))
        }
        Kind::Swim => {
            let mut reader = SwimReader::new(lines(path), SwimModel::default());
            (reader.header(), Box::new(move || reader.read()))
        }
        Kind::ClusterData => {
            let mut reader = ClusterDataReader::new(lines(path));
            (ClusterDataReader::header(), Box::new(move || reader.read()))
        }
        Kind::World => {
            let what = format!("{} is a world, which says itself what runs", path.display());
            return Err(Failure::Usage(what));
        }
    })
}

/// Writes a trace in the common format, up to an arrival in milliseconds; how many workflows it has. It is never in memory
/// as a whole.
pub(crate) fn write(
    path: &Path,
    kind: Kind,
    conf: &BTreeMap<String, String>,
    until: u64,
    to: &Path,
) -> Result<u64, Failure> {
    let (header, mut next) = stream(path, kind, conf)?;
    // What cannot be read as a trace leaves no file.
    let mut read = next()?;
    let cannot =
        |why: &dyn Display| Failure::Input(format!("cannot write {}: {why}", to.display()));
    let file = File::create(to).map_err(|why| cannot(&why))?;
    let mut writer = TraceWriter::new(BufWriter::new(file), &header).map_err(|why| cannot(&why))?;
    let mut workflows = 0;
    while let Some(workflow) = read {
        // They arrive in order.
        if workflow.arrival_ms > until {
            break;
        }
        writer.write(&workflow).map_err(|why| cannot(&why))?;
        workflows += 1;
        read = next()?;
    }
    writer.finish().map_err(|why| cannot(&why))?;
    Ok(workflows)
}

/// The event log at a path that has no others.
fn only_log(path: &Path) -> Result<LogFiles, Failure> {
    let mut logs = logs_at(path)?;
    match (logs.len(), logs.pop()) {
        (1, Some(log)) => Ok(log),
        (logs, _) => {
            let what = format!("{} has {logs} event logs: name one of them", path.display());
            Err(Failure::Usage(what))
        }
    }
}

/// An event log that has been read.
pub(crate) fn of_recording(mut recording: Recording) -> Workload {
    let workflows = std::mem::take(&mut recording.workflows);
    let conf = recording.surroundings.spark.clone();
    Workload { workflows, slots: None, conf, recording: Some(recording) }
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

fn take(path: &Path, limits: Limits, mut next: Next) -> Result<Vec<Workflow>, Failure> {
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
