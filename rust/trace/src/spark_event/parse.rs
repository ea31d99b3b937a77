//! From a line to an event.

use serde::Deserialize;

use super::{
    ExecutorAdded, JobStart, LAST_TIME, Locality, Millis, Place, PlannedStage, SparkEvent,
    StageInfo, StageKey, StageRdd, TaskRun, Timed, names, raw,
};

/// Every line that Spark writes begins so.
const START: &[u8] = b"{\"Event\":\"";

/// Events that are read; all others, plans and metrics above all, are passed over.
#[derive(Clone, Copy)]
enum Shape {
    LogStart,
    ApplicationStart,
    ApplicationEnd,
    Environment,
    Profile,
    ExecutorAdded,
    ExecutorRemoved,
    Excluded(bool),
    ExecutionStart,
    ExecutionEnd,
    JobStart,
    JobEnd,
    StageSubmitted,
    StageCompleted,
    TaskStart,
    TaskEnd,
}

fn shape(name: &str) -> Option<Shape> {
    let name = match name.strip_prefix("org.apache.spark.") {
        None => name,
        Some(rest) => {
            rest.strip_prefix("scheduler.").or_else(|| rest.strip_prefix("sql.execution.ui."))?
        }
    };
    Some(match name.strip_prefix("SparkListener")? {
        "TaskEnd" => Shape::TaskEnd,
        "TaskStart" => Shape::TaskStart,
        "StageSubmitted" => Shape::StageSubmitted,
        "StageCompleted" => Shape::StageCompleted,
        "JobStart" => Shape::JobStart,
        "JobEnd" => Shape::JobEnd,
        "SQLExecutionStart" => Shape::ExecutionStart,
        "SQLExecutionEnd" => Shape::ExecutionEnd,
        "ExecutorAdded" => Shape::ExecutorAdded,
        "ExecutorRemoved" => Shape::ExecutorRemoved,
        "ExecutorExcluded"
        | "ExecutorBlacklisted"
        | "ExecutorExcludedForStage"
        | "ExecutorBlacklistedForStage"
        | "NodeExcluded"
        | "NodeBlacklisted"
        | "NodeExcludedForStage"
        | "NodeBlacklistedForStage" => Shape::Excluded(true),
        "ExecutorUnexcluded" | "ExecutorUnblacklisted" | "NodeUnexcluded" | "NodeUnblacklisted" => {
            Shape::Excluded(false)
        }
        "ResourceProfileAdded" => Shape::Profile,
        "EnvironmentUpdate" => Shape::Environment,
        "ApplicationStart" => Shape::ApplicationStart,
        "ApplicationEnd" => Shape::ApplicationEnd,
        "LogStart" => Shape::LogStart,
        _ => return None,
    })
}

/// Returns the event's name, where the line begins as Spark begins it.
pub(super) fn name(head: &[u8]) -> Option<&str> {
    let rest = head.strip_prefix(START)?;
    let end = memchr::memchr(b'"', rest)?;
    std::str::from_utf8(&rest[..end]).ok()
}

/// Returns whether a line may hold an event that is read. `head` has its first 256 bytes at least, or all of it.
pub fn wanted(head: &[u8]) -> bool {
    name(head).is_none_or(|name| shape(name).is_some())
}

/// Returns the event in a line; none if it is of a kind that is not read. Executors' names are numbered by `executor`.
///
/// # Errors
///
/// What is wrong with the line, with the column.
pub fn parse(line: &[u8], executor: impl FnMut(&str) -> u32) -> Result<Option<Timed>, String> {
    let found = match name(line) {
        Some(name) => shape(name),
        None => {
            // Another program than Spark has written the line, with its fields in another order.
            let named: raw::EventName<'_> = read(line)
                .map_err(|what| format!("this is no event of a Spark event log: {what}"))?;
            shape(&named.event)
        }
    };
    let Some(shape) = found else { return Ok(None) };
    let event = event(shape, line, executor);
    event.map(Some).map_err(|what| match name(line) {
        Some(name) => format!("{name}: {what}"),
        None => what,
    })
}

fn read<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, String> {
    // Once for the whole line is quicker than for each of its strings. What is skipped need not be text.
    let read = match std::str::from_utf8(line) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(line),
    };
    read.map_err(|_| holdfast_words::fault::<T>(line))
}

fn time(at: i64) -> Result<Millis, String> {
    Millis::try_from(at)
        .ok()
        .filter(|at| *at <= LAST_TIME)
        .ok_or_else(|| format!("{at} is no time of this calendar"))
}

fn some_time(at: Option<i64>) -> Result<Option<Millis>, String> {
    at.map(time).transpose()
}

fn event(
    shape: Shape,
    line: &[u8],
    mut executor: impl FnMut(&str) -> u32,
) -> Result<Timed, String> {
    let timed = |at: i64, event| Ok(Timed { at: Some(time(at)?), event });
    match shape {
        Shape::TaskEnd | Shape::TaskStart => task(shape, line, executor),
        Shape::StageSubmitted => stage_submitted(line),
        Shape::StageCompleted => stage_completed(line),
        Shape::JobStart => job_start(line),
        Shape::JobEnd => {
            let raw: raw::JobEnd = read(line)?;
            Ok(Timed { at: some_time(raw.at)?, event: SparkEvent::JobEnd { job: raw.job } })
        }
        Shape::ExecutionStart | Shape::ExecutionEnd => {
            let raw::Execution { execution, description, time } = read(line)?;
            if matches!(shape, Shape::ExecutionEnd) {
                return timed(time, SparkEvent::ExecutionEnd { execution });
            }
            let description = names::description(&description);
            timed(time, SparkEvent::ExecutionStart { execution, description })
        }
        Shape::ExecutorAdded => executor_added(line, executor),
        Shape::ExecutorRemoved => {
            let raw: raw::ExecutorRemoved<'_> = read(line)?;
            timed(raw.at, SparkEvent::ExecutorRemoved(executor(&raw.executor)))
        }
        Shape::Excluded(excluded) => {
            let raw: raw::Excluded<'_> = read(line)?;
            let place = match (raw.executor, raw.host) {
                (Some(name), _) => Place::Executor(executor(&name)),
                (None, Some(host)) => Place::Host(host),
                (None, None) => return Err("neither \"executorId\" nor \"hostId\"".to_owned()),
            };
            let attempt = raw.attempt.unwrap_or(0);
            let stage = raw.stage.map(|stage| StageKey { stage, attempt });
            timed(raw.time, SparkEvent::Excluded { place, stage, excluded })
        }
        Shape::Profile => profile(line),
        Shape::Environment => {
            let raw: raw::Environment = read(line)?;
            Ok(Timed { at: None, event: SparkEvent::Environment(raw.spark) })
        }
        Shape::ApplicationStart => {
            let raw: raw::ApplicationStart = read(line)?;
            timed(raw.at, SparkEvent::Application { name: raw.name, id: raw.id })
        }
        Shape::ApplicationEnd => {
            let raw: raw::ApplicationEnd = read(line)?;
            timed(raw.at, SparkEvent::ApplicationEnd)
        }
        Shape::LogStart => {
            let raw: raw::LogStart = read(line)?;
            Ok(Timed { at: None, event: SparkEvent::LogStart { version: raw.version } })
        }
    }
}

fn locality(name: &str) -> Locality {
    match name {
        "PROCESS_LOCAL" => Locality::Process,
        "NODE_LOCAL" => Locality::Node,
        "NO_PREF" => Locality::NoPreference,
        "RACK_LOCAL" => Locality::Rack,
        _ => Locality::Any,
    }
}

fn task(shape: Shape, line: &[u8], mut executor: impl FnMut(&str) -> u32) -> Result<Timed, String> {
    let raw: raw::Task<'_> = read(line)?;
    let info = &raw.info;
    let launched = time(info.launched)?;
    let run = TaskRun {
        key: StageKey { stage: raw.stage, attempt: raw.attempt },
        task: info.task,
        index: info.index,
        executor: executor(&info.executor),
        launched,
        locality: locality(&info.locality),
    };
    if matches!(shape, Shape::TaskStart) {
        return Ok(Timed { at: Some(launched), event: SparkEvent::TaskStart(run) });
    }
    let reason = raw.reason.ok_or("a task's end has no \"Task End Reason\"")?;
    let at = time(info.finished)?.max(launched);
    if reason.reason == "Resubmitted" {
        return Ok(Timed { at: None, event: SparkEvent::Resubmitted { run, finished: at } });
    }
    let success = reason.reason == "Success";
    let shuffle = raw.kind == "ShuffleMapTask";
    Ok(Timed { at: Some(at), event: SparkEvent::TaskEnd { run, success, shuffle } })
}

fn stage(info: raw::StageInfo, names: Option<names::JobNames>) -> StageInfo {
    let barrier = info.rdds.iter().any(|rdd| rdd.barrier);
    let rdd = |rdd: raw::Rdd| StageRdd {
        rdd: rdd.rdd,
        parents: rdd.parents,
        persisted: rdd.level.disk || rdd.level.memory,
    };
    StageInfo {
        key: StageKey { stage: info.stage, attempt: info.attempt },
        tasks: info.tasks.unwrap_or(0),
        profile: info.profile,
        rdds: info.rdds.into_iter().map(rdd).collect(),
        parents: info.parents,
        barrier,
        names: names.map(Box::new),
    }
}

fn stage_submitted(line: &[u8]) -> Result<Timed, String> {
    let raw::StageSubmitted { info, properties } = read(line)?;
    info.tasks.ok_or("missing field `Number of Tasks`")?;
    let at = some_time(info.submitted)?;
    let info = stage(info, properties.map(|properties| properties.names()));
    Ok(Timed { at, event: SparkEvent::StageSubmitted(Box::new(info)) })
}

fn stage_completed(line: &[u8]) -> Result<Timed, String> {
    let raw::StageCompleted { info } = read(line)?;
    let (at, submitted) = (some_time(info.completed)?, some_time(info.submitted)?);
    let success = info.failure.is_none();
    let info = Box::new(stage(info, None));
    Ok(Timed { at, event: SparkEvent::StageCompleted { info, submitted, success } })
}

fn job_start(line: &[u8]) -> Result<Timed, String> {
    let raw: raw::JobStart<'_> = read(line)?;
    let planned = |plan: raw::Plan| PlannedStage { stage: plan.stage, parents: plan.parents };
    let bare = |stage| PlannedStage { stage, parents: Vec::new() };
    let stages = if raw.plans.is_empty() {
        raw.stages.into_iter().map(bare).collect()
    } else {
        raw.plans.into_iter().map(planned).collect()
    };
    let names = raw.properties.unwrap_or_default().names();
    let event = SparkEvent::JobStart(Box::new(JobStart { job: raw.job, stages, names }));
    Ok(Timed { at: some_time(raw.at)?, event })
}

fn executor_added(line: &[u8], mut executor: impl FnMut(&str) -> u32) -> Result<Timed, String> {
    let raw: raw::ExecutorAdded<'_> = read(line)?;
    let count = |a: &raw::Addresses| u32::try_from(a.addresses.len()).unwrap_or(u32::MAX);
    let resources = raw.info.resources.iter().map(|(name, a)| (name.clone(), count(a))).collect();
    let event = SparkEvent::ExecutorAdded(Box::new(ExecutorAdded {
        executor: executor(&raw.executor),
        host: raw.info.host,
        cores: raw.info.cores,
        resources,
        profile: raw.info.profile,
    }));
    Ok(Timed { at: Some(time(raw.at)?), event })
}

fn profile(line: &[u8]) -> Result<Timed, String> {
    let raw: raw::Profile = read(line)?;
    let amounts = |all: std::collections::BTreeMap<String, raw::Amount>| {
        all.into_iter().map(|(name, amount)| (name, amount.amount)).collect()
    };
    let event = SparkEvent::Profile {
        profile: raw.profile,
        executor: amounts(raw.executor),
        task: amounts(raw.task),
    };
    Ok(Timed { at: None, event })
}
