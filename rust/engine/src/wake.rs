//! What turns a veto into an allow is offered again (R5).

use crate::ledger::keys::WorkflowKey;
use crate::policies::fair::{blocks, shares};
use crate::state::Core;

/// A comparison of pools that has flipped is offered again: somebody waits, and may take a hold now that it might
/// not after the step before.
pub(crate) fn watch_pools(core: &mut Core) {
    let mut blocked = std::mem::take(&mut core.blocked);
    if !blocked.is_empty() {
        core.step.reoffer |= blocked.iter().any(|&(asker, owner)| is_free_now(core, asker, owner));
        blocked.clear();
    }
    if core.ledger.pools.any_fair {
        let workflows = &core.ledger.workflows;
        for &owner in &workflows.holders {
            // Between others rank decides.
            let equals = workflows.equals(owner);
            let waiting = equals.filter(|&w| workflows.slab[w].pending > 0);
            blocked.extend(waiting.map(|w| (w, owner)).filter(|&(asker, owner)| {
                let fair = shares(&core.ledger, &workflows.slab[asker], &workflows.slab[owner]);
                fair.is_some() && blocks(&core.ledger, owner, asker, 1)
            }));
        }
    }
    core.blocked = blocked;
}

fn is_free_now(core: &Core, asker: WorkflowKey, owner: WorkflowKey) -> bool {
    let workflows = &core.ledger.workflows.slab;
    let waits = workflows.get(asker).is_some_and(|w| w.flags.active && w.pending > 0);
    let holds = workflows.get(owner).is_some_and(|w| w.held > 0);
    waits && holds && !blocks(&core.ledger, owner, asker, 1)
}

/// Whether the host is to offer all free slots again. A round that changes nothing for anybody would still move Spark's
/// locality timers. `refused`: some ask could be refused before this step.
pub(crate) fn reoffers(core: &Core, refused: bool) -> bool {
    core.step.offer_copies || (refused && core.step.reoffer && core.ledger.pending > 0)
}
