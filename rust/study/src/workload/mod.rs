//! What has run somewhere, as a workload of the simulator: traces of every kind that `holdfast-trace` reads.

mod check;
mod cluster;
mod compare;
mod conf;
mod kind;
mod pools;
mod world;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::rc::Rc;

use holdfast_trace::clusterdata::{ClusterDataReader, Dropped};
use holdfast_trace::convert::Converter;
use holdfast_trace::format::{Header, TraceReader, TraceWriter, Workflow};
use holdfast_trace::input::{Lines, LogFiles, logs_in};
use holdfast_trace::recording::{Recorded, Recording};
use holdfast_trace::swim::{SwimModel, SwimReader};
use holdfast_trace::{Options, TraceError};
use holdfast_words::{count, shown_path};

use crate::Failure;
pub use check::check;
pub use compare::{Compared, Comparison, within};
pub(crate) use conf::config;
pub(crate) use kind::kind;
pub use kind::{Kind, meant_otherwise};
pub use pools::file as pools_file;
pub(crate) use pools::unknown as pools_unknown;
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
                let named = |why| Failure::Input(format!("{}: {why}", shown_path(path)));
                let mut workload = of_recording(*recording).map_err(|failure| match failure {
                    Failure::Input(why) => named(why),
                    other => other,
                })?;
                workload.workflows.retain(|workflow| workflow.arrival_ms <= limits.until);
                Ok(workload)
            }
            Recorded::TooMany => Err(Failure::Input(format!(
                "{} has more than {}: --most-tasks allows more (a log is read as a whole, whatever --until says)",
                shown_path(path),
                count(limits.tasks, "task")
            ))),
        };
    }
    let stream = stream(path, kind, conf)?;
    let (slots, dropped) = (stream.header.slots, stream.dropped.clone());
    let workflows = take(path, limits, stream.next)?;
    let notes = dropped.get().notes();
    Ok(Workload { workflows, slots, conf: conf.clone(), recording: None, notes })
}

/// Gives workflow by workflow, and what was left out.
struct Stream {
    header: Header,
    next: Box<dyn FnMut() -> Result<Option<Workflow>, TraceError>>,
    dropped: Rc<Cell<Dropped>>,
}

impl Stream {
    fn new(
        header: Header,
        next: impl FnMut() -> Result<Option<Workflow>, TraceError> + 'static,
    ) -> Self {
        Self { header, next: Box::new(next), dropped: Rc::default() }
    }
}

/// Returns what is no world as a trace, read as a stream.
fn stream(path: &Path, kind: Kind, conf: &BTreeMap<String, String>) -> Result<Stream, Failure> {
    Ok(match kind {
        Kind::EventLog => {
            let options = Options { spark: conf.clone(), ..Options::default() };
            let mut converter = Converter::new(&only_log(path)?, &options)?;
            Stream::new(Converter::header(), move || converter.read())
        }
        Kind::Trace => {
            let mut reader = TraceReader::open(path)?;
            Stream::new(reader.header().clone(), move || reader.read())
        }
        Kind::Swim => {
            let mut reader = SwimReader::new(lines(path), SwimModel::default());
            Stream::new(reader.header(), move || reader.read())
        }
        Kind::ClusterData => {
            let mut reader = ClusterDataReader::new(lines(path));
            let dropped: Rc<Cell<Dropped>> = Rc::default();
            let counted = dropped.clone();
            let next = move || {
                let workflow = reader.read();
                counted.set(reader.dropped());
                workflow
            };
            Stream { dropped, ..Stream::new(ClusterDataReader::header(), next) }
        }
        Kind::World => {
            let what = format!("{} is a world, which says itself what runs", shown_path(path));
            return Err(Failure::Usage(what));
        }
        Kind::History | Kind::DecisionLog => {
            return Err(Failure::Input(format!("{} is {}", shown_path(path), kind.about())));
        }
    })
}

/// Writes a trace in the common format, up to an arrival in milliseconds; returns how many workflows it has, and what
/// was left out. It is never in memory as a whole.
pub(crate) fn write(
    path: &Path,
    kind: Kind,
    conf: &BTreeMap<String, String>,
    until: u64,
    to: &Path,
) -> Result<(u64, Vec<String>), Failure> {
    let Stream { header, mut next, dropped } = stream(path, kind, conf)?;
    // What cannot be read as a trace leaves no file.
    let mut read = next()?;
    let cannot =
        |why: &dyn Display| Failure::Input(format!("cannot write {}: {why}", shown_path(to)));
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
    Ok((workflows, dropped.get().notes()))
}

/// Returns the event log at a path that has no others.
fn only_log(path: &Path) -> Result<LogFiles, Failure> {
    let mut logs = logs_in(path)?;
    match (logs.len(), logs.pop()) {
        (1, Some(log)) => Ok(log?),
        (logs, _) => {
            let what = format!("{} has {logs} event logs: name one of them", shown_path(path));
            Err(Failure::Usage(what))
        }
    }
}

/// Returns an event log that has been read.
///
/// # Errors
/// The application's own configuration names what this program lacks.
pub(crate) fn of_recording(mut recording: Recording) -> Result<Workload, Failure> {
    check::check_own(&recording.surroundings.spark)?;
    let workflows = std::mem::take(&mut recording.workflows);
    let conf = recording.surroundings.spark.clone();
    Ok(Workload { workflows, slots: None, conf, recording: Some(recording), notes: Vec::new() })
}

fn lines(path: &Path) -> Lines {
    let (path, files) = (path.to_owned(), vec![path.to_owned()]);
    Lines::new(&LogFiles { path, files, in_progress: false, complete: true })
}

fn too_many(path: &Path, tasks: u64) -> Failure {
    Failure::Input(format!(
        "{} has more than {}: --until takes those that come first, --most-tasks allows more",
        shown_path(path),
        count(tasks, "task")
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

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// What the shim's test reads, too (`io.holdfast.names.IdentityCasesSpec`).
    const CASES: &str = include_str!("../../../trace/tests/identity-cases.json");

    #[derive(Deserialize)]
    struct Table {
        priorities: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        case: String,
        groups: BTreeMap<String, i32>,
        pools: BTreeMap<String, i32>,
        group: String,
        pool: Option<String>,
        priority: i32,
    }

    #[test]
    fn names_give_the_priorities_that_the_table_says() {
        let table: Table = serde_json::from_str(CASES).unwrap();
        for Case { case, groups, pools, group, pool, priority } in table.priorities {
            let key = |kind: &str, (name, value): (String, i32)| {
                (format!("spark.holdfast.{kind}.{name}.priority"), value.to_string())
            };
            let groups = groups.into_iter().map(|given| key("group", given));
            let given = groups.chain(pools.into_iter().map(|given| key("pool", given))).collect();
            let workflow = Workflow { name: format!("group:{group}"), pool, ..Workflow::default() };
            assert_eq!(conf::priority(&given, &workflow), priority, "{case}");
        }
    }
}
