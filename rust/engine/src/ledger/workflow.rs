//! One workflow.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::keys::{JobKey, PoolKey};
use super::lists::List;
use super::pattern::{Course, Foreseen, Known};
use super::places::Home;
use crate::api::account::Account;
use crate::api::ids::{ExecutorId, ProfileId, Resources, TenantId, Time, WorkflowId};
use crate::math::pareto::Tail;

/// Sorts more important workflows first; unique, since arrivals are.
pub(super) type Rank = (Reverse<i32>, u64);

/// The wait between two jobs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    pub start: Time,
    pub deadline: Time,
    /// Serial of the latest set that had been submitted by then.
    pub latest_set: u32,
    /// Its length says how long gaps are; it says nothing once the run has ended.
    pub teaches: bool,
}

/// The widest set seen of late.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Peak {
    pub width: u32,
    pub at: Time,
}

/// What a workflow is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    pub active: bool,
    pub closed: bool,
    /// Opened, and no job has come since: it must not be forgotten in between.
    pub awaited: bool,
    /// Its slot has changed, so that holds of it may not fit any more.
    pub misfits: bool,
    /// The cap of this episode has passed.
    pub exhausted: bool,
    /// It is in `Workflows::hungry`.
    pub hungry: bool,
    /// Since it became active a set of it has filled the cache.
    pub has_filled: bool,
    /// An earlier run has shown how long its gaps are.
    pub knows_gaps: bool,
}

/// Up to when its sums go, and the one that every launch and every end changes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    pub charged_at: Time,
    /// Slot-time with a task, in slots x nanoseconds; the other sums are in the account.
    pub busy_ns: u64,
}

/// What its attempts occupy, and what they ask for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slots {
    pub using: Resources,
    /// Profile of its latest set, and what a task of it asks for.
    pub latest: Option<(ProfileId, Resources)>,
    /// The same of what it will launch next: what its holds are.
    pub next: Option<(ProfileId, Resources)>,
}

/// How wide it was, is and will be.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Width {
    pub peak: Peak,
    /// Since when it needs less than it will want again.
    pub narrow: Option<Time>,
    /// Tasks of its set that ended last.
    pub last_m: u32,
    /// n as the user has declared it; 0 for none.
    pub declared: u32,
    /// How wide it is when it claims, and until when that stays so; none since it was touched.
    pub wide: Option<(u32, Time)>,
    /// When its first set since it became active came, and how wide it is known to be; none before that.
    pub known: Option<(Time, u32)>,
    /// What follows its latest set.
    pub foreseen: Option<Foreseen>,
}

/// What it holds, for how long, and what that has cost.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Holding {
    /// Its sums, without the slot-time with a task: see [`Workflow::sums`].
    pub account: Account,
    /// Its holds, in the order of making.
    pub holds: List,
    pub gap: Option<Gap>,
    pub largest_gap: u64,
    /// When the gap began that was longer than its linger; none once its next job has come.
    pub missed_gap: Option<Time>,
    /// The deadline that its holds have from its barrier now.
    pub barrier: Option<Time>,
    /// Start of the span that the cap counts over.
    pub episode: Option<Time>,
    /// Whose it is.
    pub tenant: TenantId,
}

impl Holding {
    /// Of a workflow that comes (back).
    pub fn new(account: Account, largest_gap: u64, missed_gap: Option<Time>) -> Self {
        Self {
            account,
            holds: List::default(),
            gap: None,
            largest_gap,
            missed_gap,
            barrier: None,
            episode: None,
            tenant: TenantId::NONE,
        }
    }
}

/// What it has taught.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    /// Where its input lies.
    pub home: Home,
    /// How many times longer a task takes away from its input than next to it, in thousandths.
    pub remote_slowdown_milli: Option<u64>,
    /// When the first task away from its input finished on an executor.
    pub away: FxHashMap<ExecutorId, Time>,
    /// What it repeats.
    pub known: Known,
    /// How far it is in that.
    pub course: Course,
    /// The workflow whose knowledge it shares.
    pub akin: Option<WorkflowId>,
    /// The shape of its task durations.
    pub tail: Tail,
}

/// What every launch and every end touches comes first, in three cache lines, and then what workflows that hold need.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Workflow {
    pub priority: i32,
    pub running: u32,
    pub held: u32,
    /// P in millionths.
    pub isolation: u32,
    pub pending: u64,
    pub pool: PoolKey,
    pub id: WorkflowId,
    pub meter: Meter,
    pub flags: Flags,
    pub arrival: u64,

    pub slots: Slots,

    /// Here, since its entry in the slab is told from a vacant one by it.
    pub jobs: Vec<JobKey>,
    pub width: Width,

    pub holding: Holding,
    pub learned: Learned,
}

const _: () = assert!(std::mem::offset_of!(Workflow, slots) == 64);
const _: () = assert!(std::mem::offset_of!(Workflow, jobs) == 2 * 64);
const _: () = assert!(std::mem::offset_of!(Workflow, width.wide) == 3 * 64);

impl Workflow {
    pub fn rank(&self) -> Rank {
        (Reverse(self.priority), self.arrival)
    }

    /// Before the number of its slots changes, or what its holds wait for.
    pub fn charge(&mut self, now: Time) {
        let nanos = now.since(self.meter.charged_at);
        let slot_time = |slots: u32| nanos.saturating_mul(slots.into());
        self.meter.busy_ns = self.meter.busy_ns.saturating_add(slot_time(self.running));
        if self.held > 0 {
            let idle = slot_time(self.held);
            self.holding.account.idle_ns = self.holding.account.idle_ns.saturating_add(idle);
            if self.holding.gap.is_none() && self.holding.barrier.is_some() {
                self.holding.account.barrier_idle_ns =
                    self.holding.account.barrier_idle_ns.saturating_add(idle);
            }
        }
        self.meter.charged_at = now;
    }

    /// All its sums.
    pub fn sums(&self) -> Account {
        Account { busy_ns: self.meter.busy_ns, ..self.holding.account }
    }

    /// Slots that it occupies or holds.
    pub fn used(&self) -> u32 {
        self.running + self.held
    }

    pub fn set_slot(&mut self, slot: Option<(ProfileId, Resources)>) {
        self.flags.misfits |= self.slots.next != slot;
        self.slots.next = slot;
    }

    /// What comes next has slots of another size, or elsewhere.
    pub fn is_resized(&self) -> bool {
        self.slots.next != self.slots.latest
    }

    /// Slots of what it will launch next: those that it holds, and what its attempts will leave.
    pub fn owned(&self) -> u32 {
        match self.slots.next {
            Some((_, demand)) if self.is_resized() => {
                self.held + demand.fit_into(&self.slots.using)
            }
            _ => self.used(),
        }
    }

    /// What its holds wait for, at the latest: their caps count besides.
    pub fn holds_until(&self) -> Time {
        self.holding.gap.map(|gap| gap.deadline).or(self.holding.barrier).unwrap_or(Time(u64::MAX))
    }
}
