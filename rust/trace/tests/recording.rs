//! A log in memory: what it ran on, what it read from memory, how quick its driver was.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{GIVES_BACK, Log, ORIGIN};
use holdfast_trace::Options;
use holdfast_trace::recording::{Recorded, Recording};
use holdfast_trace::surroundings::Executor;

fn recorded(log: &Log, most: u64) -> Option<Recording> {
    match Recording::of_lines(|| log.lines(false), &Options::default(), most).unwrap() {
        Recorded::Whole(recording) => Some(*recording),
        Recorded::TooMany => None,
    }
}

/// A stage that computes RDDs, the last one first: number, parents, whether it is kept.
fn stage(log: &mut Log, at: u64, stage: u32, tasks: u32, rdds: &[(u32, &[u32], bool)]) {
    let rdds: Vec<String> = rdds
        .iter()
        .map(|(rdd, parents, kept)| {
            format!(r#"{{"RDD ID":{rdd},"Name":"r","Parent IDs":{parents:?},"Storage Level":{{"Use Disk":false,"Use Memory":{kept},"Replication":1}}}}"#)
        })
        .collect();
    log.line(&format!(
        r#"{{"Event":"SparkListenerStageSubmitted","Stage Info":{{"Stage ID":{stage},"Stage Attempt ID":0,"Number of Tasks":{tasks},"RDD Info":[{}],"Submission Time":{}}}}}"#,
        rdds.join(","),
        ORIGIN + at
    ));
}

/// Group `a` caches RDD 1 with job 0 and reads it with job 1, whose last stage writes shuffle output.
fn log() -> Log {
    let group = [("spark.jobGroup.id", "a"), ("spark.holdfast.priority", "7")];
    let mut log = Log::begun();
    log.environment(&[("spark.task.cpus", "2")]);
    log.executor_on("h1", 100, "1", 4);
    log.executor_on("h2", 200, "2", 4);
    log.job(1_000, 0, &[(0, &[])], &group);
    stage(&mut log, 1_004, 0, 2, &[(1, &[0], true), (0, &[], false)]);
    log.task(1_010, 0, 0, 0, "1");
    log.task(1_010, 0, 1, 1, "2");
    log.task_end((1_010, 2_000), 0, 0, 0, "1", "Success");
    log.task_end((1_010, 2_100), 0, 1, 1, "2", "Success");
    log.job_end(2_103, 0);
    log.job(2_200, 1, &[(1, &[])], &group);
    stage(&mut log, 2_204, 1, 2, &[(2, &[1], false), (1, &[0], true), (0, &[], false)]);
    log.task(2_210, 1, 2, 0, "1");
    log.task(2_900, 1, 3, 1, "1");
    for (from, at, task, index) in [(2_210, 3_000, 2, 0), (2_900, 3_500, 3, 1)] {
        log.task_end((from, at), 1, task, index, "1", "Success");
    }
    log.0 = log.0.replacen(
        r#""Stage ID":1,"Stage Attempt ID":0,"Task Type":"ResultTask""#,
        r#""Stage ID":1,"Stage Attempt ID":0,"Task Type":"ShuffleMapTask""#,
        2,
    );
    log.job_end(3_503, 1);
    log.executor_removed(9_000, "2");
    log.end(9_500);
    log
}

#[test]
fn a_log_is_kept_with_what_it_ran_on() {
    let recording = recorded(&log(), 4).unwrap();
    let executor = |host: &str, joined, left: Option<u64>| Executor {
        host: host.to_owned(),
        slots: 2,
        joined: ORIGIN + joined,
        left: left.map(|at| ORIGIN + at),
    };
    let expected = [executor("h1", 100, None), executor("h2", 200, Some(9_000))];
    assert_eq!(recording.surroundings.executors, expected);
    assert_eq!(recording.life(&expected[1]), (200, Some(9_000)));
    assert_eq!(recording.surroundings.spark["spark.task.cpus"], "2");
    assert!(recording.surroundings.has_keys, "a job has a priority");
    // 4 ms before each stage, 3 ms after each last task, 6 ms to each first launch.
    assert_eq!((recording.surroundings.start_ms(), recording.surroundings.lag_ms()), (4, 9));
    let [a] = recording.workflows.as_slice() else { panic!("{:?}", recording.workflows) };
    assert_eq!((a.name.as_str(), a.priority, a.took_ms), ("group:a", 7, Some(2_503)));
    let [first, second] = a.jobs.as_slice() else { panic!("{a:?}") };
    assert!(first.stages[0].fills_cache && first.stages[0].cached_by.is_none());
    assert!(!second.stages[0].fills_cache);
    assert_eq!(second.stages[0].cached_by, Some((0, 0)));
    assert_eq!((first.ends_in_shuffle, second.ends_in_shuffle), (false, true));
}

#[test]
fn a_log_with_too_many_tasks_is_not_kept() {
    assert!(recorded(&log(), 3).is_none());
}

#[test]
fn executors_that_the_log_does_not_announce_have_as_many_slots_as_ran_tasks_at_once() {
    let mut log = Log::new(&[]);
    log.job(0, 0, &[(0, &[])], &[]);
    log.stage(0, 0, 3);
    for (at, task) in [(10, 0), (20, 1), (40, 2)] {
        log.task(at, 0, task, u32::try_from(task).unwrap(), "x");
    }
    for (from, at, task) in [(10, 30, 0), (20, 50, 1), (40, 60, 2)] {
        log.task_end((from, at), 0, task, u32::try_from(task).unwrap(), "x", "Success");
    }
    log.job_end(60, 0);
    let recording = recorded(&log, 9).unwrap();
    let slots: Vec<u32> = recording.surroundings.executors.iter().map(|e| e.slots).collect();
    assert_eq!(slots, [2]);
    assert!(!recording.surroundings.has_keys);
}

/// Executors register at 0; the first stage comes at 1 s, its task is launched at 9 s: they were not ready before. The
/// second executor is idle from 12 s on, for so long that Spark gives it back at 22 s, though it is removed at 30 s. What
/// failed took 2 s.
#[test]
fn executors_are_there_while_they_may_run_tasks() {
    let mut log = Log::new(&[]);
    log.environment(&GIVES_BACK);
    log.executor(0, "a", 1);
    log.executor(0, "b", 1);
    log.executor(10, "c", 1);
    log.executor_removed(500, "c");
    log.job(1_000, 0, &[(0, &[])], &[]);
    log.stage(1_000, 0, 2);
    log.task(9_000, 0, 0, 0, "a");
    log.task(10_000, 0, 1, 1, "b");
    log.task_end((10_000, 12_000), 0, 1, 1, "b", "ExceptionFailure");
    log.task(12_000, 0, 2, 1, "a");
    log.task_end((9_000, 12_000), 0, 0, 0, "a", "Success");
    log.task_end((12_000, 29_000), 0, 2, 1, "a", "Success");
    log.job_end(29_000, 0);
    log.executor_removed(30_000, "b");
    log.end(31_000);
    let recording = recorded(&log, 9).unwrap();
    let lives: Vec<_> =
        recording.surroundings.executors.iter().map(|e| recording.life(e)).collect();
    assert_eq!(lives, [(9_000, None), (9_000, Some(22_000)), (10, Some(500))]);
    assert_eq!(recording.surroundings.failed, (1, 2_000));
}

/// Threads of the driver overtake each other: job 3 is submitted 40 ms after job 4, and job 5 after both.
#[test]
fn a_job_that_was_overtaken_had_its_number_before() {
    let mut log = Log::new(&[1]);
    for (at, job) in [(100, 4), (140, 3), (150, 5)] {
        log.job(at, job, &[(job, &[])], &[]);
        log.job_end(900, job);
    }
    let recording = recorded(&log, 9).unwrap();
    let ahead = |name: &str| {
        let of = recording.workflows.iter().find(|workflow| workflow.name == name).unwrap();
        of.jobs[0].numbered_ahead_ms
    };
    assert_eq!(["job:3", "job:4", "job:5"].map(ahead), [41, 0, 0]);
}

/// Stages are found by their numbers: were each looked for among all, this would take minutes.
#[test]
fn a_job_may_have_any_number_of_stages() {
    const MANY: u32 = 100_000;
    let mut log = Log::new(&[1]);
    let parents: Vec<Vec<u32>> =
        (0..MANY).map(|s| s.checked_sub(1).into_iter().collect()).collect();
    let stages: Vec<(u32, &[u32])> = (0..).zip(&parents).map(|(s, p)| (s, p.as_slice())).collect();
    log.job(0, 0, &stages, &[]);
    for s in 0..MANY {
        let at = u64::from(s) * 10;
        log.stage(at, s, 1);
        log.ran((at, at + 10), s, s.into(), 0, "e0");
    }
    log.job_end(u64::from(MANY) * 10, 0);
    let recording = recorded(&log, MANY.into()).unwrap();
    let stages = &recording.workflows[0].jobs[0].stages;
    assert_eq!(stages.len(), MANY as usize);
    assert!(stages.iter().zip(0..).skip(1).all(|(stage, s)| stage.parents == [s - 1]));
}
