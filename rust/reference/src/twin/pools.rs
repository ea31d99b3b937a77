//! Fair sharing (SSR-12): pools, and whose turn it is.

use std::collections::BTreeSet;

use holdfast_engine::{HoldFor, PoolId, PoolView, StageKind, WorkflowId};

use super::state::Set;
use super::{Bug, Reference};

/// What was said of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pool {
    pub(super) fair: bool,
    pub(super) weight: u32,
    pub(super) min_share: u32,
}

impl Default for Pool {
    fn default() -> Self {
        Self { fair: false, weight: 1, min_share: 0 }
    }
}

impl Reference {
    pub(super) fn pool_defined(&mut self, id: PoolId, pool: Pool) {
        let before = self.pools.get(&id).copied().unwrap_or_default();
        self.pools.insert(id, pool);
        if before != pool {
            self.reoffer = true;
            self.touch_all();
        }
    }

    /// Shares have fallen: that of everybody who holds without a priority.
    pub(super) fn touch_sharers(&mut self) {
        if self.config.hold_for == HoldFor::All && !self.has(Bug::SharesKept) {
            let holders: BTreeSet<WorkflowId> = self.holds.values().map(|h| h.workflow).collect();
            let sharers = holders.into_iter().filter(|id| self.workflows[id].priority <= 0);
            self.touched.extend(sharers.collect::<Vec<_>>());
        }
    }

    fn owned_by(&self, pool: PoolId) -> u32 {
        let own = self.workflows.iter().filter(|(_, w)| w.pool == pool);
        own.map(|(id, _)| self.used(*id)).sum()
    }

    fn pool_of(&self, workflow: WorkflowId) -> PoolId {
        self.workflows.get(&workflow).map_or(PoolId::ROOT, |w| w.pool)
    }

    /// Slots, weight and minimum of the two sides that are compared; none where rank decides.
    fn sides(&self, a: WorkflowId, b: WorkflowId) -> Option<[(u32, u32, u32); 2]> {
        if self.rank(a).0 != self.rank(b).0 {
            return None;
        }
        let (pool, other) = (self.pool_of(a), self.pool_of(b));
        if pool == other {
            let side = |w: WorkflowId| (self.used(w), 1, 0);
            return self.pools[&pool].fair.then(|| [side(a), side(b)]);
        }
        let side =
            |id: PoolId| (self.owned_by(id), self.pools[&id].weight, self.pools[&id].min_share);
        self.pools[&PoolId::ROOT].fair.then(|| [side(pool), side(other)])
    }

    /// Whether fairness keeps a hold of `owner` from `asker`, who has not been given `granted` slots yet.
    fn keeps(&self, owner: WorkflowId, asker: WorkflowId, granted: u32) -> Option<bool> {
        let [mut takes, mut gives] = self.sides(asker, owner)?;
        takes.0 += granted;
        gives.0 = gives.0.saturating_sub(1);
        let [needy, other_needy] = [takes, gives].map(|(owned, _, min)| owned < min);
        // By the minimum while both lack something of it, else by weight.
        let by = |(owned, weight, min): (u32, u32, u32)| {
            (u64::from(owned), u64::from(if needy && other_needy { min } else { weight }))
        };
        let ((a, x), (b, y)) = (by(takes), by(gives));
        let less = if self.has(Bug::TieTakesHold) { a * y <= b * x } else { a * y < b * x };
        let turn = if needy == other_needy { less } else { needy };
        Some(!turn)
    }

    /// Whether a hold of `owner` stands in the way of `asker`.
    pub(super) fn blocks(&self, owner: WorkflowId, asker: WorkflowId, granted: u32) -> bool {
        if owner == asker {
            return self.has(Bug::OwnerVetoed);
        }
        self.keeps(owner, asker, granted).unwrap_or_else(|| self.before(owner, asker))
    }

    /// The same for a set: barrier sets go by rank.
    pub(super) fn stands_in_the_way(&self, owner: WorkflowId, set: &Set) -> bool {
        if set.kind == StageKind::Barrier {
            return self.before(owner, set.workflow);
        }
        self.blocks(owner, set.workflow, 1)
    }

    /// The fair share of the slots; none where nobody shares fairly.
    pub(super) fn fair_share(&self, workflow: WorkflowId, slots: u32) -> Option<u32> {
        let id = self.pool_of(workflow);
        let pool = self.pools[&id];
        let active = || self.ranked().into_iter().map(|w| self.pool_of(w));
        let mut all = slots;
        if id != PoolId::ROOT && self.pools[&PoolId::ROOT].fair {
            let named: BTreeSet<PoolId> = active().collect();
            let weights: u64 = named.iter().map(|id| u64::from(self.pools[id].weight)).sum();
            let part = u64::from(slots) * u64::from(pool.weight) / weights.max(1);
            let part = u32::try_from(part.min(u64::from(slots))).expect("at most all");
            all = part.max(pool.min_share).min(slots);
        } else if !pool.fair {
            return None;
        }
        let sharers = active().filter(|other| *other == id).count().max(1);
        let sharers = u32::try_from(sharers).expect("fewer workflows than ids");
        Some(if pool.fair { all / sharers } else { all })
    }

    /// Order of a step, 9: whose turn has come is offered what is held.
    pub(super) fn watch_pools(&mut self) {
        let owners: BTreeSet<WorkflowId> = self.holds.values().map(|hold| hold.workflow).collect();
        let mut waiting = self.ranked();
        waiting.retain(|w| self.pending_of(*w) > 0);
        let mut kept = BTreeSet::new();
        for asker in waiting {
            for owner in owners.iter().copied().filter(|owner| *owner != asker) {
                match self.keeps(owner, asker, 1) {
                    Some(true) => {
                        kept.insert((asker, owner));
                    }
                    _ => {
                        let flips = self.kept.contains(&(asker, owner));
                        let free =
                            !self.blocks(owner, asker, 1) && !self.has(Bug::TurnNotReoffered);
                        self.reoffer |= flips && free;
                    }
                }
            }
        }
        self.kept = kept;
    }

    /// See [`holdfast_engine::Engine::pools`].
    #[must_use]
    pub fn pools(&self) -> Vec<PoolView> {
        let view = |(id, pool): (&PoolId, &Pool)| {
            let Pool { fair, weight, min_share } = *pool;
            PoolView { id: *id, fair, weight, min_share, owned: self.owned_by(*id) }
        };
        self.pools.iter().map(view).collect()
    }
}
