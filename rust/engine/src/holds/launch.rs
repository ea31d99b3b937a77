//! What a launch does to holds.

use crate::api::decision::EndCause;
use crate::api::ids::Resources;
use crate::holds::choice::{least_important_hold, surplus};
use crate::holds::ends::end_hold;
use crate::ledger::Side;
use crate::ledger::keys::{ExecutorKey, WorkflowKey};
use crate::needs::need;
use crate::state::Core;
use crate::step::Out;

/// A launch uses the owner's hold there, or makes one elsewhere superfluous.
pub(crate) fn consume_hold(
    core: &mut Core,
    workflow: WorkflowKey,
    executor: ExecutorKey,
    demand: &Resources,
    out: &mut Out,
) {
    if core.ledger.workflows.slab[workflow].held == 0 {
        return;
    }
    let holds = core.ledger.executors.slab[executor].holds;
    let own = core.ledger.holds.oldest_first(holds, Side::Executor);
    let own = own.filter(|&key| core.ledger.holds.get(key).owner == workflow);
    let earliest =
        own.min_by_key(|&key| (core.ledger.holds.get(key).deadline, core.ledger.holds.get(key).id));
    if let Some(key) = earliest {
        let size = core.ledger.holds.get(key).size;
        end_hold(core, key, EndCause::Used, out);
        // A task that is smaller than the hold leaves room to others.
        core.step.reoffer |= !demand.covers(&size);
        return;
    }
    let need = need(&core.ledger, &core.rules, core.now, workflow);
    if let Some(key) = surplus(core, workflow, need) {
        end_hold(core, key, EndCause::Moved, out);
    }
}

/// A launch over holds ends the least important of them (R7); facts win over capacity.
pub(crate) fn make_room(
    core: &mut Core,
    workflow: WorkflowKey,
    executor: ExecutorKey,
    out: &mut Out,
) {
    loop {
        let e = &core.ledger.executors.slab[executor];
        if e.capacity.covers(&e.running.plus(e.held)) {
            return;
        }
        let victim = least_important_hold(core, executor, Some(workflow));
        match victim.or_else(|| least_important_hold(core, executor, None)) {
            Some(key) => {
                let owner = core.ledger.holds.get(key).owner;
                end_hold(core, key, EndCause::Overridden, out);
                core.ledger.touched.note(owner);
            }
            None => {
                core.ledger.executors.change(executor, |e| e.capacity = e.capacity.max(e.running));
                core.set_aside();
                return;
            }
        }
    }
}
