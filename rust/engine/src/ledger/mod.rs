//! What is true: executors, slots, attempts, task sets, jobs, workflows and holds.
//!
//! Architecture invariant: the ledger keeps books and decides nothing.

mod ahead;
mod executor;
mod executors;
mod holds;
mod jobs;
pub(crate) mod keys;
mod lists;
mod memory;
mod pattern;
mod places;
mod pools;
mod running;
pub(crate) mod sets;
mod tasks;
mod tenants;
mod workflow;
mod workflows;

use crate::ledger::keys::{DemandKey, ExecutorKey, HoldKey, JobKey, SetKey, WorkflowKey};
use crate::tables::arena::{Arena, Key};

pub(crate) use crate::tables::median::Longest;
pub(crate) use executors::Executors;
pub(crate) use holds::{Hold, HoldBook};
pub(crate) use jobs::{Job, PlanEntry};
pub(crate) use lists::Side;
pub(crate) use pattern::Foreseen;
pub use pattern::Transition;
pub(crate) use pools::{Pool, Pools};
pub(crate) use running::RunningTasks;
pub(crate) use sets::{Set, Wave};
pub(crate) use workflow::{Gap, Peak, Workflow};
pub(crate) use workflows::Workflows;

use crate::api::ids::{AttemptId, JobId, ProfileId, Resources, SetId, Time};
use crate::tables::pages::{IdMap, Pages};
use crate::tables::spares::Spares;

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
    workflow: WorkflowKey,
    set: SetKey,
    task: u32,
    executor: ExecutorKey,
    /// Of what it asks for, and the two bits below.
    demand_key: u32,
}

const _: () = assert!(size_of::<Booked>() == 32);

impl Booked {
    const COPY: u32 = 1 << 31;
    const LOCAL: u32 = 1 << 30;

    fn new(a: Attempt, demand_key: DemandKey) -> Self {
        let Attempt { set_serial, launched_at, task, .. } = a;
        let (workflow, set, executor) = (a.workflow, a.set, a.executor);
        let bit = |bit: u32, set: bool| if set { bit } else { 0 };
        let demand_key =
            demand_key.number() | bit(Self::COPY, a.is_copy) | bit(Self::LOCAL, a.local);
        Self { launched_at, set_serial, workflow, set, task, executor, demand_key }
    }

    fn with(self, demand: Resources) -> Attempt {
        let Self { set_serial, launched_at, task, .. } = self;
        let Self { workflow, set, executor, .. } = self;
        let has = |bit: u32| self.demand_key & bit != 0;
        let (is_copy, local) = (has(Self::COPY), has(Self::LOCAL));
        Attempt { workflow, set, set_serial, task, executor, demand, launched_at, is_copy, local }
    }

    fn demand_key(self) -> DemandKey {
        DemandKey::of_number(self.demand_key & !(Self::COPY | Self::LOCAL))
    }

    pub fn executor(&self) -> ExecutorKey {
        self.executor
    }

    pub fn workflow(&self) -> WorkflowKey {
        self.workflow
    }
}

/// Buffers of ended sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetSpares {
    pub tasks: Spares<Vec<tasks::Task>>,
    pub running: Spares<RunningTasks>,
    pub places: Spares<places::Places>,
}

/// All books. Indices (`usize`) are slab keys; ids stay at the edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub executors: Executors,
    pub attempts: Pages<AttemptId, Booked>,
    pub sets: Arena<SetKey, Set>,
    pub set_ids: IdMap<SetId, SetKey>,
    pub jobs: Arena<JobKey, Job>,
    pub job_ids: IdMap<JobId, JobKey>,
    pub workflows: Workflows,
    pub pools: Pools,
    pub holds: HoldBook,
    /// Tasks that have no slot, over all sets.
    pub pending: u64,
    /// What tasks of rivals took of late.
    pub rivals: Longest,
    pub spares: SetSpares,
    pub set_serial: u32,
    /// What tasks have asked for: few different ones.
    demands: Vec<Resources>,
}

impl Ledger {
    /// Room of an executor that is neither busy nor held.
    pub fn left(&self, executor: ExecutorKey) -> Resources {
        let e = &self.executors.slab[executor];
        e.capacity.minus(e.running).minus(e.held)
    }

    /// Enters a hold into all books.
    pub fn add_hold(&mut self, hold: Hold) {
        let (owner, executor, size) = (hold.owner, hold.executor, hold.size);
        self.holds.insert(hold, &mut self.executors, &mut self.workflows);
        self.executors.slab[executor].held = self.executors.slab[executor].held.plus(size);
        self.executors.refresh(executor);
        self.workflows.slab[owner].held += 1;
        self.pools.add_owned(self.workflows.slab[owner].pool, 1);
        self.workflows.tenants.add_held(self.workflows.slab[owner].holding.tenant, 1);
        self.workflows.update_holder(owner);
    }

    /// Takes a hold out of all books.
    pub fn remove_hold(&mut self, key: HoldKey) -> Hold {
        let hold = self.holds.remove(key, &mut self.executors, &mut self.workflows);
        let e = &mut self.executors.slab[hold.executor];
        e.held = e.held.minus(hold.size);
        self.executors.refresh(hold.executor);
        self.workflows.slab[hold.owner].held -= 1;
        self.pools.add_owned(self.workflows.slab[hold.owner].pool, -1);
        self.workflows.tenants.add_held(self.workflows.slab[hold.owner].holding.tenant, -1);
        self.workflows.update_holder(hold.owner);
        hold
    }

    /// The key of a demand: its place in the list.
    pub fn demand_key(&mut self, demand: Resources) -> DemandKey {
        let known = self.demands.iter().position(|other| *other == demand);
        if let Some(key) = known {
            return DemandKey::of(key);
        }
        // Nobody asks for nothing: see `forget_demands`.
        let vacant = self.demands.iter().position(|other| *other == Resources::default());
        let key = vacant.unwrap_or(self.demands.len());
        self.demands.resize(self.demands.len().max(key + 1), Resources::default());
        self.demands[key] = demand;
        DemandKey::of(key)
    }

    /// Makes the keys vacant of what neither sets nor attempts ask for.
    pub fn forget_demands(&mut self) {
        let mut asked = vec![false; self.demands.len()];
        self.sets.iter().for_each(|(_, set)| asked[set.demand_key.place()] = true);
        self.attempts.iter().for_each(|(_, booked)| asked[booked.demand_key().place()] = true);
        for (demand, _) in self.demands.iter_mut().zip(asked).filter(|(_, asked)| !asked) {
            *demand = Resources::default();
        }
    }

    /// The demand of a key.
    pub fn demand(&self, key: DemandKey) -> Resources {
        self.demands[key.place()]
    }

    /// Books an attempt of a live set in.
    pub fn add_attempt(&mut self, id: AttemptId, attempt: Attempt) {
        let demand = self.sets[attempt.set].demand_key;
        self.attempts.insert(id, Booked::new(attempt, demand));
    }

    /// Books an attempt out; returns it.
    pub fn remove_attempt(&mut self, id: AttemptId, now: Time) -> Option<Attempt> {
        let booked = self.attempts.remove(id)?;
        let attempt = booked.with(self.demand(booked.demand_key()));
        let asked = (booked.demand_key(), attempt.demand);
        self.executors.leave(attempt.executor, attempt.workflow, asked);
        let w = &mut self.workflows.slab[attempt.workflow];
        w.charge(now);
        w.running -= 1;
        w.slots.using = w.slots.using.minus(attempt.demand);
        self.pools.add_owned(self.workflows.slab[attempt.workflow].pool, -1);
        Some(attempt)
    }

    /// Adds `delta` to the pending tasks of a set, its workflow and in total.
    pub fn add_pending(&mut self, set: SetKey, delta: i32) {
        let s = &mut self.sets[set];
        s.pending = s.pending.saturating_add_signed(delta);
        let w = &mut self.workflows.slab[s.workflow];
        w.pending = w.pending.saturating_add_signed(i64::from(delta));
        self.pending = self.pending.saturating_add_signed(i64::from(delta));
    }

    /// Returns whether a set waits for slots that came after the one with this serial.
    pub fn waits_since(&self, serial: u32) -> bool {
        self.sets.iter().any(|(_, set)| set.pending > 0 && set.serial > serial)
    }

    /// Adds `delta` to the unfinished tasks of a set and its job.
    pub fn add_unfinished(&mut self, set: SetKey, delta: i32) {
        let s = &mut self.sets[set];
        s.unfinished = s.unfinished.saturating_add_signed(delta);
        let job = &mut self.jobs[s.job];
        job.unfinished = job.unfinished.saturating_add_signed(delta);
    }

    /// A superseded set has neither unfinished nor pending tasks.
    pub fn make_zombie(&mut self, set: SetKey) {
        let (pending, unfinished) = (self.sets[set].pending, self.sets[set].unfinished);
        self.add_pending(set, -pending.cast_signed());
        self.add_unfinished(set, -unfinished.cast_signed());
        self.sets[set].zombie = true;
        self.sets[set].watch.copies.twice = 0;
    }

    /// Changes a task, and keeps count of those that run twice.
    pub fn change_task(&mut self, set: SetKey, task: u32, change: impl FnOnce(&mut tasks::Task)) {
        let s = &mut self.sets[set];
        let t = &mut s.tasks[task as usize];
        let was = t.runs_twice();
        change(t);
        match (was, t.runs_twice(), s.zombie) {
            (false, true, false) => s.watch.copies.twice += 1,
            (true, false, false) => s.watch.copies.twice -= 1,
            _ => {}
        }
    }

    /// Slots of a profile over all usable executors.
    pub fn slots(&self, profile: ProfileId) -> u32 {
        self.executors.slots(profile)
    }
}
