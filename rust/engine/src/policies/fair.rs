//! Fair sharing (SSR-12): whose turn is it, holds counted?
//!
//! Spark compares pools by what runs in them. Here a held slot counts as used by its owner, and another workflow of the
//! same priority may take it only if it is still its turn when it has taken it. A tie keeps the hold, whatever the
//! pools are called.

use crate::ledger::keys::WorkflowKey;
use crate::ledger::{Ledger, Pool, Workflow};

/// What somebody has, and should have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub owned: u32,
    pub weight: u32,
    pub min_share: u32,
}

impl Share {
    fn of_pool(pool: &Pool) -> Self {
        Self { owned: pool.owned, weight: pool.weight, min_share: pool.min_share }
    }

    /// Workflows of a fair pool are equals in it, as task sets are in Spark's.
    fn of_workflow(w: &Workflow) -> Self {
        Self { owned: w.used(), weight: 1, min_share: 0 }
    }

    /// Spark's fair comparison without the names: whoever has less than its minimum goes first, then who has less of
    /// that, then who has less by weight.
    pub fn goes_before(self, other: Self) -> bool {
        let needy = |share: Self| share.owned < share.min_share;
        let less = |a: u32, b: u32| {
            u64::from(self.owned) * u64::from(b) < u64::from(other.owned) * u64::from(a)
        };
        match (needy(self), needy(other)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) => less(self.min_share, other.min_share),
            (false, false) => less(self.weight, other.weight),
        }
    }
}

/// What is compared between two workflows of equal priority: their pools, or within a fair pool they themselves.
/// `None` where rank decides.
pub(crate) fn shares(ledger: &Ledger, a: &Workflow, b: &Workflow) -> Option<(Share, Share)> {
    if !ledger.pools.any_fair || a.priority != b.priority {
        return None;
    }
    let (pool, other) = (ledger.pools.get(a.pool), ledger.pools.get(b.pool));
    if a.pool != b.pool {
        return ledger.pools.root().fair.then(|| (Share::of_pool(pool), Share::of_pool(other)));
    }
    pool.fair.then(|| (Share::of_workflow(a), Share::of_workflow(b)))
}

/// Whether a hold of `owner` stands in the way of `asker`, of which `granted` slots are not in the books yet.
pub(crate) fn blocks(
    ledger: &Ledger,
    owner: WorkflowKey,
    asker: WorkflowKey,
    granted: u32,
) -> bool {
    if owner == asker {
        return false;
    }
    let workflows = &ledger.workflows.slab;
    let Some((mut takes, mut gives)) = shares(ledger, &workflows[asker], &workflows[owner]) else {
        return ledger.workflows.rank(owner) < ledger.workflows.rank(asker);
    };
    takes.owned += granted;
    gives.owned = gives.owned.saturating_sub(1);
    !takes.goes_before(gives)
}

/// The fair share of a workflow that is not prioritised, in slots of `slots`; `None` where nobody shares fairly.
pub(crate) fn share(ledger: &Ledger, w: &Workflow, slots: u32) -> Option<u32> {
    let (pool, root) = (ledger.pools.get(w.pool), ledger.pools.root());
    let pools = if root.fair && pool.id != root.id {
        let weight = u128::from(ledger.pools.active_weight.max(1));
        let part = u128::from(slots) * u128::from(pool.weight) / weight;
        u32::try_from(part).unwrap_or(slots).max(pool.min_share).min(slots)
    } else if pool.fair {
        slots
    } else {
        return None;
    };
    Some(if pool.fair { pools / pool.active.max(1) } else { pools })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(owned: u32, weight: u32, min_share: u32) -> Share {
        Share { owned, weight, min_share }
    }

    #[test]
    fn whoever_has_less_than_its_minimum_goes_first_then_by_weight() {
        assert!(share(3, 1, 4).goes_before(share(0, 1, 0)));
        assert!(!share(0, 1, 0).goes_before(share(3, 1, 4)));
        assert!(share(1, 1, 4).goes_before(share(1, 1, 2)));
        assert!(share(3, 2, 0).goes_before(share(2, 1, 0)));
        assert!(!share(2, 1, 0).goes_before(share(2, 1, 0)));
    }
}
