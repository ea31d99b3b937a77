//! Holds move to where the workflow's input lies, and stay there.

use crate::api::decision::{EndCause, Reason};
use crate::holds::choice::misplaced;
use crate::holds::ends::end_hold;
use crate::holds::rule::{hold, tenant_has_room, terms};
use crate::ledger::keys::{ExecutorKey, WorkflowKey};
use crate::needs::need;
use crate::policies::ssr::home::is_wanted;
use crate::state::Core;
use crate::step::Out;

/// A slot that was freed, and that nobody holds, is better for somebody than one that it holds elsewhere.
pub(crate) fn swap(core: &mut Core, releaser: WorkflowKey, executor: ExecutorKey, out: &mut Out) {
    if !core.rules.grow || core.ledger.holds.len() == 0 {
        return;
    }
    let priority = core.ledger.workflows.slab[releaser].priority;
    for i in 0..core.ledger.workflows.holders.len() {
        let key = core.ledger.workflows.holders[i];
        let w = &core.ledger.workflows.slab[key];
        if w.priority <= priority {
            break;
        }
        if core.ledger.pending > w.pending && swap_for(core, key, executor, out) {
            return;
        }
    }
    swap_for(core, releaser, executor, out);
}

fn swap_for(core: &mut Core, workflow: WorkflowKey, executor: ExecutorKey, out: &mut Out) -> bool {
    if core.ledger.workflows.slab[workflow].held == 0
        || !is_wanted(&core.ledger, workflow, executor)
        || terms(core, workflow, executor).is_none()
        || !tenant_has_room(core, workflow, 1)
    {
        return false;
    }
    let Some(worse) = misplaced(core, workflow) else { return false };
    let need = need(&core.ledger, &core.rules, core.now, workflow);
    if core.ledger.workflows.slab[workflow].owned() > need {
        return false;
    }
    core.ledger.touched.note(workflow);
    end_hold(core, worse, EndCause::Moved, out);
    hold(core, workflow, executor, Reason::Nearer, out)
}
