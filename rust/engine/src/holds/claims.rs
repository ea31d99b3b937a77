//! Claims ("Grow", pre-reservation): who takes what is free, and what less important workflows release.

use crate::api::decision::Reason;
use crate::api::ids::{ProfileId, Resources};
use crate::holds::rule::{hold, may_make, try_hold};
use crate::ledger::keys::{ExecutorKey, WorkflowKey};
use crate::ledger::{Ledger, Workflow};
use crate::needs::{may_hold, need};
use crate::policies::ssr::claim;
use crate::policies::ssr::home::{home_places, is_known, is_wanted};
use crate::state::Core;
use crate::step::Out;
use crate::wiring::Rules;

/// "Grow": what is free goes to those who own less than they need, in rank order.
pub(crate) fn claim(core: &mut Core, out: &mut Out) {
    if !core.rules.grow || core.ledger.pending == 0 {
        return;
    }
    let mut place = 0;
    while let Some(&w) = core.ledger.workflows.hungry.get(place) {
        if !core.ledger.executors.any_room() {
            return;
        }
        if claims(core, w) {
            claim_for(core, w, out);
        }
        // Who has turned out to own enough has left the list.
        place += usize::from(core.ledger.workflows.hungry.get(place) == Some(&w));
    }
}

/// Whether a hungry workflow claims now: it owns less than it may claim, and somebody else waits.
fn claims(core: &mut Core, workflow: WorkflowKey) -> bool {
    let w = &core.ledger.workflows.slab[workflow];
    if !may_claim(&core.ledger, &core.rules, w) {
        return false;
    }
    let (owned, in_gap) = (w.owned(), w.holding.gap.is_some());
    if !in_gap && owned >= wide(core, workflow) {
        // What it may claim only falls with time.
        core.ledger.workflows.set_hungry(workflow, false);
        return false;
    }
    owned < need(&core.ledger, &core.rules, core.now, workflow)
}

/// Hungry ones are asked in almost every step, and change in few: what was said is kept until then.
fn wide(core: &mut Core, workflow: WorkflowKey) -> u32 {
    let w = &core.ledger.workflows.slab[workflow];
    if let Some((wide, until)) = w.width.wide
        && core.now < until
    {
        return wide;
    }
    let kept = claim::wide(&core.ledger, &core.rules, core.now, w);
    core.ledger.workflows.slab[workflow].width.wide = Some(kept);
    kept.0
}

fn claim_for(core: &mut Core, workflow: WorkflowKey, out: &mut Out) {
    // All executors with room would be looked at in vain, in every step.
    if !may_make(core, workflow) {
        return;
    }
    let mut need = need(&core.ledger, &core.rules, core.now, workflow);
    if core.ledger.workflows.slab[workflow].holding.gap.is_none() {
        need = need.min(wide(core, workflow));
    }
    let Some(slot) = core.ledger.workflows.slab[workflow].slots.next else { return };
    if is_known(&core.ledger, workflow) {
        claim_home(core, workflow, slot, need, out);
    }
    let mut place = 0;
    while core.ledger.workflows.slab[workflow].owned() < need {
        let Some((found, executor)) = core.ledger.executors.with_room(slot, place) else {
            return;
        };
        let held = hold(core, workflow, executor, Reason::Grow, out);
        place = if held { found } else { found + 1 };
    }
}

/// First where its input lies, in order of ids: all other executors, most of a large cluster, need not be looked at.
fn claim_home(
    core: &mut Core,
    workflow: WorkflowKey,
    slot: (ProfileId, Resources),
    need: u32,
    out: &mut Out,
) {
    let mut places = std::mem::take(&mut core.scratch.places);
    places.clear();
    places.extend(home_places(&core.ledger, workflow));
    places.sort_unstable();
    places.dedup();
    for &place in &places {
        while core.ledger.workflows.slab[workflow].owned() < need
            && let Some(executor) = core.ledger.executors.room_at(slot, place)
            && is_wanted(&core.ledger, workflow, executor)
            && hold(core, workflow, executor, Reason::Grow, out)
        {}
    }
    core.scratch.places = places;
}

/// A more important workflow that owns too little takes what less important ones release.
pub(crate) fn claim_slot(
    core: &mut Core,
    releaser: WorkflowKey,
    executor: ExecutorKey,
    out: &mut Out,
) -> bool {
    if !core.rules.grow || core.ledger.pending == 0 {
        return false;
    }
    let priority = core.ledger.workflows.slab[releaser].priority;
    let mut place = 0;
    while let Some(&w) = core.ledger.workflows.hungry.get(place) {
        if core.ledger.workflows.slab[w].priority <= priority {
            return false;
        }
        if claims(core, w) && try_hold(core, w, executor, Reason::Grow, out) {
            return true;
        }
        place += usize::from(core.ledger.workflows.hungry.get(place) == Some(&w));
    }
    false
}

/// Whether an active workflow may claim now: somebody else waits. Without a competitor nothing has to be claimed, and
/// the host's own placement is left alone.
fn may_claim(ledger: &Ledger, rules: &Rules, w: &Workflow) -> bool {
    may_hold(rules, w) && !w.flags.exhausted && ledger.pending > w.pending
}
