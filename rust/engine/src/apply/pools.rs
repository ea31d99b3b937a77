//! Pools: what they are, and who is in them.

use crate::api::config::HoldFor;
use crate::api::ids::{PoolId, WorkflowId};
use crate::state::Core;

pub(crate) fn pool_defined(core: &mut Core, id: PoolId, fair: bool, weight: u32, min_share: u32) {
    if core.ledger.pools.define(id, fair, weight, min_share) {
        // Where ranks decided it may be somebody's turn now.
        core.step.reoffer = true;
        core.touch_all();
    }
}

/// A workflow is of that pool from now on.
pub(crate) fn enter_pool(core: &mut Core, workflow: WorkflowId, pool: PoolId) {
    let Some(&key) = core.ledger.workflows.ids.get(&workflow) else { return };
    let pool = core.ledger.pools.key(pool);
    let w = &mut core.ledger.workflows.slab[key];
    let (before, owned) = (w.pool, w.used().cast_signed());
    w.pool = pool;
    if w.flags.active {
        core.step.reoffer |= before != pool;
        core.ledger.pools.add_active(before, false);
        core.ledger.pools.add_active(pool, true);
        if before != pool {
            touch_sharers(core);
        }
    }
    core.ledger.pools.add_owned(before, -owned);
    core.ledger.pools.add_owned(pool, owned);
}

/// Shares have fallen: whoever holds more than its own gives it back in this step.
pub(crate) fn touch_sharers(core: &mut Core) {
    if core.rules.hold_for != HoldFor::All {
        return;
    }
    for i in 0..core.ledger.workflows.holders.len() {
        let holder = core.ledger.workflows.holders[i];
        if core.ledger.workflows.slab[holder].priority <= 0 {
            core.ledger.touched.note(holder);
        }
    }
}
