//! Slot sizes: a workflow's holds are what it will launch next.

use crate::api::decision::EndCause;
use crate::holds::ends::end_hold;
use crate::holds::slot::slot;
use crate::ledger::Side;
use crate::ledger::keys::{HoldKey, WorkflowKey};
use crate::state::Core;
use crate::step::Out;

/// What a workflow launches next may have another size.
pub(crate) fn watch_slot(core: &mut Core, workflow: WorkflowKey) {
    let w = &core.ledger.workflows.slab[workflow];
    if core.ledger.executors.one_profile() && !w.is_resized() {
        return;
    }
    let slot = slot(&core.ledger, w);
    if slot != w.slots.next {
        core.ledger.workflows.slab[workflow].set_slot(slot);
        core.make_hungry(workflow);
    }
}

/// Holds of another size, or on executors where that does not run, are given back, the newest first.
pub(crate) fn end_misfits(core: &mut Core, workflow: WorkflowKey, out: &mut Out) {
    if !std::mem::take(&mut core.ledger.workflows.slab[workflow].flags.misfits) {
        return;
    }
    while let Some(misfit) = misfit(core, workflow) {
        end_hold(core, misfit, EndCause::NotNeeded, out);
    }
}

fn misfit(core: &Core, workflow: WorkflowKey) -> Option<HoldKey> {
    let w = &core.ledger.workflows.slab[workflow];
    let (profile, size) = w.slots.next?;
    let home = core.ledger.executors.runs_on(profile);
    core.ledger.holds.newest_first(w.holding.holds, Side::Workflow).find(|&key| {
        let hold = core.ledger.holds.get(key);
        let there = core.ledger.executors.slab[hold.executor].profile;
        hold.size != size || home != Some(there)
    })
}
