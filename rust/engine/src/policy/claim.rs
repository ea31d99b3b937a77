//! Claim ("Grow", docs/adr/0008): which workflows may take what others release?

use super::need::{may_hold, need};
use crate::config::{Config, HoldFor};
use crate::ids::Time;
use crate::ledger::{Ledger, Workflow};

/// Whether an active workflow claims now: it owns less than it needs, and somebody else waits.
/// Without a competitor nothing has to be claimed, and the host's own placement is left alone.
pub(crate) fn claims(ledger: &Ledger, config: &Config, now: Time, key: usize) -> bool {
    let w = &ledger.workflows.slab[key];
    may_hold(config, w)
        && !w.exhausted
        && ledger.pending > w.pending
        && w.owned() < need(ledger, config, now, key)
}

/// Whether nobody at or after this rank can claim: only prioritised workflows hold, and the
/// active ones are sorted by priority.
pub(crate) fn none_from_here(config: &Config, w: &Workflow) -> bool {
    config.hold_for == HoldFor::Prioritised && w.priority <= 0
}
