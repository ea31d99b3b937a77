//! Fair pools: what they are, and when somebody may take what it might not before.

use crate::api::config::HoldFor;
use crate::api::ids::{PoolId, WorkflowId};
use crate::engine::Engine;
use crate::holds::fair::{blocks, shares};

impl Engine {
    pub(crate) fn pool_defined(&mut self, id: PoolId, fair: bool, weight: u32, min_share: u32) {
        if self.ledger.pools.define(id, fair, weight, min_share) {
            // Where ranks decided it may be somebody's turn now.
            self.reoffer = true;
            self.touch_all();
        }
    }

    /// A workflow is of that pool from now on.
    pub(crate) fn enter_pool(&mut self, workflow: WorkflowId, pool: PoolId) {
        let Some(&key) = self.ledger.workflows.ids.get(&workflow) else { return };
        let pool = self.ledger.pools.key(pool);
        let w = &mut self.ledger.workflows.slab[key];
        let (before, owned) = (w.pool, w.used().cast_signed());
        w.pool = pool;
        if w.active {
            self.reoffer |= before != pool;
            self.ledger.pools.add_active(before, false);
            self.ledger.pools.add_active(pool, true);
            if before != pool {
                self.touch_sharers();
            }
        }
        self.ledger.pools.add_owned(before, -owned);
        self.ledger.pools.add_owned(pool, owned);
    }

    /// Shares have fallen: whoever holds more than its own gives it back in this step.
    pub(crate) fn touch_sharers(&mut self) {
        if self.config.hold_for != HoldFor::All {
            return;
        }
        for i in 0..self.ledger.workflows.holders.len() {
            let holder = self.ledger.workflows.holders[i];
            if self.ledger.workflows.slab[holder].priority <= 0 {
                self.touch(holder);
            }
        }
    }

    /// A comparison of pools that has flipped is offered again: somebody waits, and may take a hold now that it might
    /// not after the step before.
    pub(crate) fn watch_pools(&mut self) {
        let mut blocked = std::mem::take(&mut self.blocked);
        if !blocked.is_empty() {
            self.reoffer |= blocked.iter().any(|&(asker, owner)| self.is_free_now(asker, owner));
            blocked.clear();
        }
        if self.ledger.pools.any_fair {
            let workflows = &self.ledger.workflows;
            for &owner in &workflows.holders {
                // Between others rank decides.
                let equals = workflows.equals(owner);
                let waiting = equals.filter(|&w| workflows.slab[w].pending > 0);
                blocked.extend(waiting.map(|w| (w, owner)).filter(|&(asker, owner)| {
                    let fair = shares(&self.ledger, &workflows.slab[asker], &workflows.slab[owner]);
                    fair.is_some() && blocks(&self.ledger, owner, asker, 1)
                }));
            }
        }
        self.blocked = blocked;
    }

    fn is_free_now(&self, asker: usize, owner: usize) -> bool {
        let workflows = &self.ledger.workflows.slab;
        let waits = workflows.get(asker).is_some_and(|w| w.active && w.pending > 0);
        let holds = workflows.get(owner).is_some_and(|w| w.held > 0);
        waits && holds && !blocks(&self.ledger, owner, asker, 1)
    }
}
