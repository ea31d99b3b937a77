//! What must hold for every log, sensible or not.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::Log;
use holdfast_trace::report::ApplicationReport;
use proptest::prelude::*;

/// A step of a random history on few ids, so that they meet.
#[derive(Clone, Debug)]
enum Act {
    Job(u32, Vec<u32>, u8),
    JobEnd(u32),
    Stage(u32, u32),
    StageEnd(u32),
    Task(u32, u64, u32, u8),
    TaskEnd(u32, u64, u32, u8, bool),
    Executor(u8, u32),
    ExecutorRemoved(u8),
    Execution(u64),
    ExecutionEnd(u64),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0u32..5, proptest::collection::vec(0u32..6, 0..3), 0u8..4)
            .prop_map(|(j, s, n)| Act::Job(j, s, n)),
        (0u32..5).prop_map(Act::JobEnd),
        (0u32..6, 0u32..5).prop_map(|(s, n)| Act::Stage(s, n)),
        (0u32..6).prop_map(Act::StageEnd),
        (0u32..6, 0u64..12, 0u32..5, 0u8..3).prop_map(|(s, t, i, e)| Act::Task(s, t, i, e)),
        (0u32..6, 0u64..12, 0u32..5, 0u8..3, any::<bool>())
            .prop_map(|(s, t, i, e, ok)| Act::TaskEnd(s, t, i, e, ok)),
        (0u8..3, 0u32..4).prop_map(|(e, c)| Act::Executor(e, c)),
        (0u8..3).prop_map(Act::ExecutorRemoved),
        (0u64..3).prop_map(Act::Execution),
        (0u64..3).prop_map(Act::ExecutionEnd),
    ]
}

fn write(log: &mut Log, at: u64, act: &Act) {
    match act {
        Act::Job(job, stages, who) => {
            let stages: Vec<(u32, &[u32])> = stages.iter().map(|s| (*s, &[][..])).collect();
            let properties = match who {
                0 => vec![],
                1 => vec![("spark.jobGroup.id", "g")],
                2 => vec![("spark.sql.execution.id", "1")],
                _ => vec![("spark.holdfast.workflow", "w")],
            };
            log.job(at, *job, &stages, &properties);
        }
        Act::JobEnd(job) => log.job_end(at, *job),
        Act::Stage(stage, tasks) => log.stage(at, *stage, *tasks),
        Act::StageEnd(stage) => log.stage_end(at, *stage),
        Act::Task(stage, task, index, e) => log.task(at, *stage, *task, *index, &format!("e{e}")),
        Act::TaskEnd(stage, task, index, e, ok) => {
            let reason = if *ok { "Success" } else { "TaskKilled" };
            log.task_end(
                (at.saturating_sub(50), at),
                *stage,
                *task,
                *index,
                &format!("e{e}"),
                reason,
            );
        }
        Act::Executor(e, cores) => log.executor(at, &format!("e{e}"), *cores),
        Act::ExecutorRemoved(e) => log.executor_removed(at, &format!("e{e}")),
        Act::Execution(id) => log.execution(at, *id),
        Act::ExecutionEnd(id) => log.execution_end(at, *id),
    }
}

fn history(acts: &[(u16, Act)]) -> Vec<String> {
    let mut log = Log::new(&[2]);
    let mut at = 0;
    for (after, act) in acts {
        at += u64::from(*after);
        write(&mut log, at, act);
    }
    log.0.lines().map(str::to_owned).collect()
}

fn analyse(lines: &[String]) -> ApplicationReport {
    Log(lines.join("\n")).analyse().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// No history, however wrong, makes it stop or give times that do not add up.
    #[test]
    fn every_time_adds_up(acts in proptest::collection::vec((0u16..4_000, act()), 0..120)) {
        let report = analyse(&history(&acts));
        for run in &report.runs {
            prop_assert!(run.adds_up(), "{:?}", run);
            prop_assert_eq!(run.jct_us, (run.end_ms - run.arrival_ms) * 1_000);
            prop_assert!(run.without_executors_us <= run.terms.first_wait);
            prop_assert!(run.barriers.with_loss <= run.barriers.all);
        }
        prop_assert!(report.busy_slot_ms <= report.all_slot_ms);
    }

    /// Lines that are a few seconds out of order make no difference, as long as their times differ.
    #[test]
    fn the_order_of_lines_does_not_matter(
        acts in proptest::collection::vec((1u16..400, act()), 0..80), seed: u64,
    ) {
        let lines = history(&acts);
        let head = 4; // log start, application, configuration, executor
        let mut shuffled = lines.clone();
        let mut state = seed | 1;
        for i in head..shuffled.len().saturating_sub(1) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if state >> 63 == 1 {
                shuffled.swap(i, i + 1); // 400 ms, and a line wanders by less than the window
            }
        }
        let (a, b) = (analyse(&lines), analyse(&shuffled));
        prop_assume!(b.late_events == 0);
        prop_assert_eq!(a.runs, b.runs);
    }
}
