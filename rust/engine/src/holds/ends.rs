//! Ends of holds.

use crate::api::decision::{Decision, EndCause};
use crate::ledger::keys::{HoldKey, WorkflowKey};
use crate::ledger::{HoldBook, Side};
use crate::state::Core;
use crate::step::Out;

pub(crate) fn end_hold(core: &mut Core, key: HoldKey, cause: EndCause, out: &mut Out) {
    let now = core.now;
    let owner = core.ledger.holds.get(key).owner;
    core.ledger.workflows.slab[owner].charge(now);
    core.ledger.workflows.slab[owner].holding.account.ended(cause);
    let hold = core.ledger.remove_hold(key);
    core.make_hungry(owner);
    out.push(Decision::HoldEnded { hold: hold.id, cause });
    let totals = &mut core.totals;
    let (counter, frees) = match cause {
        EndCause::Used => (&mut totals.used, false),
        EndCause::Moved => (&mut totals.moved, true),
        EndCause::Overridden => (&mut totals.overridden, true),
        EndCause::Expired => (&mut totals.expired, true),
        EndCause::NotNeeded => (&mut totals.not_needed, true),
        EndCause::WorkflowOver => (&mut totals.workflow_over, true),
        EndCause::ExecutorGone => (&mut totals.executor_gone, false),
    };
    *counter += 1;
    core.step.reoffer |= frees;
    core.step.stirred = true;
}

/// Ends all holds of a workflow, oldest first.
pub(crate) fn end_holds_of(core: &mut Core, workflow: WorkflowKey, cause: EndCause, out: &mut Out) {
    while let Some(key) = oldest_hold_of(core, workflow) {
        end_hold(core, key, cause, out);
    }
}

fn oldest_hold_of(core: &Core, workflow: WorkflowKey) -> Option<HoldKey> {
    let holds = core.ledger.workflows.slab[workflow].holding.holds;
    core.ledger.holds.oldest_first(holds, Side::Workflow).next()
}

pub(crate) fn for_holds(
    core: &mut Core,
    workflow: WorkflowKey,
    act: impl Fn(&mut HoldBook, HoldKey),
) {
    let holds = core.ledger.workflows.slab[workflow].holding.holds;
    core.scratch.holds.clear();
    core.scratch.holds.extend(core.ledger.holds.oldest_first(holds, Side::Workflow));
    for &key in &core.scratch.holds {
        act(&mut core.ledger.holds, key);
    }
}

pub(crate) fn expire_holds(core: &mut Core, out: &mut Out) {
    while let Some((deadline, key)) = core.ledger.holds.first_deadline()
        && deadline <= core.now
    {
        expire_hold(core, key, out);
    }
}

fn expire_hold(core: &mut Core, key: HoldKey, out: &mut Out) {
    let owner = core.ledger.holds.get(key).owner;
    end_hold(core, key, EndCause::Expired, out);
    core.exhaust(owner);
}
