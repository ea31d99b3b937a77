//! Attempts, as they are told and as the books keep them.

use super::keys::{DemandKey, ExecutorKey, SetKey, WorkflowKey};
use crate::api::ids::{Resources, Time};
use crate::tables::arena::Key;

/// One run of a task: what it occupies, and whose it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub workflow: WorkflowKey,
    /// Key and serial number of its set: the key alone may have been reused.
    pub set: SetKey,
    pub set_serial: u32,
    pub task: u32,
    pub executor: ExecutorKey,
    pub demand: Resources,
    pub launched_at: Time,
    /// Launched beside a running attempt of its task.
    pub is_copy: bool,
    /// Its input was as near as it gets for its set.
    pub local: bool,
}

/// The same in the books: half a cache line, as most of what is far away in memory are these.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(crate) struct Booked {
    pub launched_at: Time,
    set_serial: u32,
    pub(super) workflow: WorkflowKey,
    pub(super) set: SetKey,
    pub(super) task: u32,
    pub(super) executor: ExecutorKey,
    /// Of what it asks for, and the two bits below.
    demand_key: u32,
}

const _: () = assert!(size_of::<Booked>() == 32);

impl Booked {
    const COPY: u32 = 1 << 31;
    const LOCAL: u32 = 1 << 30;

    pub(super) fn new(a: Attempt, demand_key: DemandKey) -> Self {
        let Attempt { set_serial, launched_at, task, .. } = a;
        let (workflow, set, executor) = (a.workflow, a.set, a.executor);
        let bit = |bit: u32, set: bool| if set { bit } else { 0 };
        let demand_key =
            demand_key.number() | bit(Self::COPY, a.is_copy) | bit(Self::LOCAL, a.local);
        Self { launched_at, set_serial, workflow, set, task, executor, demand_key }
    }

    pub(super) fn with(self, demand: Resources) -> Attempt {
        let Self { set_serial, launched_at, task, .. } = self;
        let Self { workflow, set, executor, .. } = self;
        let has = |bit: u32| self.demand_key & bit != 0;
        let (is_copy, local) = (has(Self::COPY), has(Self::LOCAL));
        Attempt { workflow, set, set_serial, task, executor, demand, launched_at, is_copy, local }
    }

    pub(super) fn demand_key(self) -> DemandKey {
        DemandKey::of_number(self.demand_key & !(Self::COPY | Self::LOCAL))
    }

    pub fn executor(&self) -> ExecutorKey {
        self.executor
    }

    pub fn workflow(&self) -> WorkflowKey {
        self.workflow
    }
}
