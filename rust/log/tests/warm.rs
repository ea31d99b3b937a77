//! The cost of a record: bytes, and no allocation once warm.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use holdfast_engine::*;
use holdfast_log::{LogWriter, Reader};

/// One task of a busy cluster: launched into a hold, 40 ms later freed and held again.
fn task(log: &mut LogWriter, i: u32) {
    let (attempt, hold) = (AttemptId(3_000_000 + i), HoldId(2_000_000 + i));
    let (executor, set) = (ExecutorId(i % 1000), SetId(500));
    let now = Time(3_600_000_000_000 + u64::from(i) * 40 * common::MILLIS);
    let launched = Event::Launched { attempt, set, task: i % 4000, executor, local: true };
    let used = [Decision::HoldEnded { hold, cause: EndCause::Used }, Decision::Reoffer];
    log.event(now, &launched, &used, None);
    let freed = Event::SlotFreed { attempt, outcome: Outcome::Finished };
    let held = Decision::Held {
        hold: HoldId(hold.0 + 1),
        workflow: WorkflowId(12),
        executor,
        reason: Reason::Barrier,
        deadline: now.after(60_000 * common::MILLIS),
    };
    log.event(now.after(39 * common::MILLIS), &freed, &[held], None);
}

#[test]
fn a_launch_takes_at_most_40_bytes() {
    let mut log = LogWriter::new(&common::header()).unwrap();
    log.seal();
    task(&mut log, 0);
    let before = log.pending();
    for i in 1..=100 {
        task(&mut log, i);
    }
    let each = (log.pending() - before) / 100;
    assert!(each <= 2 * 40, "{each} bytes for a launch and an end");
}

#[test]
fn a_warm_append_does_not_allocate() {
    let mut log = LogWriter::new(&common::header()).unwrap();
    let mut bytes = 0;
    let mut run = |log: &mut LogWriter| {
        for i in 0..10_000 {
            task(log, i);
            while let Some(block) = log.take() {
                bytes += block.len();
                log.recycle(block);
            }
        }
    };
    run(&mut log);
    let used = allocation_counter::measure(|| run(&mut log));
    assert_eq!(used.count_total, 0, "{used:?}");
    assert!(bytes > 20 * 32 * 1024, "several frames");
}

#[test]
fn what_is_written_block_by_block_reads_as_one() {
    let mut log = LogWriter::new(&common::header()).unwrap();
    let mut file = Vec::new();
    for i in 0..2_000 {
        task(&mut log, i);
        if i % 300 == 0 {
            log.seal();
        }
        while let Some(block) = log.take() {
            file.extend_from_slice(&block);
            log.recycle(block);
        }
    }
    log.end();
    log.write_to(&mut file).unwrap();
    let mut reader = Reader::new(&file[..]).unwrap();
    assert!(reader.by_ref().all(|record| record.is_ok()));
    assert_eq!((reader.records(), reader.ended()), (4_000, true));
}
