//! Executors that were lost while an application ran, as `holdfast sim` takes them from its event log.
#![allow(clippy::unwrap_used, reason = "tests")]

#[path = "../../trace/tests/common/mod.rs"]
mod common;
mod program;

use common::Log;
use program::{file, holdfast};
use serde_json::Value;

/// Two executors of one slot run two tasks of 10 s; the second one goes at `lost`, and four tasks of 10 s run one after
/// the other on the first one, until 52 s. Then all that are left go, at `end`.
fn log(lost: u64, end: Option<u64>) -> Log {
    let mut log = Log::new(&[1, 1]);
    let group = |name| [("spark.jobGroup.id", name)];
    log.job(0, 0, &[(0, &[])], &group("both"));
    log.stage(0, 0, 2);
    for (index, executor) in [(0, "e0"), (1, "e1")] {
        log.ran((0, 10_000), 0, index.into(), index, executor);
    }
    log.job_end(10_000, 0);
    log.executor_removed(lost, "e1");
    log.job(12_000, 1, &[(1, &[])], &group("alone"));
    log.stage(12_000, 1, 4);
    for index in 0..4 {
        let from = 12_000 + 10_000 * u64::from(index);
        log.ran((from, from + 10_000), 1, 2 + u64::from(index), index, "e0");
    }
    log.job_end(52_000, 1);
    if let Some(at) = end {
        log.executor_removed(at, "e0");
        log.end(at);
    }
    log
}

/// How long each workflow takes when it is simulated as it was recorded, in milliseconds.
fn simulated(name: &str, log: &Log) -> Vec<u64> {
    let path = file(name, &log.0);
    let ran = holdfast(&["sim", path.to_str().unwrap(), "--compare", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let compared: Value = serde_json::from_str(&ran.out).unwrap();
    let runs = compared["runs"].as_array().unwrap();
    runs.iter().map(|run| run["simulated_ms"].as_u64().unwrap()).collect()
}

#[test]
fn what_is_lost_in_mid_run_is_gone_whether_the_log_tells_of_its_end_or_not() {
    assert_eq!(simulated("lost-no-end", &log(11_000, None)), [10_000, 40_000]);
    assert_eq!(simulated("lost-end", &log(11_000, Some(53_000))), [10_000, 40_000]);
    assert_eq!(simulated("lost-idle", &log(11_000, Some(3_600_000))), [10_000, 40_000]);
}

/// The simulated application may take longer than the recorded one: it must not stand there without executors.
#[test]
fn what_goes_when_all_has_run_stays() {
    assert_eq!(simulated("lost-late", &log(60_000, Some(3_600_000))), [10_000, 20_000]);
    assert_eq!(simulated("lost-with-it", &log(45_000, Some(53_000))), [10_000, 20_000]);
}

/// Dynamic allocation gives executors back and asks for others: not all that ever joined are there at once.
#[test]
fn slots_are_those_that_are_there_at_once() {
    let mut log = log(11_000, None);
    for (at, name) in [(60_000, "e2"), (61_000, "e3")] {
        log.executor(at, name, 1);
        log.executor_removed(at + 500, name);
    }
    log.job(70_000, 2, &[(2, &[])], &[("spark.jobGroup.id", "later")]);
    log.stage(70_000, 2, 1);
    log.ran((70_000, 80_000), 2, 9, 0, "e0");
    log.job_end(80_000, 2);
    let path = file("lost-slots", &log.0);
    let ran = holdfast(&["sim", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains(": 3 workflows, 7 attempts, 2 slots: "), "{}", ran.out);
}

/// Of two runs the log sees the end of one: all columns are of that one.
#[test]
fn runs_that_had_not_ended_count_in_no_column() {
    let group = |name| [("spark.jobGroup.id", name)];
    let mut log = Log::new(&[1, 1]);
    for (job, from) in [(0, 0), (1, 100_000)] {
        log.job(from, job, &[(job, &[])], &group("twice"));
        log.stage(from, job, 1);
        log.ran((from, from + 10_000), job, job.into(), 0, "e0");
        if job == 0 {
            log.job_end(from + 10_000, job);
        }
    }
    let path = file("unended", &log.0);
    let path = path.to_str().unwrap();
    let ran = holdfast(&["whatif", path, "--workflow", "group:twice", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let of = &report["applications"][0]["ssr"]["workflows"][0];
    assert_eq!((&of["runs"], &of["unended"]), (&Value::from(1), &Value::from(1)), "{report:#}");
    let times =
        ["recorded_ms", "as_recorded_ms", "alone_ms"].map(|name| of[name].as_u64().unwrap());
    assert_eq!(times, [10_000; 3]);
    assert!(of["settings"].as_array().unwrap().iter().all(|setting| setting["jct_ms"] == 10_000));
    let text = holdfast(&["whatif", path, "--workflow", "group:twice"]).out;
    assert!(text.contains("without 1 run that had not ended"), "{text}");
}

/// What the run lost whose end the log does not see is no part of the times that are compared.
#[test]
fn what_a_run_that_had_not_ended_lost_is_not_compared() {
    let group = |name| [("spark.jobGroup.id", name)];
    let mut log = Log::new(&[1]);
    log.job(0, 0, &[(0, &[])], &group("twice"));
    log.stage(0, 0, 1);
    log.ran((0, 10_000), 0, 0, 0, "e0");
    log.job_end(10_000, 0);
    // The second run: another one takes its slot at the barrier, for ten seconds.
    log.job(100_000, 1, &[(1, &[]), (2, &[1])], &group("twice"));
    log.stage(100_000, 1, 1);
    log.task(100_000, 1, 1, 0, "e0");
    log.job(105_000, 2, &[(3, &[])], &group("other"));
    log.stage(105_000, 3, 1);
    log.task_end((100_000, 110_000), 1, 1, 0, "e0", "Success");
    log.task(110_000, 3, 2, 0, "e0");
    log.stage(110_000, 2, 1);
    log.task_end((110_000, 120_000), 3, 2, 0, "e0", "Success");
    log.job_end(120_000, 2);
    log.ran((120_000, 130_000), 2, 3, 0, "e0");
    let path = file("lost-unended", &log.0);
    let ran = holdfast(&["whatif", path.to_str().unwrap(), "--workflow", "group:twice", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let of = &report["applications"][0];
    let lost: u64 = of["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["lost_at_barriers_us"].as_u64().unwrap())
        .sum();
    assert_eq!(lost, 10_000_000, "{report:#}");
    assert_eq!(of["ssr"]["workflows"][0]["lost_at_barriers_us"], 0, "{report:#}");
}

/// A stage of two tasks that start together comes at 2.1 s, when one of two slots is taken for ten seconds.
#[test]
fn a_barrier_stage_is_simulated_as_one() {
    let mut log = Log::new(&[1, 1]);
    log.job(2_000, 0, &[(0, &[])], &[("spark.jobGroup.id", "long")]);
    log.stage(2_000, 0, 1);
    log.task(2_000, 0, 0, 0, "e1");
    log.job(2_100, 1, &[(1, &[])], &[("spark.jobGroup.id", "barrier")]);
    log.barrier_stage(2_100, 1, 2);
    log.task_end((2_000, 12_000), 0, 0, 0, "e1", "Success");
    log.stage_end_from((2_000, 12_000), 0, 1);
    log.job_end(12_000, 0);
    for (index, executor) in [(0, "e0"), (1, "e1")] {
        log.task(12_000, 1, 1 + u64::from(index), index, executor);
    }
    for (index, executor) in [(0, "e0"), (1, "e1")] {
        log.task_end((12_000, 13_000), 1, 1 + u64::from(index), index, executor, "Success");
    }
    log.stage_end_from((2_100, 13_000), 1, 2);
    log.job_end(13_000, 1);
    log.end(13_000);
    assert_eq!(simulated("lost-barrier", &log), [10_000, 10_900]);
}

/// `sim` says what it rebuilt.
#[test]
fn a_simulation_says_what_was_rebuilt() {
    let whole = log(11_000, None);
    let lost: String =
        whole.0.lines().filter(|l| !l.contains("TaskStart")).map(|l| format!("{l}\n")).collect();
    let lost = Log(lost);
    assert_eq!(simulated("lost-starts", &lost), simulated("lost-none", &whole));
    let path = file("lost-starts-told", &lost.0);
    let ran = holdfast(&["sim", path.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("note: 6 task starts not in the log: "), "{}", ran.err);
}
