//! Logs of Spark 3.5.6 (Scala 2.12): two executors of two slots (`local-cluster[2,2,1024]`), FAIR, nothing of Holdfast.
//!
//! In both, the group `report` has jobs of a map stage and a reduce stage whose tasks sleep for 0.3 to 0.9 s and 0.25 s. 0.2 s
//! after its last job has begun, the group `crowd` comes with tasks of 1.2 s and takes its slots at the barrier. One log is a
//! file as Spark writes it by itself, four tasks beside four; the other one rolling and compressed with lz4, two jobs of
//! eight tasks beside twelve, followed by a join with a broadcast in the group `query`. Of the environment, only Spark's own
//! properties are left; its paths and the user's name are made up.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use holdfast_trace::convert::Converter;
use holdfast_trace::input::{Codec, Lines, decoder, logs_at};
use holdfast_trace::report::ApplicationReport;
use holdfast_trace::{Options, whatif, whatif_of_lines};
use serde_json::Value;

const PLAIN: &str = "app-20261124233802-0000";
const ROLLING: &str = "eventlog_v2_app-20261124233620-0000";

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/spark-3.5.6").join(name)
}

fn report(name: &str) -> ApplicationReport {
    let logs = logs_at(&path(name)).unwrap();
    assert_eq!((logs.len(), logs[0].files.len(), logs[0].in_progress), (1, 1, false));
    whatif(&logs[0], &Options::default()).unwrap()
}

/// The text of a log, unpacked.
fn text(name: &str) -> String {
    let mut text = String::new();
    let file = &logs_at(&path(name)).unwrap()[0].files[0];
    decoder(file).unwrap().read_to_string(&mut text).unwrap();
    text
}

fn lines(name: &str) -> Lines {
    Lines::of_reader(Path::new(name), Box::new(Cursor::new(text(name).into_bytes())), false)
}

const SQL_START: &str = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart";
const SQL_END: &str = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd";

/// What a second look at the events says of a group: its jobs, its tasks, and from its first job's beginning to its last
/// job's end. The only SQL execution is that of `query`, which begins and ends with it.
#[derive(Debug, Default, PartialEq)]
struct Group {
    jobs: u32,
    tasks: u64,
    arrival_ms: u64,
    end_ms: u64,
}

fn groups(name: &str) -> BTreeMap<String, Group> {
    let (mut groups, mut of_job, mut of_stage) = <(BTreeMap<_, Group>, _, _)>::default();
    let (of_job, of_stage): (&mut BTreeMap<u64, _>, &mut BTreeMap<u64, _>) =
        (&mut of_job, &mut of_stage);
    let number = |value: &Value| value.as_u64().unwrap();
    for line in text(name).lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        match event["Event"].as_str().unwrap() {
            "SparkListenerJobStart" => {
                let group = event["Properties"]["spark.jobGroup.id"].as_str().unwrap();
                let told = groups.entry(format!("group:{group}")).or_default();
                if told.arrival_ms == 0 {
                    told.arrival_ms = number(&event["Submission Time"]);
                }
                told.jobs += 1;
                of_job.insert(number(&event["Job ID"]), group.to_owned());
                for stage in event["Stage IDs"].as_array().unwrap() {
                    of_stage.insert(number(stage), group.to_owned());
                }
            }
            "SparkListenerTaskEnd" => {
                let group = &of_stage[&number(&event["Stage ID"])];
                groups.get_mut(&format!("group:{group}")).unwrap().tasks += 1;
            }
            "SparkListenerJobEnd" => {
                let group = &of_job[&number(&event["Job ID"])];
                let told = groups.get_mut(&format!("group:{group}")).unwrap();
                told.end_ms = number(&event["Completion Time"]);
            }
            SQL_START => {
                groups.entry("group:query".to_owned()).or_default().arrival_ms =
                    number(&event["time"]);
            }
            SQL_END => groups.get_mut("group:query").unwrap().end_ms = number(&event["time"]),
            _ => {}
        }
    }
    groups
}

/// Workflows, their jobs and tasks, and what each lost at barriers, in milliseconds.
fn told(report: &ApplicationReport) -> Vec<(&str, u32, u64, u64)> {
    let runs = report.runs.iter();
    runs.map(|r| (&*r.workflow, r.jobs, r.tasks, r.terms.lost_at_barriers / 1_000)).collect()
}

#[test]
fn a_plain_log_is_read() {
    let report = report(PLAIN);
    assert_eq!((report.spark.as_deref(), report.fair, report.ended), (Some("3.5.6"), true, true));
    assert_eq!((report.executors, report.slots, report.unended_tasks), (2, 4, 0));
    assert_eq!(told(&report), [("group:report", 1, 4, 34), ("group:crowd", 1, 4, 0)]);
}

#[test]
fn a_rolling_log_with_lz4_is_read() {
    let report = report(ROLLING);
    assert_eq!((report.spark.as_deref(), report.fair, report.ended), (Some("3.5.6"), true, true));
    assert_eq!((report.executors, report.slots, report.unended_tasks), (2, 4, 0));
    // The second job's four map tasks ended one by one while the crowd had twelve tasks waiting.
    let expected =
        [("group:report", 2, 16, 1_273), ("group:crowd", 1, 12, 0), ("group:query", 3, 4, 0)];
    assert_eq!(told(&report), expected);
    let lost = &report.runs[0];
    assert_eq!((lost.barriers.all, lost.barriers.with_loss, lost.gaps.all), (2, 1, 1));
    assert_eq!(lost.lost_to, [("group:crowd".to_owned(), 4)].into());
}

#[test]
fn where_the_time_went_is_the_time_that_there_was() {
    for name in [PLAIN, ROLLING] {
        let (report, groups) = (report(name), groups(name));
        assert_eq!(report.runs.len(), groups.len(), "{name}");
        for run in &report.runs {
            let (jobs, tasks) = (run.jobs, run.tasks);
            let (arrival_ms, end_ms) = (run.arrival_ms, run.end_ms);
            assert!(run.adds_up() && run.jct_us == (end_ms - arrival_ms) * 1_000, "{run:?}");
            let second = Group { jobs, tasks, arrival_ms, end_ms };
            assert_eq!(second, groups[&run.workflow], "{name}: {}", run.workflow);
        }
    }
}

#[test]
fn what_is_packed_is_what_is_in_it() {
    let file = logs_at(&path(ROLLING)).unwrap().remove(0).files.remove(0);
    assert_eq!(Codec::of(&std::fs::read(file).unwrap()[..8]).unwrap(), Codec::Lz4Blocks);
    let (packed, plain) =
        (report(ROLLING), whatif_of_lines(|| lines(ROLLING), &Options::default()).unwrap());
    assert_eq!((packed.bytes, &packed.runs), (plain.bytes, &plain.runs));
}

#[test]
fn all_that_ran_is_in_the_trace() {
    for name in [PLAIN, ROLLING] {
        let mut converter = Converter::of_lines(|| lines(name), &Options::default()).unwrap();
        let mut traced: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        while let Some(workflow) = converter.read().unwrap() {
            let tasks = workflow.jobs.iter().flat_map(|job| &job.stages).map(|s| s.tasks_ms.len());
            traced
                .insert(workflow.name.clone(), (workflow.jobs.len(), tasks.sum::<usize>() as u64));
        }
        let groups = groups(name).into_iter();
        let expected: BTreeMap<_, _> =
            groups.map(|(name, group)| (name, (group.jobs as usize, group.tasks))).collect();
        assert_eq!(traced, expected, "{name}");
    }
}
