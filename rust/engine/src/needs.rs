//! Need as the mechanism of holds uses it: who may hold at all, how much one may own, and how much it should.

use crate::api::config::HoldFor;
use crate::api::ids::Time;
use crate::ledger::keys::WorkflowKey;
use crate::ledger::{Ledger, Workflow};
use crate::policies::fair;
use crate::policies::ssr::look_ahead;
use crate::roles::{Needs, Wants};
use crate::wiring::Rules;

/// Whether a workflow may hold at all.
pub(crate) fn may_hold(rules: &Rules, w: &Workflow) -> bool {
    rules.needs.holds() && w.isolation > 0 && (w.priority > 0 || rules.hold_for == HoldFor::All)
}

/// How many slots a workflow may own: all usable ones when prioritised, otherwise its pool's share or an equal one.
pub(crate) fn may_own(ledger: &Ledger, w: &Workflow) -> u32 {
    let slots = w.slots.next.map_or(0, |(profile, _)| ledger.slots(profile));
    if w.priority > 0 {
        return slots;
    }
    if let Some(share) = fair::share(ledger, w, slots) {
        return share.max(1);
    }
    let sharers = u32::try_from(ledger.workflows.active.len()).unwrap_or(u32::MAX);
    (slots / sharers.max(1)).max(1)
}

/// The slots that a workflow needs now: what it will want back counts while it is worth its rent.
#[inline]
pub(crate) fn need(ledger: &Ledger, rules: &Rules, now: Time, key: WorkflowKey) -> u32 {
    let w = &ledger.workflows.slab[key];
    let Wants { literal, ahead } = wants(ledger, rules, now, key);
    let over = || look_ahead::until(ledger, rules, w).is_some_and(|until| until <= now);
    let wanted = if ahead > literal && over() { literal } else { ahead };
    wanted.min(may_own(ledger, w))
}

/// What a workflow wants, whether it may own that or not.
pub(crate) fn wants(ledger: &Ledger, rules: &Rules, now: Time, key: WorkflowKey) -> Wants {
    let w = &ledger.workflows.slab[key];
    if !w.flags.active || !may_hold(rules, w) {
        return Wants::default();
    }
    rules.needs.wants(ledger, rules, now, w)
}
