//! Spread (docs/adr/0007): a stage that fills the cache gets no more than its share of each executor
//! at first, so that later stages find their partitions on every slot that the workflow will own.

use crate::api::ids::Time;
use crate::ledger::keys::{SetKey, WorkflowKey};
use crate::ledger::{Attempt, Ledger};
use crate::needs::need;
use crate::state::Core;
use crate::wiring::Rules;

/// Whether a workflow has slots to wait for: it owns less than it needs, and an attempt of somebody
/// else occupies what may become free. Otherwise a cap could only delay.
fn waits_for_others(ledger: &Ledger, rules: &Rules, now: Time, workflow: WorkflowKey) -> bool {
    let w = &ledger.workflows.slab[workflow];
    ledger.attempts.len() > w.running as usize && w.owned() < need(ledger, rules, now, workflow)
}

/// Until when a set whose task has just taken `nanos` waits at most: as long as two later stages
/// would lose to a partition in the wrong place, if reading it from elsewhere takes three times as long.
fn patience(now: Time, nanos: u64) -> Time {
    now.after(nanos.saturating_mul(4))
}

/// Spreads the launches of the first set of a workflow that fills the cache, if there is something
/// to wait for. Later ones go where the first has put their input.
pub(crate) fn begin_spread(core: &mut Core, set: SetKey) {
    let workflow = core.ledger.sets[set].workflow;
    let first =
        !std::mem::replace(&mut core.ledger.workflows.slab[workflow].flags.has_filled, true);
    if core.rules.spread && first && waits_for_others(&core.ledger, &core.rules, core.now, workflow)
    {
        core.ledger.sets[set].watch.spread_until = Some(core.now.after(core.rules.spread_max_ns));
        core.spreads.sets.push(set);
    }
}

/// A task has finished: short ones are not worth a long wait for those that are still to come.
pub(crate) fn shorten_spread(core: &mut Core, attempt: &Attempt) {
    let until = &mut core.ledger.sets[attempt.set].watch.spread_until;
    let nanos = core.now.since(attempt.launched_at);
    *until = until.map(|until| until.min(patience(core.now, nanos)));
}

/// Ends what is due, and what has nothing to wait for any more.
pub(crate) fn end_spreads(core: &mut Core) {
    for i in (0..core.spreads.sets.len()).rev() {
        let set = core.spreads.sets[i];
        let s = &core.ledger.sets[set];
        let (workflow, spread_until) = (s.workflow, s.watch.spread_until);
        let due = spread_until.is_some_and(|until| until <= core.now);
        if due || !waits_for_others(&core.ledger, &core.rules, core.now, workflow) {
            core.ledger.sets[set].watch.spread_until = None;
            core.spreads.forget(set);
            core.step.reoffer = true;
        }
    }
}
