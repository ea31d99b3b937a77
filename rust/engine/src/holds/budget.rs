//! Idle budget (SSR-9): what may be held idle, as a share of all slot-time since the start.

use crate::api::decision::EndCause;
use crate::api::ids::Time;
use crate::holds::ends::end_hold;
use crate::ledger::Side;
use crate::state::Core;
use crate::step::Out;

/// Credit at the start, in nanoseconds of all slots: after five minutes the share is at most a tenth
/// above the budget.
const CREDIT_NS: u128 = 30_000_000_000;
const MILLION: u128 = 1_000_000;

/// All slot-time so far.
pub(crate) fn charge_slot_time(core: &mut Core, nanos: u64) {
    if core.rules.idle_budget_ppm.is_some() {
        core.slot_time_ns += u128::from(core.ledger.executors.total()) * u128::from(nanos);
    }
}

/// For how long so many slots may be held from now on, in nanoseconds; `None`: as long as wanted.
pub(crate) fn budget_left(core: &Core, held: usize) -> Option<u64> {
    let budget = u128::from(core.rules.idle_budget_ppm?);
    let slots = u128::from(core.ledger.executors.total());
    let spending = (held as u128 * MILLION).checked_sub(budget * slots)?;
    if spending == 0 {
        return None;
    }
    let allowed = budget * (core.slot_time_ns + slots * CREDIT_NS);
    let left = allowed.saturating_sub(core.totals.idle_held_ns * MILLION) / spending;
    Some(u64::try_from(left).unwrap_or(u64::MAX))
}

/// When the budget will be used up with the holds that live.
pub(crate) fn budget_end(core: &Core) -> Option<Time> {
    budget_left(core, core.ledger.holds.len()).map(|left| core.now.after(left))
}

/// Ends holds, those of the least important workflow first, until the rest is within the budget.
pub(crate) fn keep_to_budget(core: &mut Core, out: &mut Out) {
    while budget_left(core, core.ledger.holds.len()) == Some(0) {
        let Some(&last) = core.ledger.workflows.holders.last() else { return };
        let holds = core.ledger.workflows.slab[last].holding.holds;
        let newest = core.ledger.holds.newest_first(holds, Side::Workflow).next();
        let Some(newest) = newest else { return };
        end_hold(core, newest, EndCause::Expired, out);
        core.exhaust(last);
    }
}
