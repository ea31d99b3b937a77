//! Pools, and what their workflows own and who of them is active.

use crate::ledger::keys::PoolKey;
use crate::tables::arena::Key;
use rustc_hash::FxHashMap;

use crate::api::ids::PoolId;
use crate::api::views::PoolView;

/// A pool as Spark's fair scheduler knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pool {
    pub id: PoolId,
    /// Whether those in it share fairly; the root's children are the other pools.
    pub fair: bool,
    pub weight: u32,
    pub min_share: u32,
    /// Slots that its workflows own.
    pub owned: u32,
    /// Its active workflows.
    pub active: u32,
}

impl Pool {
    pub fn view(&self) -> PoolView {
        let Self { id, fair, weight, min_share, owned, .. } = *self;
        PoolView { id, fair, weight, min_share, owned }
    }
}

/// All pools that were named; the root is the first.
#[derive(Clone, Debug)]
pub(crate) struct Pools {
    list: Vec<Pool>,
    ids: FxHashMap<PoolId, PoolKey>,
    /// Some pool is fair.
    pub any_fair: bool,
    /// Of the pools with active workflows.
    pub active_weight: u64,
}

impl Default for Pools {
    fn default() -> Self {
        let mut pools =
            Self { list: Vec::new(), ids: FxHashMap::default(), any_fair: false, active_weight: 0 };
        pools.key(PoolId::ROOT);
        pools
    }
}

impl Pools {
    pub fn get(&self, key: PoolKey) -> &Pool {
        &self.list[key.place()]
    }

    pub fn root(&self) -> &Pool {
        &self.list[0]
    }

    pub fn all(&self) -> impl Iterator<Item = &Pool> {
        self.list.iter()
    }

    /// A pool that nobody has defined is what Spark makes of an unknown name.
    pub fn key(&mut self, id: PoolId) -> PoolKey {
        let next = PoolKey::of(self.list.len());
        let key = *self.ids.entry(id).or_insert(next);
        if key == next {
            let (fair, weight, min_share) = (false, 1, 0);
            self.list.push(Pool { id, fair, weight, min_share, owned: 0, active: 0 });
        }
        key
    }

    /// Whether that changed anything.
    pub fn define(&mut self, id: PoolId, fair: bool, weight: u32, min_share: u32) -> bool {
        let (key, weight) = (self.key(id), weight.max(1));
        let pool = &mut self.list[key.place()];
        let before = (pool.fair, pool.weight, pool.min_share);
        if pool.active > 0 {
            self.active_weight = self.active_weight - u64::from(pool.weight) + u64::from(weight);
        }
        (pool.fair, pool.weight, pool.min_share) = (fair, weight, min_share);
        self.any_fair = self.list.iter().any(|pool| pool.fair);
        before != (fair, weight, min_share)
    }

    pub fn add_owned(&mut self, key: PoolKey, slots: i32) {
        let owned = &mut self.list[key.place()].owned;
        *owned = owned.saturating_add_signed(slots);
    }

    /// A workflow of the pool becomes active, or is that no more.
    pub fn add_active(&mut self, key: PoolKey, active: bool) {
        let pool = &mut self.list[key.place()];
        let before = pool.active;
        pool.active = if active { before + 1 } else { before - 1 };
        match (before, pool.active) {
            (0, _) => self.active_weight += u64::from(pool.weight),
            (_, 0) => self.active_weight -= u64::from(pool.weight),
            _ => {}
        }
    }
}
