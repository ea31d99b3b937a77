//! Idle budget (SSR-9): what may be held idle, as a share of all slot-time since the start.

use crate::api::decision::{Decision, EndCause};
use crate::api::ids::Time;
use crate::engine::Engine;
use crate::ledger::Side;

/// Credit at the start, in nanoseconds of all slots: after five minutes the share is at most a tenth
/// above the budget.
const CREDIT_NS: u128 = 30_000_000_000;
const MILLION: u128 = 1_000_000;

impl Engine {
    /// All slot-time so far.
    pub(crate) fn charge_slot_time(&mut self, nanos: u64) {
        if self.config.idle_budget_ppm.is_some() {
            self.slot_time_ns += u128::from(self.ledger.executors.total()) * u128::from(nanos);
        }
    }

    /// For how long so many slots may be held from now on, in nanoseconds; `None`: as long as wanted.
    pub(crate) fn budget_left(&self, held: usize) -> Option<u64> {
        let budget = u128::from(self.config.idle_budget_ppm?);
        let slots = u128::from(self.ledger.executors.total());
        let spending = (held as u128 * MILLION).checked_sub(budget * slots)?;
        if spending == 0 {
            return None;
        }
        let allowed = budget * (self.slot_time_ns + slots * CREDIT_NS);
        let left = allowed.saturating_sub(self.totals.idle_held_ns * MILLION) / spending;
        Some(u64::try_from(left).unwrap_or(u64::MAX))
    }

    /// When the budget will be used up with the holds that live.
    pub(crate) fn budget_end(&self) -> Option<Time> {
        self.budget_left(self.ledger.holds.len()).map(|left| self.now.after(left))
    }

    /// Ends holds, those of the least important workflow first, until the rest is within the budget.
    pub(crate) fn keep_to_budget(&mut self, out: &mut Vec<Decision>) {
        while self.budget_left(self.ledger.holds.len()) == Some(0) {
            let Some(&last) = self.ledger.workflows.holders.last() else { return };
            let holds = self.ledger.workflows.slab[last].holds;
            let newest = self.ledger.holds.newest_first(holds, Side::Workflow).next();
            let Some(newest) = newest else { return };
            self.end_hold(newest, EndCause::Expired, out);
            self.exhaust(last);
            self.touch(last);
        }
    }
}
