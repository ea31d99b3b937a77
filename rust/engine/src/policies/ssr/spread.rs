//! Spread (docs/adr/0007): a stage that fills the cache gets no more than its share of each executor
//! at first, so that later stages find their partitions on every slot that the workflow will own.

use super::need::need;
use crate::api::config::Config;
use crate::api::ids::Time;
use crate::ledger::{Ledger, Set};

/// Whether a workflow has slots to wait for: it owns less than it needs, and an attempt of somebody
/// else occupies what may become free. Otherwise a cap could only delay.
pub(crate) fn waits_for_others(
    ledger: &Ledger,
    config: &Config,
    now: Time,
    workflow: usize,
) -> bool {
    let w = &ledger.workflows.slab[workflow];
    ledger.attempts.len() > w.running as usize && w.owned() < need(ledger, config, now, workflow)
}

/// Until when a set whose task has just taken `nanos` waits at most: as long as two later stages
/// would lose to a partition in the wrong place, if reading it from elsewhere takes three times as long.
pub(crate) fn patience(now: Time, nanos: u64) -> Time {
    now.after(nanos.saturating_mul(4))
}

/// How many tasks of the set an executor may get while its launches are spread: in proportion to
/// its slots, at least one.
pub(crate) fn share(ledger: &Ledger, set: &Set, executor: usize) -> u64 {
    let slots = u64::from(ledger.slots(set.profile)).max(1);
    let here = u64::from(ledger.executors.slots_on(executor, set.profile));
    (u64::from(set.width()) * here).div_ceil(slots).max(1)
}
