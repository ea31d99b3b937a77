//! Logs small enough to be worked out by hand. Terms are in milliseconds, in the order: computing, first wait, lost at
//! barriers, locality wait, driver gaps.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{A, B, GIVES_BACK, Log, ORIGIN, run, terms};
use holdfast_trace::{Options, whatif_of_lines};

/// Two slots. A has two stages of two tasks; B comes during the first with two long tasks, and takes both slots at A's
/// barrier.
fn barrier() -> Log {
    let mut log = Log::new(&[2]);
    log.job(1_000, 0, &[(0, &[]), (1, &[0])], &A);
    log.stage(1_000, 0, 2);
    log.task(1_050, 0, 0, 0, "e0");
    log.task(1_050, 0, 1, 1, "e0");
    log.job(2_000, 1, &[(2, &[])], &B);
    log.stage(2_000, 2, 2);
    log.task_end((1_050, 3_050), 0, 0, 0, "e0", "Success");
    log.task(3_060, 2, 2, 0, "e0"); // B, where A was
    log.task_end((1_050, 4_050), 0, 1, 1, "e0", "Success");
    log.stage_end(4_050, 0);
    log.stage(4_055, 1, 2); // A goes on
    log.task(4_060, 2, 3, 1, "e0"); // B, where A was
    log.task_end((3_060, 7_060), 2, 2, 0, "e0", "Success");
    log.task(7_065, 1, 4, 0, "e0"); // A
    log.task_end((4_060, 8_060), 2, 3, 1, "e0", "Success");
    log.stage_end(8_062, 2);
    log.job_end(8_065, 1);
    log.task(8_065, 1, 5, 1, "e0"); // A
    log.task_end((7_065, 8_565), 1, 4, 0, "e0", "Success");
    log.task_end((8_065, 9_065), 1, 5, 1, "e0", "Success");
    log.stage_end(9_070, 1);
    log.job_end(9_075, 0);
    log.end(20_000);
    log
}

#[test]
fn slots_lost_at_a_barrier() {
    let report = barrier().report();
    let a = run(&report, "group:a");
    // 1000-1050  stage 0 waits, nothing has run yet                      first wait    50
    // 1050-4050  both run, then one runs and none waits                  computing   3000
    // 4050-4055  no stage                                                driver         5
    // 4055-4060  two wait: one slot is free (the driver has it in hand), one has B
    //                                                                    driver 2.5, lost 2.5
    // 4060-7060  two wait, B has both slots                              lost        3000
    // 7060-7065  as 4055-4060                                            driver 2.5, lost 2.5
    // 7065-8060  one runs, one waits for the slot that B has             lost         995
    // 8060-8065  it waits, the slot is free                              driver         5
    // 8065-9070  both run, one runs, the stage ends                      computing   1005
    // 9070-9075  no stage until the job ends                             driver         5
    assert_eq!(terms(a), [4_005.0, 50.0, 4_000.0, 0.0, 20.0]);
    assert_eq!(a.jct_us, 8_075_000);
    assert_eq!((a.arrival_ms, a.end_ms), (ORIGIN + 1_000, ORIGIN + 9_075));
    assert_eq!((a.barriers.all, a.barriers.with_loss, a.gaps.all), (1, 1, 0));
    // One was taken before stage 1 came, the other while it waited.
    assert_eq!(a.barriers.slots_lost, 2);
    assert_eq!(a.lost_to, [("group:b".to_owned(), 2)].into());
    let worst = a.worst.as_ref().unwrap();
    assert_eq!((worst.stage, worst.gap, worst.lost_us), (1, false, 4_000_000));
    assert_eq!((a.jobs, a.stages, a.tasks, a.widest), (1, 2, 4, 2));
}

#[test]
fn a_slot_that_stays_free_beside_others_is_not_lost() {
    // Two slots. A has one and keeps it free at its barrier, as Holdfast makes Spark do; on the other, B's next task is
    // launched before the end of its last one is noted.
    let mut log = Log::new(&[2]);
    log.job(1_000, 0, &[(0, &[]), (1, &[0])], &A);
    log.stage(1_000, 0, 1);
    log.task(1_050, 0, 0, 0, "e0");
    log.job(1_000, 1, &[(2, &[])], &B);
    log.stage(1_000, 2, 3);
    log.task(1_060, 2, 1, 0, "e0");
    log.task_end((1_050, 3_050), 0, 0, 0, "e0", "Success");
    log.stage_end(3_050, 0);
    log.task(3_053, 2, 2, 1, "e0"); // B, where A was or where B was?
    log.stage(3_055, 1, 1);
    log.task_end((1_060, 3_056), 2, 1, 0, "e0", "Success"); // where B was
    log.task(3_060, 1, 3, 0, "e0"); // A
    log.task_end((3_060, 4_060), 1, 3, 0, "e0", "Success");
    log.stage_end(4_060, 1);
    log.job_end(4_065, 0);
    log.task(4_070, 2, 4, 2, "e0");
    log.task_end((3_053, 5_053), 2, 2, 1, "e0", "Success");
    log.task_end((4_070, 6_070), 2, 4, 2, "e0", "Success");
    log.stage_end(6_070, 2);
    log.job_end(6_075, 1);
    log.end(20_000);
    let report = log.report();
    let a = run(&report, "group:a");
    // 1000-1050  nothing has run yet                                     first wait    50
    // 1050-3050, 3060-4060                                               computing   3000
    // 3050-3055, 4060-4065  no stage                                     driver        10
    // 3055-3056  until B's end is noted, it seems to have A's slot       lost           1
    // 3056-3060  the slot is free                                        driver         4
    assert_eq!(terms(a), [3_000.0, 50.0, 1.0, 0.0, 14.0]);
    assert_eq!((a.barriers.all, a.barriers.with_loss, a.barriers.slots_lost), (1, 0, 0));
    assert!(a.lost_to.is_empty());
}

#[test]
fn the_one_that_took_them_waited_for_its_first_slots() {
    let report = barrier().report();
    let b = run(&report, "group:b");
    // 2000-3060  nothing of it has run                                   first wait  1060
    // 3060-4050  one runs, one waits for the slot that A has             first wait   990
    // 4050-4060  it waits, the slot is free                              driver        10
    // 4060-8062  both run, one runs, the stage ends                      computing   4002
    // 8062-8065                                                          driver         3
    assert_eq!(terms(b), [4_002.0, 2_050.0, 0.0, 0.0, 13.0]);
    assert_eq!((b.barriers.all, b.gaps.all), (0, 0));
    // Both have stages from 2000 to 8062, but for A's barrier of 5 ms.
    assert_eq!(report.shared_ms, 6_057);
    assert_eq!((report.slots, report.executors), (2, 1));
    // A: 2000 + 3000 + 1500 + 1000; B: 4000 + 4000; two slots for 20 s.
    assert_eq!((report.busy_slot_ms, report.all_slot_ms), (15_500, 40_000));
}

/// Two slots on two executors. The job's second stage wants the first executor, though the other is free.
#[test]
fn a_task_that_waits_although_a_slot_is_free() {
    let mut log = Log::new(&[1, 1]);
    log.job(0, 0, &[(0, &[]), (1, &[0])], &A);
    log.stage(0, 0, 1);
    log.ran((10, 1_010), 0, 0, 0, "e0");
    log.stage_end(1_010, 0);
    log.stage(1_010, 1, 2);
    log.ran((1_020, 2_020), 1, 1, 0, "e0");
    log.ran((2_030, 3_030), 1, 2, 1, "e0");
    log.stage_end(3_030, 1);
    log.job_end(3_030, 0);
    let report = log.report();
    // 0-10        nothing has run                                        first wait    10
    // 10-1010     runs                                                   computing   1000
    // 1010-1020   two wait, two slots are free, the driver hands out     driver        10
    // 1020-1120   one runs, one waits, one is free, since 100 ms         driver       100
    // 1120-2020   the same for longer: it waits for its executor         locality     900
    // 2020-2030   nothing runs, one waits; both are free, and the other was all the time
    //                                                                    locality      10
    // 2030-3030   runs                                                   computing   1000
    assert_eq!(terms(run(&report, "group:a")), [2_000.0, 10.0, 0.0, 910.0, 110.0]);
    assert_eq!(report.shared_ms, 0);
}

/// One slot, three tasks each: B comes in the middle of A's stage and takes the slot between two of A's tasks.
#[test]
fn a_slot_lost_in_the_middle_of_a_stage_is_not_lost_at_a_barrier() {
    let mut log = Log::new(&[1]);
    log.job(0, 0, &[(0, &[])], &A);
    log.stage(0, 0, 2);
    log.task(0, 0, 0, 0, "e0");
    log.job(500, 1, &[(1, &[])], &B);
    log.stage(500, 1, 1);
    log.task_end((0, 1_000), 0, 0, 0, "e0", "Success");
    log.task(1_000, 1, 1, 0, "e0"); // B
    log.task_end((1_000, 3_000), 1, 1, 0, "e0", "Success");
    log.stage_end(3_000, 1);
    log.job_end(3_000, 1);
    log.ran((3_000, 4_000), 0, 2, 1, "e0");
    log.stage_end(4_000, 0);
    log.job_end(4_000, 0);
    let report = log.report();
    // 0-1000 runs, the second task waits for nobody else's slot; 1000-3000 B has the slot; 3000-4000 runs.
    assert_eq!(terms(run(&report, "group:a")), [2_000.0, 2_000.0, 0.0, 0.0, 0.0]);
}

/// Eight slots, A wide and short, B one task: a stage of many waves loses only the part by which it is narrower.
#[test]
fn a_wide_stage_loses_a_part_of_each_instant() {
    let mut log = Log::new(&[2]);
    log.job(0, 0, &[(0, &[]), (1, &[0])], &A);
    log.stage(0, 0, 2);
    log.task(0, 0, 0, 0, "e0");
    log.task(0, 0, 1, 1, "e0");
    log.job(500, 1, &[(2, &[])], &B);
    log.stage(500, 2, 1);
    log.task_end((0, 1_000), 0, 0, 0, "e0", "Success");
    log.task(1_000, 2, 2, 0, "e0"); // B takes one of A's two slots, and keeps it
    log.task_end((0, 2_000), 0, 1, 1, "e0", "Success");
    log.stage_end(2_000, 0);
    log.stage(2_000, 1, 4);
    for (i, at) in [2_000u64, 3_000, 4_000, 5_000].into_iter().enumerate() {
        log.task(at, 1, 10 + i as u64, u32::try_from(i).unwrap(), "e0");
        log.task_end(
            (at, at + 1_000),
            1,
            10 + i as u64,
            u32::try_from(i).unwrap(),
            "e0",
            "Success",
        );
    }
    log.stage_end(6_000, 1);
    log.job_end(6_000, 0);
    log.task_end((1_000, 7_000), 2, 2, 0, "e0", "Success");
    log.stage_end(7_000, 2);
    log.job_end(7_000, 1);
    let report = log.report();
    // 0-2000      computing                                               computing   2000
    // 2000-3000   one runs, three wait: on two slots it would be twice as wide   500 and lost 500
    // 3000-4000   one runs, two wait: the same                                   500 and lost 500
    // 4000-5000   one runs, one waits: it could run on the lost slot      lost        1000
    // 5000-6000   the last one runs                                       computing   1000
    assert_eq!(terms(run(&report, "group:a")), [4_000.0, 0.0, 2_000.0, 0.0, 0.0]);
}

/// Jobs of one group with a pause: one run if the pause is within the linger, and what it lost is lost at a gap.
#[test]
fn a_gap_between_jobs_within_the_linger_is_part_of_the_run() {
    let mut log = Log::new(&[1]);
    log.job(0, 0, &[(0, &[])], &A);
    log.stage(0, 0, 1);
    log.ran((0, 1_000), 0, 0, 0, "e0");
    log.stage_end(1_000, 0);
    log.job_end(1_000, 0);
    log.job(1_000, 1, &[(1, &[])], &B);
    log.stage(1_000, 1, 1);
    log.task(1_100, 1, 1, 0, "e0");
    log.job(2_000, 2, &[(2, &[])], &A); // one second later
    log.stage(2_010, 2, 1);
    log.task_end((1_100, 3_100), 1, 1, 0, "e0", "Success");
    log.stage_end(3_100, 1);
    log.job_end(3_100, 1);
    log.ran((3_100, 4_100), 2, 2, 0, "e0");
    log.stage_end(4_100, 2);
    log.job_end(4_100, 2);
    log.job(9_101, 3, &[(3, &[])], &A); // more than five seconds later: another run
    log.stage(9_101, 3, 1);
    log.ran((9_101, 9_201), 3, 3, 0, "e0");
    log.stage_end(9_201, 3);
    log.job_end(9_201, 3);
    let report = log.report();
    let runs: Vec<_> = report.runs.iter().filter(|run| run.workflow == "group:a").collect();
    assert_eq!(runs.len(), 2);
    // 0-1000 computing; 1000-2010 driver gap; 2010-3100 lost; 3100-4100 computing.
    assert_eq!(terms(runs[0]), [2_000.0, 0.0, 1_090.0, 0.0, 1_010.0]);
    assert_eq!((runs[0].gaps.all, runs[0].gaps.with_loss, runs[0].barriers.all), (1, 1, 0));
    assert_eq!((runs[0].run, runs[1].run, runs[1].jct_us), (1, 2, 100_000));
    assert_eq!(terms(runs[1]), [100.0, 0.0, 0.0, 0.0, 0.0]);
}

/// A SQL execution begins 300 ms before its job, and ends 200 ms after it; its executor comes late.
#[test]
fn a_sql_execution_is_a_workflow_from_its_beginning_to_its_end() {
    let mut log = Log::new(&[]);
    log.execution(100, 7);
    log.job(400, 0, &[(0, &[])], &[("spark.sql.execution.id", "7")]);
    log.stage(410, 0, 1);
    log.executor(2_410, "e0", 4);
    log.ran((2_510, 3_000), 0, 0, 0, "e0");
    log.stage_end(3_000, 0);
    log.job_end(3_000, 0);
    log.execution_end(3_200, 7);
    let report = log.report();
    let sql = run(&report, "sql:7");
    // 100-410 nothing submitted; 410-2510 waits, until 2410 without an executor; 2510-3000 runs; 3000-3200 the driver.
    assert_eq!(terms(sql), [490.0, 2_100.0, 0.0, 0.0, 510.0]);
    assert_eq!(sql.without_executors_us, 2_000_000);
    assert_eq!(sql.description.as_deref(), Some("select 1"));
    assert!(sql.ended);
}

#[test]
fn a_failed_task_waits_again_and_a_removed_executor_is_no_slot() {
    let mut log = Log::new(&[1, 1]);
    log.job(0, 0, &[(0, &[])], &A);
    log.stage(0, 0, 2);
    log.task(0, 0, 0, 0, "e0");
    log.task(0, 0, 1, 1, "e1");
    log.executor_removed(1_000, "e1");
    log.task_end((0, 1_000), 0, 1, 1, "e1", "ExecutorLostFailure");
    log.task_end((0, 2_000), 0, 0, 0, "e0", "Success");
    log.ran((2_000, 3_000), 0, 2, 1, "e0");
    log.stage_end(3_000, 0);
    log.job_end(3_000, 0);
    let report = log.report();
    // 1000-2000: one runs, one waits, and nobody else has a slot: it computes on what there is.
    assert_eq!(terms(run(&report, "group:a")), [3_000.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(run(&report, "group:a").tasks, 3);
}

#[test]
fn a_run_that_the_log_leaves_open_ends_with_it() {
    let mut log = Log::new(&[1]);
    log.job(0, 0, &[(0, &[])], &A);
    log.stage(0, 0, 1);
    log.task(100, 0, 0, 0, "e0");
    log.end(5_000);
    let report = log.report();
    let a = run(&report, "group:a");
    assert_eq!((a.ended, terms(a)), (false, [4_900.0, 100.0, 0.0, 0.0, 0.0]));
    assert!(report.ended);
}

/// As Spark does it: the next task is launched a few milliseconds before the end of the last one is noted.
#[test]
fn a_launch_before_the_end_is_noted_takes_that_slot() {
    let mut log = Log::new(&[1]);
    log.job(0, 0, &[(0, &[]), (1, &[0])], &A);
    log.stage(0, 0, 2);
    log.task(0, 0, 0, 0, "e0");
    log.job(100, 1, &[(2, &[])], &B);
    log.stage(100, 2, 1);
    log.task(995, 0, 1, 1, "e0"); // A's second task
    log.task_end((0, 1_000), 0, 0, 0, "e0", "Success");
    log.task(1_995, 2, 2, 0, "e0"); // B, at A's barrier
    log.task_end((995, 2_000), 0, 1, 1, "e0", "Success");
    log.stage_end(2_000, 0);
    log.stage(2_000, 1, 1);
    log.task(3_995, 1, 3, 0, "e0");
    log.task_end((1_995, 4_000), 2, 2, 0, "e0", "Success");
    log.stage_end(4_000, 2);
    log.job_end(4_000, 1);
    log.task_end((3_995, 5_000), 1, 3, 0, "e0", "Success");
    log.stage_end(5_000, 1);
    log.job_end(5_000, 0);
    let report = log.report();
    let a = run(&report, "group:a");
    // 0-2000     one of A's tasks runs (for 5 ms two), none waits for others         computing   2000
    // 2000-3995  B has the slot that A released at 2000                              lost        1995
    // 3995-5000  runs                                                                computing   1005
    assert_eq!(terms(a), [3_005.0, 0.0, 1_995.0, 0.0, 0.0]);
    assert_eq!((a.barriers.slots_lost, a.widest), (1, 2));
    // B: 100-1995 nothing of it has run; 1995-4000 runs.
    assert_eq!(terms(run(&report, "group:b")), [2_005.0, 1_895.0, 0.0, 0.0, 0.0]);
    assert_eq!((report.slots, report.busy_slot_ms), (1, 5_000));
}

/// With dynamic allocation the second executor has been idle for too long: it is there, and gets nothing.
#[test]
fn an_executor_that_is_given_back_has_no_free_slots() {
    let mut log = Log::new(&[1, 1]);
    log.environment(&GIVES_BACK);
    log.job(5_000, 0, &[(0, &[])], &A);
    log.stage(5_000, 0, 3);
    log.ran((5_000, 9_000), 0, 0, 0, "e0");
    log.ran((9_000, 13_000), 0, 1, 1, "e0");
    log.ran((13_000, 14_000), 0, 2, 2, "e0");
    log.stage_end(14_000, 0);
    log.job_end(14_000, 0);
    let report = log.report();
    // 5000-5100    one runs, two wait, one slot is free: half of it is the driver's     50 and driver 50
    // 5100-9000    the same for longer than the driver takes                            1950 and locality 1950
    // 9000-9100    one runs, one waits, the driver                                      driver    100
    // 9100-10000   the same for longer                                                  locality  900
    // 10000-13000  the other executor is given back                                     computing 3000
    // 13000-14000  the last one runs                                                    computing 1000
    assert_eq!(terms(run(&report, "group:a")), [6_000.0, 0.0, 0.0, 2_850.0, 150.0]);
}

/// One slot. Two queries of one pool that has a priority, and of one job group: the second takes the slot at the first
/// one's barrier.
#[test]
fn executions_of_one_workflow_are_told_apart_where_that_is_asked_for() {
    let pool = ("spark.scheduler.pool", "important");
    let of = |execution| [pool, ("spark.jobGroup.id", "g"), ("spark.sql.execution.id", execution)];
    let mut log = Log::new(&[1]);
    log.environment(&[("spark.holdfast.pool.important.priority", "10")]);
    log.execution(1_000, 1);
    log.job(1_100, 0, &[(0, &[]), (1, &[0])], &of("1"));
    log.stage(1_100, 0, 1);
    log.task(1_100, 0, 0, 0, "e0");
    log.execution(1_500, 2);
    log.job(1_600, 1, &[(2, &[])], &of("2"));
    log.stage(1_600, 2, 1);
    log.task_end((1_100, 2_100), 0, 0, 0, "e0", "Success");
    log.task(2_105, 2, 1, 0, "e0");
    log.stage_end(2_110, 0);
    log.stage(2_110, 1, 1);
    log.task_end((2_105, 4_105), 2, 1, 0, "e0", "Success");
    log.stage_end(4_105, 2);
    log.job_end(4_105, 1);
    log.task(4_110, 1, 2, 0, "e0");
    log.execution_end(4_200, 2);
    log.task_end((4_110, 5_110), 1, 2, 0, "e0", "Success");
    log.stage_end(5_110, 1);
    log.job_end(5_110, 0);
    log.execution_end(5_200, 1);
    let [one] = log.report().runs.try_into().unwrap();
    assert_eq!((one.workflow.as_str(), one.jct_us), ("group:g", 4_200_000));
    assert_eq!(one.terms.lost_at_barriers, 0);
    let options = Options { by_execution: true, ..Options::default() };
    let report = whatif_of_lines(|| log.lines(false), &options).unwrap();
    assert_eq!(report.runs.len(), 2);
    let first = run(&report, "sql:1");
    // 1000-1100 planned, 1100-2110 runs, 2110-4105 the second has its slot, 4105-4110 free, 4110-5110 runs, then answers.
    assert_eq!(terms(first), [2_010.0, 0.0, 1_995.0, 0.0, 195.0]);
    assert_eq!(
        (first.pool.as_deref(), &first.lost_to),
        (Some("important"), &[("sql:2".to_owned(), 1)].into())
    );
    // 1500-1600 planned, 1600-2105 has had no slot yet, 2105-4105 runs, then answers.
    assert_eq!(terms(run(&report, "sql:2")), [2_000.0, 505.0, 0.0, 0.0, 195.0]);
}
