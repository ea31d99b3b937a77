//! Tenants: who holds how much of what it may.

use rustc_hash::FxHashMap;

use crate::api::ids::TenantId;

#[derive(Clone, Copy, Debug, Default)]
struct Tenant {
    /// How many slots its workflows hold at most.
    most: u32,
    held: u32,
    /// How many workflows belong to it: without one it is forgotten.
    workflows: u32,
}

/// All but [`TenantId::NONE`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Tenants(FxHashMap<TenantId, Tenant>);

impl Tenants {
    /// A workflow that holds `held` slots moves from one tenant to another.
    pub fn join(&mut self, from: TenantId, to: TenantId, held: u32) {
        if let Some(tenant) = self.0.get_mut(&from) {
            tenant.held -= held;
            tenant.workflows -= 1;
            if tenant.workflows == 0 {
                self.0.remove(&from);
            }
        }
        if to != TenantId::NONE {
            let tenant = self.0.entry(to).or_insert(Tenant { most: u32::MAX, ..Tenant::default() });
            tenant.held += held;
            tenant.workflows += 1;
        }
    }

    pub fn bound(&mut self, id: TenantId, most: u32) {
        if let Some(tenant) = self.0.get_mut(&id) {
            tenant.most = most;
        }
    }

    pub fn add_held(&mut self, id: TenantId, difference: i32) {
        if id != TenantId::NONE
            && let Some(tenant) = self.0.get_mut(&id)
        {
            tenant.held = tenant.held.saturating_add_signed(difference);
        }
    }

    /// Whether one slot more may be held, once `given_up` are not any more.
    pub fn has_room(&self, id: TenantId, given_up: u32) -> bool {
        id == TenantId::NONE
            || self.0.get(&id).is_none_or(|tenant| tenant.held - given_up < tenant.most)
    }
}
