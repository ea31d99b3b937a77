//! Events that a log has lost, has twice, or that count in an unusual way. Terms are in milliseconds, in the order:
//! computing, first wait, lost at barriers, locality wait, driver gaps.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{A, Log, ORIGIN, run, terms};
use holdfast_trace::notes::NoteKind;
use holdfast_trace::report::ApplicationReport;

const SQL: [(&str, &str); 2] =
    [("spark.sql.execution.id", "3"), ("spark.sql.execution.root.id", "3")];

/// Two slots; a SQL query of two stages, two tasks each, and a job that takes a slot at its barrier.
fn whole() -> Log {
    let mut log = Log::new(&[2]);
    log.execution(500, 3);
    log.job(1_000, 0, &[(0, &[]), (1, &[0])], &SQL);
    log.stage(1_000, 0, 2);
    log.task(1_050, 0, 0, 0, "e0");
    log.task(1_050, 0, 1, 1, "e0");
    log.job(2_000, 1, &[(2, &[])], &A);
    log.stage_named(2_000, 2, 1, &A);
    log.task_end((1_050, 3_050), 0, 0, 0, "e0", "Success");
    log.task(3_060, 2, 2, 0, "e0");
    log.task_end((1_050, 4_050), 0, 1, 1, "e0", "Success");
    log.stage_end_from((1_000, 4_050), 0, 2);
    log.stage(4_055, 1, 2);
    log.task(4_060, 1, 3, 0, "e0");
    log.task_end((3_060, 30_060), 2, 2, 0, "e0", "Success");
    log.stage_end_from((2_000, 30_062), 2, 1);
    log.job_end(30_062, 1);
    log.task(30_065, 1, 4, 1, "e0");
    log.task_end((4_060, 30_500), 1, 3, 0, "e0", "Success");
    log.task_end((30_065, 31_000), 1, 4, 1, "e0", "Success");
    log.stage_end_from((4_055, 31_000), 1, 2);
    log.job_end(31_000, 0);
    log.execution_end(31_400, 3);
    log.end(60_000);
    log
}

/// The log without the lines that have all of these.
fn without(log: &Log, parts: &[&str]) -> Log {
    let lost = |line: &&str| parts.iter().all(|part| line.contains(part));
    Log(log.0.lines().filter(|line| !lost(line)).map(|line| format!("{line}\n")).collect())
}

fn rebuilt(report: &ApplicationReport) -> Vec<&str> {
    assert!(report.notes.iter().all(|note| note.kind == NoteKind::Rebuilt), "{:?}", report.notes);
    report.notes.iter().map(|note| note.text.as_str()).collect()
}

/// What is said without these lines is what is said with them; the note that says so begins like this.
#[track_caller]
fn same_without(parts: &[&str], note: &str) {
    let (all, rest) = (whole().report(), without(&whole(), parts).report());
    assert_eq!(all.notes, []);
    let [told] = rebuilt(&rest)[..] else { panic!("{:?}", rest.notes) };
    assert!(told.starts_with(note), "{told}");
    let rest = ApplicationReport { bytes: all.bytes, notes: Vec::new(), ..rest };
    assert_eq!(all, rest);
}

#[test]
fn lost_task_starts_are_in_the_tasks_ends() {
    same_without(&["TaskStart"], "5 task starts not in the log: ");
    for task in 0..5 {
        let id = format!("\"Task ID\":{task},");
        same_without(&["TaskStart", &id], "1 task start not in the log: ");
    }
}

#[test]
fn lost_stage_submissions_are_in_the_stages_ends() {
    same_without(&["StageSubmitted"], "3 stage submissions not in the log: ");
    for stage in 0..3 {
        let id = format!("\"Stage ID\":{stage},");
        same_without(&["StageSubmitted", &id], "1 stage submission not in the log: ");
    }
}

#[test]
fn a_lost_end_of_a_job_is_that_of_its_last_stage() {
    let report = without(&whole(), &["JobEnd", "\"Job ID\":1,"]).report();
    let other = run(&report, "group:a");
    assert_eq!((other.end_ms, other.ended, other.rebuilt), (ORIGIN + 30_062, true, true));
    assert_eq!(rebuilt(&report).len(), 1);
    assert!(!run(&report, "sql:3").rebuilt);
    assert_eq!(terms(run(&report, "sql:3")), terms(run(&whole().report(), "sql:3")));
}

#[test]
fn lost_ends_of_stages_and_executions_are_those_of_what_they_are_made_of() {
    let report = without(&whole(), &["StageCompleted", "\"Stage ID\":0,"]).report();
    assert_eq!(rebuilt(&report).len(), 1);
    assert_eq!(terms(run(&report, "sql:3")), terms(run(&whole().report(), "sql:3")));

    let report = without(&whole(), &["SQLExecutionEnd"]).report();
    let query = run(&report, "sql:3");
    assert_eq!((query.end_ms, query.ended, query.rebuilt), (ORIGIN + 31_000, true, true));
    assert_eq!(rebuilt(&report).len(), 1);

    let report = without(&whole(), &["SQLExecutionStart"]).report();
    let query = run(&report, "sql:3");
    let times = (query.arrival_ms, query.end_ms, query.ended, query.rebuilt);
    assert_eq!(times, (ORIGIN + 1_000, ORIGIN + 31_400, true, true));
    assert_eq!(rebuilt(&report).len(), 1);
}

#[test]
fn a_lost_start_of_a_job_is_that_of_its_first_stage_with_its_names() {
    let report = without(&whole(), &["JobStart", "\"Job ID\":1,"]).report();
    let other = run(&report, "group:a");
    let times = (other.arrival_ms, other.end_ms, other.rebuilt);
    assert_eq!(times, (ORIGIN + 2_000, ORIGIN + 30_062, true));
    assert_eq!(terms(other), terms(run(&whole().report(), "group:a")));
    assert_eq!(rebuilt(&report).len(), 1);
}

#[test]
fn a_lost_end_of_a_task_is_that_of_its_stage() {
    let report = without(&whole(), &["TaskEnd", "\"Task ID\":0,"]).report();
    assert_eq!(rebuilt(&report).len(), 1);
    assert_eq!(report.unended_tasks, 0);
}

#[test]
fn what_is_in_the_log_again_counts_once() {
    let all = whole().report();
    let mut log = Log::default();
    for line in whole().0.lines() {
        log.line(line);
        log.line(line);
    }
    let twice = log.report();
    assert_eq!(all.runs, twice.runs);
    let [note] = twice.notes.as_slice() else { panic!("{:?}", twice.notes) };
    assert!(note.text.contains("in the log again: counted once"), "{note:?}");
}

/// An executor goes with what a task of job 0 has done; job 1 has the only slot when that is to run again.
#[test]
fn a_task_that_runs_again_because_its_output_is_gone_waits_like_any_other() {
    let mut log = Log::new(&[1, 1]);
    log.job(1_000, 0, &[(0, &[])], &[]);
    log.stage(1_000, 0, 2);
    log.task(1_000, 0, 0, 0, "e0");
    log.task(1_000, 0, 1, 1, "e1");
    log.task_end((1_000, 2_000), 0, 0, 0, "e0", "Success");
    log.executor_removed(3_000, "e0");
    log.task_end((1_000, 2_000), 0, 0, 0, "e0", "Resubmitted");
    log.job(3_500, 1, &[(1, &[])], &[]);
    log.stage(3_500, 1, 1);
    log.task_end((1_000, 4_000), 0, 1, 1, "e1", "Success");
    log.ran((4_000, 14_000), 1, 2, 0, "e1");
    log.job_end(14_000, 1);
    log.ran((14_000, 15_000), 0, 3, 0, "e1");
    log.stage_end_from((1_000, 15_000), 0, 2);
    log.job_end(15_000, 0);
    log.end(15_000);
    let report = log.report();
    assert_eq!(terms(run(&report, "job:0")), [4_000.0, 10_000.0, 0.0, 0.0, 0.0]);
    assert_eq!(report.notes.len(), 1, "stage 1 has no end: {:?}", report.notes);
}

/// One executor is free and another is busy for 9.9 s, when a stage of two tasks comes that start together.
#[test]
fn a_barrier_stage_waits_for_all_its_slots_and_not_for_locality() {
    let mut log = Log::new(&[1, 1]);
    log.job(1_000, 0, &[(0, &[])], &A);
    log.stage(1_000, 0, 1);
    log.ran((1_000, 2_000), 0, 0, 0, "e0");
    log.stage_end_from((1_000, 2_000), 0, 1);
    log.job_end(2_000, 0);
    log.job(2_000, 1, &[(1, &[])], &[]);
    log.stage(2_000, 1, 1);
    log.task(2_000, 1, 1, 0, "e1");
    log.job(2_100, 2, &[(2, &[])], &A);
    log.barrier_stage(2_100, 2, 2);
    log.task_end((2_000, 12_000), 1, 1, 0, "e1", "Success");
    log.stage_end_from((2_000, 12_000), 1, 1);
    log.job_end(12_000, 1);
    for (task, index, executor) in [(2, 0, "e0"), (3, 1, "e1")] {
        log.task(12_000, 2, task, index, executor);
    }
    for (task, index, executor) in [(2, 0, "e0"), (3, 1, "e1")] {
        log.task_end((12_000, 13_000), 2, task, index, executor, "Success");
    }
    log.stage_end_from((2_100, 13_000), 2, 2);
    log.job_end(13_000, 2);
    log.end(13_000);
    assert_eq!(terms(run(&log.report(), "group:a")), [2_000.0, 9_900.0, 0.0, 0.0, 100.0]);
}

/// Two executors on hosts of their own; a task fails on the second at 1.5 s, which then gets no task of the stage, by any
/// of the ways in which Spark says so.
#[test]
fn a_place_that_gets_no_tasks_has_no_free_slot() {
    let ways = [
        r#""executorId":"e1","taskFailures":1"#,
        r#""hostId":"h1","executorFailures":1"#,
        r#""executorId":"e1","taskFailures":1,"stageId":0,"stageAttemptId":0"#,
        r#""hostId":"h1","executorFailures":1,"stageId":0,"stageAttemptId":0"#,
    ];
    let names = [
        ["ExecutorExcluded", "ExecutorBlacklisted"],
        ["NodeExcluded", "NodeBlacklisted"],
        ["ExecutorExcludedForStage", "ExecutorBlacklistedForStage"],
        ["NodeExcludedForStage", "NodeBlacklistedForStage"],
    ];
    let report = |event: &str| {
        let mut log = Log::new(&[1]);
        log.line(&format!(
            r#"{{"Event":"SparkListenerExecutorAdded","Timestamp":{ORIGIN},"Executor ID":"e1","Executor Info":{{"Host":"h1","Total Cores":1}}}}"#
        ));
        log.job(1_000, 0, &[(0, &[])], &[]);
        log.stage(1_000, 0, 3);
        log.task(1_000, 0, 0, 0, "e0");
        log.task(1_000, 0, 1, 1, "e1");
        log.task_end((1_000, 1_500), 0, 1, 1, "e1", "ExceptionFailure");
        log.line(event);
        log.task_end((1_000, 6_000), 0, 0, 0, "e0", "Success");
        log.ran((6_000, 11_000), 0, 2, 1, "e0");
        log.ran((11_000, 16_000), 0, 3, 2, "e0");
        log.stage_end_from((1_000, 16_000), 0, 3);
        log.job_end(16_000, 0);
        log.end(16_000);
        log.report()
    };
    let without = report(r#"{"Event":"SparkListenerUnpersistRDD","RDD ID":1}"#);
    assert!(terms(run(&without, "job:0"))[3] > 6_000.0, "it would look like a free slot");
    for (way, names) in ways.into_iter().zip(names) {
        for name in names {
            let at = ORIGIN + 1_500;
            let event = format!(
                r#"{{"Event":"org.apache.spark.scheduler.SparkListener{name}","time":{at},{way}}}"#
            );
            let told = report(&event);
            assert_eq!(terms(run(&told, "job:0")), [15_000.0, 0.0, 0.0, 0.0, 0.0], "{name}");
        }
    }
}

/// A node that is excluded may come back, and takes executors that come to it with it.
#[test]
fn a_node_that_is_no_longer_excluded_has_its_slots_again() {
    let node = |name: &str, at: u64| {
        format!(
            r#"{{"Event":"org.apache.spark.scheduler.SparkListenerNode{name}","time":{},"hostId":"h"}}"#,
            ORIGIN + at
        )
    };
    let mut log = Log::new(&[1]);
    log.line(&node("Excluded", 500));
    log.executor(600, "e1", 1);
    log.job(1_000, 0, &[(0, &[])], &[]);
    log.stage(1_000, 0, 2);
    log.task(1_000, 0, 0, 0, "e0");
    log.line(&node("Unexcluded", 6_000));
    log.task_end((1_000, 11_000), 0, 0, 0, "e0", "Success");
    log.ran((11_000, 12_000), 0, 1, 1, "e0");
    log.stage_end_from((1_000, 12_000), 0, 2);
    log.job_end(12_000, 0);
    log.end(12_000);
    // From 6 s on a slot is free: 100 ms are the driver's, the rest is waited for locality.
    let report = log.report();
    assert_eq!(terms(run(&report, "job:0")), [6_000.0, 0.0, 0.0, 4_900.0, 100.0]);
}

/// An executor of four cores that the log does not announce runs one task at a time.
#[test]
fn an_executor_that_is_not_announced_has_the_cores_that_anything_says() {
    let report = |spark: &str| {
        let mut log = Log::new(&[]);
        log.line(&format!(
            r#"{{"Event":"SparkListenerEnvironmentUpdate","Spark Properties":{{{spark}}}}}"#
        ));
        log.job(1_000, 0, &[(0, &[])], &[]);
        log.stage(1_000, 0, 1);
        log.ran((1_000, 2_000), 0, 0, 0, "x");
        log.stage_end_from((1_000, 2_000), 0, 1);
        log.job_end(2_000, 0);
        log.end(2_000);
        log.report()
    };
    for (spark, slots) in [
        (r#""spark.executor.cores":"4""#, 4),
        (r#""spark.executor.cores":"4","spark.task.cpus":"2""#, 2),
        (r#""spark.master":"local[3]""#, 3),
        (r#""spark.master":"local[3,2]""#, 3),
        (r#""spark.master":"yarn""#, 1),
    ] {
        let report = report(spark);
        assert_eq!((report.slots, report.executors), (slots, 1), "{spark}");
        let [note] = report.notes.as_slice() else { panic!("{:?}", report.notes) };
        assert_eq!(note.kind, NoteKind::Rebuilt, "{note:?}");
    }
    let unknown = report(r#""spark.master":"local[*]""#);
    assert_eq!((unknown.slots, unknown.unsized_executors), (1, 1));
    let [note] = unknown.notes.as_slice() else { panic!("{:?}", unknown.notes) };
    assert_eq!(note.kind, NoteKind::LeftOut, "{note:?}");
}
