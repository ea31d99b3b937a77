//! What is true: executors, slots, attempts, task sets, jobs, workflows and holds.
//!
//! Architecture invariant: the ledger keeps books and decides nothing.

mod ahead;
mod executors;
mod holds;
mod memory;
mod pattern;
mod places;
mod pools;
mod running;
mod sets;
mod tenants;
mod workflows;

use slab::Slab;

pub(crate) use crate::tables::median::Longest;
pub(crate) use executors::Executors;
pub(crate) use holds::{Hold, HoldBook, Side};
pub(crate) use pattern::Foreseen;
pub use pattern::Transition;
pub(crate) use pools::{Pool, Pools};
pub(crate) use running::RunningTasks;
pub(crate) use sets::{Job, PlanEntry, Set, Wave};
pub(crate) use workflows::{Gap, Peak, Workflow, Workflows};

use crate::api::ids::{AttemptId, JobId, ProfileId, Resources, SetId, Time, short};
use crate::tables::pages::{IdMap, Pages};
use crate::tables::spares::Spares;

/// One run of a task: what it occupies, and whose it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    pub workflow: usize,
    /// Key and serial number of its set: the key alone may have been reused.
    pub set: usize,
    pub set_serial: u32,
    pub task: u32,
    pub executor: usize,
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
    workflow: u32,
    set: u32,
    task: u32,
    executor: u32,
    /// Of what it asks for, and the two bits below.
    demand_key: u32,
}

const _: () = assert!(size_of::<Booked>() == 32);

impl Booked {
    const COPY: u32 = 1 << 31;
    const LOCAL: u32 = 1 << 30;

    fn new(a: Attempt, demand_key: u32) -> Self {
        let Attempt { set_serial, launched_at, task, .. } = a;
        let (workflow, set, executor) = (short(a.workflow), short(a.set), short(a.executor));
        let bit = |bit: u32, set: bool| if set { bit } else { 0 };
        let demand_key = demand_key | bit(Self::COPY, a.is_copy) | bit(Self::LOCAL, a.local);
        Self { launched_at, set_serial, workflow, set, task, executor, demand_key }
    }

    fn with(self, demand: Resources) -> Attempt {
        let Self { set_serial, launched_at, task, .. } = self;
        let (workflow, set) = (self.workflow as usize, self.set as usize);
        let executor = self.executor as usize;
        let has = |bit: u32| self.demand_key & bit != 0;
        let (is_copy, local) = (has(Self::COPY), has(Self::LOCAL));
        Attempt { workflow, set, set_serial, task, executor, demand, launched_at, is_copy, local }
    }

    fn demand_key(self) -> u32 {
        self.demand_key & !(Self::COPY | Self::LOCAL)
    }

    pub fn executor(&self) -> usize {
        self.executor as usize
    }

    pub fn workflow(&self) -> usize {
        self.workflow as usize
    }
}

/// All books. Indices (`usize`) are slab keys; ids stay at the edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub executors: Executors,
    pub attempts: Pages<AttemptId, Booked>,
    pub sets: Slab<Set>,
    pub set_ids: IdMap<SetId, usize>,
    pub jobs: Slab<Job>,
    pub job_ids: IdMap<JobId, usize>,
    pub workflows: Workflows,
    pub pools: Pools,
    pub holds: HoldBook,
    /// Tasks that have no slot, over all sets.
    pub pending: u64,
    /// What tasks of rivals took of late.
    pub rivals: Longest,
    pub spare_tasks: Spares<Vec<sets::Task>>,
    pub spare_running: Spares<RunningTasks>,
    pub spare_places: Spares<places::Places>,
    pub set_serial: u32,
    /// What tasks have asked for: few different ones.
    demands: Vec<Resources>,
}

impl Ledger {
    /// Room of an executor that is neither busy nor held.
    pub fn left(&self, executor: usize) -> Resources {
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
        self.workflows.tenants.add_held(self.workflows.slab[owner].tenant, 1);
        self.workflows.update_holder(owner);
    }

    /// Takes a hold out of all books.
    pub fn remove_hold(&mut self, key: usize) -> Hold {
        let hold = self.holds.remove(key, &mut self.executors, &mut self.workflows);
        let e = &mut self.executors.slab[hold.executor];
        e.held = e.held.minus(hold.size);
        self.executors.refresh(hold.executor);
        self.workflows.slab[hold.owner].held -= 1;
        self.pools.add_owned(self.workflows.slab[hold.owner].pool, -1);
        self.workflows.tenants.add_held(self.workflows.slab[hold.owner].tenant, -1);
        self.workflows.update_holder(hold.owner);
        hold
    }

    /// The key of a demand: its place in the list.
    pub fn demand_key(&mut self, demand: Resources) -> u32 {
        let known = self.demands.iter().position(|other| *other == demand);
        if let Some(key) = known {
            return short(key);
        }
        // Nobody asks for nothing: see `forget_demands`.
        let vacant = self.demands.iter().position(|other| *other == Resources::default());
        let key = vacant.unwrap_or(self.demands.len());
        self.demands.resize(self.demands.len().max(key + 1), Resources::default());
        self.demands[key] = demand;
        short(key)
    }

    /// Makes the keys vacant of what neither sets nor attempts ask for.
    pub fn forget_demands(&mut self) {
        let mut asked = vec![false; self.demands.len()];
        self.sets.iter().for_each(|(_, set)| asked[set.demand_key as usize] = true);
        self.attempts.iter().for_each(|(_, booked)| asked[booked.demand_key() as usize] = true);
        for (demand, _) in self.demands.iter_mut().zip(asked).filter(|(_, asked)| !asked) {
            *demand = Resources::default();
        }
    }

    /// The demand of a key.
    pub fn demand(&self, key: u32) -> Resources {
        self.demands[key as usize]
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
        w.using = w.using.minus(attempt.demand);
        self.pools.add_owned(self.workflows.slab[attempt.workflow].pool, -1);
        Some(attempt)
    }

    /// Adds `delta` to the pending tasks of a set, its workflow and in total.
    pub fn add_pending(&mut self, set: usize, delta: i32) {
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
    pub fn add_unfinished(&mut self, set: usize, delta: i32) {
        let s = &mut self.sets[set];
        s.unfinished = s.unfinished.saturating_add_signed(delta);
        let job = &mut self.jobs[s.job];
        job.unfinished = job.unfinished.saturating_add_signed(delta);
    }

    /// A superseded set has neither unfinished nor pending tasks.
    pub fn make_zombie(&mut self, set: usize) {
        let (pending, unfinished) = (self.sets[set].pending, self.sets[set].unfinished);
        self.add_pending(set, -pending.cast_signed());
        self.add_unfinished(set, -unfinished.cast_signed());
        self.sets[set].zombie = true;
        self.sets[set].twice = 0;
    }

    /// Changes a task, and keeps count of those that run twice.
    pub fn change_task(&mut self, set: usize, task: u32, change: impl FnOnce(&mut sets::Task)) {
        let s = &mut self.sets[set];
        let t = &mut s.tasks[task as usize];
        let was = t.runs_twice();
        change(t);
        match (was, t.runs_twice(), s.zombie) {
            (false, true, false) => s.twice += 1,
            (true, false, false) => s.twice -= 1,
            _ => {}
        }
    }

    /// Slots of a profile over all usable executors.
    pub fn slots(&self, profile: ProfileId) -> u32 {
        self.executors.slots(profile)
    }
}
