//! What is true: executors, slots, attempts, task sets, jobs, workflows and holds.
//!
//! Architecture invariant: the ledger keeps books and decides nothing.

mod ahead;
mod attempts;
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
mod spreads;
mod tasks;
mod tenants;
mod touched;
mod workflow;
mod workflows;

use crate::ledger::keys::{DemandKey, ExecutorKey, HoldKey, JobKey, SetKey, WorkflowKey};
use crate::tables::arena::{Arena, Key};

pub(crate) use crate::tables::median::Longest;
pub(crate) use attempts::Attempt;
pub(crate) use executors::Executors;
pub(crate) use holds::{Hold, HoldBook};
pub(crate) use jobs::{Job, PlanEntry};
pub(crate) use lists::Side;
pub(crate) use pattern::Foreseen;
pub use pattern::Transition;
pub(crate) use pools::{Pool, Pools};
pub(crate) use running::RunningTasks;
pub(crate) use sets::{Set, Wave};
pub(crate) use spreads::Spreads;
pub(crate) use workflow::{Gap, Peak, Workflow};
pub(crate) use workflows::Workflows;

use crate::api::error::EngineError;
use crate::api::ids::{AttemptId, JobId, ProfileId, Resources, SetId, Time};
use crate::tables::pages::{IdMap, Pages};
use crate::tables::spares::Spares;
use attempts::Booked;

/// Buffers of ended sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetSpares {
    pub tasks: Spares<Vec<tasks::Task>>,
    pub running: Spares<RunningTasks>,
    pub places: Spares<places::Places>,
}

/// All books. What changes a need notes it in `touched`; ids stay at the edge.
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
    pub touched: touched::Touched,
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
        self.touched.note(attempt.workflow);
        self.attempts.insert(id, Booked::new(attempt, demand));
    }

    /// Books an attempt out; returns it.
    pub fn remove_attempt(&mut self, id: AttemptId, now: Time) -> Option<Attempt> {
        let booked = self.attempts.remove(id)?;
        let attempt = booked.with(self.demand(booked.demand_key()));
        self.touched.note(attempt.workflow);
        let asked = (booked.demand_key(), attempt.demand);
        self.executors.leave(attempt.executor, attempt.workflow, asked);
        let w = &mut self.workflows.slab[attempt.workflow];
        w.charge(now);
        w.running -= 1;
        w.slots.using = w.slots.using.minus(attempt.demand);
        self.pools.add_owned(self.workflows.slab[attempt.workflow].pool, -1);
        Some(attempt)
    }

    /// Adds a job to those of its workflow.
    pub fn add_job(&mut self, job: Job) -> JobKey {
        let (id, workflow) = (job.id, job.workflow);
        let key = self.jobs.insert(job);
        self.job_ids.insert(id, key);
        let w = &mut self.workflows.slab[workflow];
        w.jobs.push(key);
        w.flags.awaited = false;
        self.touched.note(workflow);
        key
    }

    /// Takes a job out of all books.
    pub fn remove_job(&mut self, key: JobKey) -> Job {
        let job = self.jobs.remove(key);
        self.job_ids.remove(&job.id);
        self.workflows.slab[job.workflow].jobs.retain(|&other| other != key);
        self.touched.note(job.workflow);
        job
    }

    /// Adds a stage to the plan of a job, or changes it there.
    pub fn plan(&mut self, job: JobKey, entry: PlanEntry) {
        let job = &mut self.jobs[job];
        job.plan(entry);
        self.touched.note(job.workflow);
    }

    /// A workflow has been opened, or closed by its user.
    pub fn set_closed(&mut self, key: WorkflowKey, closed: bool) {
        let w = &mut self.workflows.slab[key];
        w.flags.closed = closed;
        w.flags.awaited = !closed && (w.flags.awaited || w.jobs.is_empty());
        self.touched.note(key);
    }

    /// A workflow waits for its next job.
    pub fn begin_gap(&mut self, key: WorkflowKey, gap: Gap) {
        let w = &mut self.workflows.slab[key];
        w.charge(gap.start);
        w.holding.gap = Some(gap);
        w.holding.episode = Some(gap.start);
        w.flags.exhausted = false;
        self.workflows.gaps.push(key);
        self.touched.note(key);
    }

    /// Adds `delta` to the pending tasks of a set, its workflow and in total.
    pub fn add_pending(&mut self, set: SetKey, delta: i32) {
        let s = &mut self.sets[set];
        self.touched.note(s.workflow);
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
        self.touched.note(s.workflow);
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

    /// A set that a host names.
    #[inline]
    pub fn known_set(&self, set: SetId) -> Result<(SetKey, &Set), EngineError> {
        let key = *self.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
        Ok((key, &self.sets[key]))
    }

    /// Slots of a profile over all usable executors.
    pub fn slots(&self, profile: ProfileId) -> u32 {
        self.executors.slots(profile)
    }
}
