//! One executor.

use smallvec::SmallVec;

use super::keys::{DemandKey, WorkflowKey};
use super::lists::List;
use crate::api::ids::{ExecutorId, ProfileId, Resources};

/// How many attempts run somewhere that are of one workflow and ask for the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Users {
    pub workflow: WorkflowKey,
    /// Of what each asks for.
    pub demand_key: DemandKey,
    pub attempts: u32,
}

/// Two cache lines: where there are many, most of them are far away in memory.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Executor {
    pub capacity: Resources,
    pub running: Resources,
    pub held: Resources,
    /// Its place in the order of ids.
    pub(super) place: u32,
    pub id: ExecutorId,
    pub profile: ProfileId,
    pub barred: bool,
    /// Its holds, in the order of making.
    pub holds: List,
    /// Whose attempts run there, in no order.
    pub(super) users: SmallVec<[Users; 4]>,
}

const _: () = assert!(size_of::<Executor>() == 2 * 64);

impl Executor {
    /// Whether a slot of that size is neither busy nor held. Asked at every change: most demands are of cores only.
    pub(super) fn has_room(&self, demand: &Resources) -> bool {
        let left = |i: usize| {
            self.capacity.0[i].saturating_sub(self.running.0[i]).saturating_sub(self.held.0[i])
        };
        !self.barred
            && demand.0.iter().enumerate().all(|(i, &asked)| asked == 0 || left(i) >= asked)
    }

    pub fn attempts_of(&self, workflow: WorkflowKey) -> u32 {
        let own = self.users.iter().filter(|users| users.workflow == workflow);
        own.map(|users| users.attempts).fold(0, u32::saturating_add)
    }

    /// Something of each of its cache lines.
    pub fn read_ahead(&self) -> u64 {
        u64::from(self.capacity.0[0]) ^ self.users.len() as u64
    }

    /// Whose attempts run there: workflow, key of what they ask for, how many.
    pub fn users(&self) -> impl Iterator<Item = (WorkflowKey, DemandKey, u32)> {
        self.users
            .iter()
            .map(|&Users { workflow, demand_key, attempts }| (workflow, demand_key, attempts))
    }
}
