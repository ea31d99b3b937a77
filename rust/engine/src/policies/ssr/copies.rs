//! Copies: which running task deserves a copy? (SSR-10; ICDCS'17, section IV-C, docs/adr/0013)
//!
//! Once no more tasks of a phase run than slots are reserved and idle, each of them gets a copy there.

use crate::api::config::{Config, Copies};
use crate::api::event::StageKind;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Set, Workflow};

/// Whether tasks of such a stage may be copied at all. Users of Spark without speculation rely on one run per
/// partition where results go out; the tasks of a barrier stage belong together.
pub(crate) fn may_copy(config: &Config, kind: StageKind) -> bool {
    match config.copies {
        Copies::Off => false,
        Copies::Shuffle => kind == StageKind::ShuffleMap,
        Copies::All => kind != StageKind::Barrier,
    }
}

/// Whether a workflow has reached that point: tasks that have a copy count as what they are, one task.
pub(crate) fn is_time(ledger: &Ledger, w: &Workflow) -> bool {
    if w.held == 0 || w.pending > 0 {
        return false;
    }
    let jobs = w.jobs.iter().map(|&job| &ledger.jobs[job]);
    let (running, copied) = jobs.fold((0u32, 0u32), |(running, copied), job| {
        let twice = job.sets.iter().map(|&set| ledger.sets[set].watch.copies.twice).sum::<u32>();
        (running.saturating_add(job.unfinished), copied.saturating_add(twice))
    });
    running <= w.held.saturating_add(copied)
}

/// How old an attempt has to be: a young one may be about to end. `None` while nothing of the set has ended.
pub(crate) fn age(config: &Config, set: &Set) -> Option<u64> {
    let median = set.watch.copies.running.durations.get()?;
    Some(median.saturating_mul(config.copy_age_factor.into()).max(config.copy_age_ns))
}

/// What was launched by then is old enough now.
pub(crate) fn old_enough(now: Time, age: u64) -> Option<Time> {
    now.0.checked_sub(age).map(Time)
}
