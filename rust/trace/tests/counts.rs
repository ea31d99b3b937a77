//! Every log of the tests' data, counted once more by a reader that shares nothing with the crate's but the decompression:
//! JSON lines as values, all of them in memory, no order but the file's.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use holdfast_trace::input::{decoder, logs_at};
use holdfast_trace::report::ApplicationReport;
use holdfast_trace::{Options, whatif};
use serde_json::Value;

/// What goes on within so long is the same run of a named workflow.
const LINGER_MS: i64 = 5_000;

/// What both have to find.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    jobs: u64,
    stages: u64,
    attempts: u64,
    executors: u64,
    /// Times from arrival to end of ended runs in milliseconds, by workflow, ascending.
    jcts: BTreeMap<String, Vec<i64>>,
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The events of a log.
fn events(files: &[PathBuf]) -> Vec<Value> {
    let mut text = String::new();
    for file in files {
        decoder(file).unwrap().read_to_string(&mut text).unwrap();
    }
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The name of a job's workflow, where pools have no priority but those of `important`.
fn workflow(job: &Value, important: &BTreeSet<String>) -> String {
    let said = |key: &str| {
        let text = job["Properties"][key].as_str().unwrap_or("").trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let description = said("spark.job.description").unwrap_or_default();
    let group = said("spark.jobGroup.id");
    // Spark made that group up, for a broadcast.
    let group = group.filter(|group| !description.contains(&format!("(runId {group})")));
    let pool = said("spark.scheduler.pool").filter(|pool| important.contains(pool));
    let sql = said("spark.sql.execution.root.id").or_else(|| said("spark.sql.execution.id"));
    said("spark.holdfast.workflow")
        .or_else(|| said("sql.streaming.queryId").map(|id| format!("stream:{id}")))
        .or_else(|| group.map(|group| format!("group:{group}")))
        .or_else(|| pool.map(|pool| format!("pool:{pool}")))
        .or_else(|| sql.map(|id| format!("sql:{id}")))
        .unwrap_or_else(|| format!("job:{}", job["Job ID"]))
}

/// Pools that the application's configuration gives a priority.
fn important(events: &[Value]) -> BTreeSet<String> {
    let environment = events.iter().filter(|e| e["Event"] == "SparkListenerEnvironmentUpdate");
    let keys = environment.filter_map(|e| e["Spark Properties"].as_object()).flatten();
    let pool = |key: &String| {
        Some(key.strip_prefix("spark.holdfast.pool.")?.strip_suffix(".priority")?.to_owned())
    };
    keys.filter_map(|(key, _)| pool(key)).collect()
}

/// Spans of a workflow that touch, or come within the linger of each other.
fn merged(mut spans: Vec<(i64, i64)>, linger: i64) -> Vec<(i64, i64)> {
    spans.sort_unstable();
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for (from, to) in spans {
        match runs.last_mut() {
            Some(last) if from <= last.1 + linger => last.1 = last.1.max(to),
            _ => runs.push((from, to)),
        }
    }
    runs
}

fn counts(events: &[Value]) -> Counts {
    let of = |name: &'static str| {
        events.iter().filter(move |e| e["Event"].as_str().unwrap().rsplit('.').next() == Some(name))
    };
    let important = important(events);
    let ends: BTreeMap<i64, i64> = of("SparkListenerJobEnd")
        .map(|e| (number(&e["Job ID"]), number(&e["Completion Time"])))
        .collect();
    let execution_ends: BTreeMap<i64, i64> = of("SparkListenerSQLExecutionEnd")
        .map(|e| (number(&e["executionId"]), number(&e["time"])))
        .collect();
    let mut spans: BTreeMap<String, Vec<(i64, i64)>> = BTreeMap::new();
    let mut whose: BTreeMap<i64, String> = BTreeMap::new();
    for job in of("SparkListenerJobStart") {
        let id = number(&job["Job ID"]);
        let name = workflow(job, &important);
        let span = (number(&job["Submission Time"]), ends[&id]);
        spans.entry(name.clone()).or_default().push(span);
        for key in ["spark.sql.execution.root.id", "spark.sql.execution.id"] {
            if let Some(execution) = job["Properties"][key].as_str() {
                whose.entry(execution.parse().unwrap()).or_insert_with(|| name.clone());
            }
        }
    }
    for execution in of("SparkListenerSQLExecutionStart") {
        let id = number(&execution["executionId"]);
        if let (Some(name), Some(&end)) = (whose.get(&id), execution_ends.get(&id)) {
            spans.entry(name.clone()).or_default().push((number(&execution["time"]), end));
        }
    }
    let jcts = spans.into_iter().map(|(name, spans)| {
        let alone = ["sql:", "job:", "stream:"].iter().any(|prefix| name.starts_with(prefix));
        let runs = merged(spans, if alone { 0 } else { LINGER_MS });
        let mut jcts: Vec<i64> = runs.into_iter().map(|(from, to)| to - from).collect();
        jcts.sort_unstable();
        (name, jcts)
    });
    let executors = of("SparkListenerExecutorAdded").map(|e| e["Executor ID"].as_str().unwrap());
    Counts {
        jobs: of("SparkListenerJobStart").count() as u64,
        stages: of("SparkListenerStageSubmitted").count() as u64,
        attempts: of("SparkListenerTaskStart").count() as u64,
        executors: executors.collect::<BTreeSet<_>>().len() as u64,
        jcts: jcts.collect(),
    }
}

fn told(report: &ApplicationReport) -> Counts {
    let mut jcts: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for run in report.runs.iter().filter(|run| run.ended) {
        let jct = i64::try_from(run.jct_us / 1_000).unwrap();
        jcts.entry(run.workflow.clone()).or_default().push(jct);
    }
    jcts.values_mut().for_each(|jcts| jcts.sort_unstable());
    let sum = |of: fn(&holdfast_trace::report::RunReport) -> u64| report.runs.iter().map(of).sum();
    Counts {
        jobs: sum(|run| run.jobs.into()),
        stages: sum(|run| run.stages.into()),
        attempts: sum(|run| run.tasks),
        executors: report.executors,
        jcts,
    }
}

/// Slot-time in use in slot-milliseconds: from launch to finish of each attempt, where an executor has no more of them at
/// once than it has cores. Spark launches a task before it has noted that the last one on the slot has ended.
fn busy(events: &[Value]) -> i64 {
    let added = events.iter().filter(|e| e["Event"] == "SparkListenerExecutorAdded");
    let cores: BTreeMap<&str, i64> = added
        .map(|e| (e["Executor ID"].as_str().unwrap(), number(&e["Executor Info"]["Total Cores"])))
        .collect();
    let mut steps: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
    for end in events.iter().filter(|e| e["Event"] == "SparkListenerTaskEnd") {
        let info = &end["Task Info"];
        let (from, to) = (number(&info["Launch Time"]), number(&info["Finish Time"]));
        let steps = steps.entry(info["Executor ID"].as_str().unwrap()).or_default();
        steps.extend([(from, 1), (to, -1)]);
    }
    let mut busy = 0;
    for (executor, mut steps) in steps {
        steps.sort_unstable();
        let (mut running, mut since) = (0, 0);
        for (at, step) in steps {
            busy += (at - since) * cores[executor].min(running);
            (running, since) = (running + step, at);
        }
    }
    busy
}

/// All event logs below a folder.
fn logs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() && !name.starts_with("eventlog_v2_") {
            found.extend(logs(&path));
        } else if !name.ends_with(".xml") && !name.ends_with(".md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_log_is_counted_the_same_twice() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths =
        [logs(&tests.join("tests/data")), logs(&tests.join("../cli/tests/data/cells"))].concat();
    assert!(paths.len() >= 18, "{paths:?}");
    for path in paths {
        let log = logs_at(&path).unwrap().remove(0);
        let report = whatif(&log, &Options::default()).unwrap();
        let events = events(&log.files);
        assert_eq!(told(&report), counts(&events), "{}", path.display());
        let (busy, told) = (busy(&events), i64::try_from(report.busy_slot_ms).unwrap());
        let near = busy / 500 + 20;
        assert!((busy - told).abs() <= near, "{}: {told}, counted {busy}", path.display());
    }
}

/// The count itself finds what is wrong: of a log without one event it says something else.
#[test]
fn a_missing_event_changes_the_count() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stock-4.1.0.zstd");
    let whole = events(&[path]);
    for name in ["JobStart", "StageSubmitted", "TaskStart", "ExecutorAdded"] {
        let name = format!("SparkListener{name}");
        let mut less = whole.clone();
        let at = less.iter().rposition(|e| e["Event"] == name.as_str()).unwrap();
        less.remove(at);
        assert_ne!(counts(&less), counts(&whole), "{name}");
    }
}
