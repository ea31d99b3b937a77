//! Slots: which run uses each, and which runs have released it at a barrier and may want it back.
//!
//! Spark knows no slots, only how many tasks fit on an executor. Here each executor has numbered ones, and a task takes
//! the first of: one that its own run has released at a barrier; one that no run wants back; one never used; the one
//! that the fewest want back. So a slot counts as lost to another run only where that could not be avoided.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::executor::{Doubtful, Executor, Slot};
use super::run::DISPATCH;
use crate::runs::RunId;
use crate::settings::Settings;
use crate::spark_event::{ExecutorAdded, Millis, Place, Resources, StageKey};

/// A slot of an executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlotId {
    executor: u32,
    slot: u32,
}

/// Slots of a resource profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// There are.
    pub all: u64,
    /// Tasks that run; for moments more than slots.
    pub busy: u64,
    /// Free, and not on an excluded executor.
    pub free: u64,
}

#[derive(Clone, Default)]
pub(super) struct Profile {
    pub(super) executor: Resources,
    task: Resources,
}

/// What a launch did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The slot.
    pub slot: SlotId,
    /// Whether the run got back a slot that it had released.
    pub own: bool,
    /// Runs that would have wanted it back.
    pub from: Vec<RunId>,
}

/// All slots of an application.
#[derive(Default)]
pub struct Slots {
    pub(super) executors: FxHashMap<u32, Executor>,
    pub(super) profiles: FxHashMap<u32, Profile>,
    pub(super) rooms: FxHashMap<u32, Room>,
    pub(super) excluded_hosts: FxHashSet<String>,
    /// Where stage attempts get no tasks.
    pub(super) barred: FxHashMap<StageKey, Vec<Place>>,
    /// Executors that were not announced, and whether their cores are known.
    pub(super) unannounced: FxHashMap<u32, bool>,
    /// The default profile, as the configuration has it.
    configured: Profile,
    /// Those of executors that the log does not tell.
    pub(super) unknown_profiles: FxHashSet<u32>,
    task_cpus: f64,
    /// Cores of an executor, if configuration says so, and those of one that was announced.
    pub(super) cores: Option<u32>,
    pub(super) like: Option<u32>,
    /// How long an executor may be idle before it is given back.
    idle_timeout: Option<Millis>,
    /// Executors that were idle, by since when.
    idle: VecDeque<(Millis, u32)>,
    now: Millis,
    /// Executors that have ever been.
    pub executors_added: u64,
    /// The most slots at once.
    pub most: u64,
}

impl Slots {
    /// CPUs of a task where its profile does not say, and when idle executors are given back.
    pub fn configure(&mut self, settings: &Settings) {
        self.task_cpus = settings.task_cpus;
        self.cores = settings.executor_cores;
        let (executor, task) = (Resources::new(), settings.task_resources.clone());
        self.configured = Profile { executor, task };
        self.idle_timeout = settings.idle_timeout;
    }

    /// Time passes.
    pub fn tick(&mut self, now: Millis) {
        self.now = now;
    }

    /// Returns the next executor that Spark gives back until `now`, and when: see [`Slots::give_back`].
    pub fn next_given_back(&mut self, now: Millis) -> Option<(Millis, u32)> {
        let timeout = self.idle_timeout?;
        while let Some(&(since, executor)) = self.idle.front() {
            let at = since.saturating_add(timeout);
            if at > now {
                break;
            }
            self.idle.pop_front();
            if self.executors.get(&executor).is_some_and(|e| e.idle_since == Some(since)) {
                return Some((at, executor));
            }
        }
        None
    }

    /// An executor gets no more tasks: it has been idle for too long. A task that it gets all the same says otherwise.
    pub fn give_back(&mut self, executor: u32) {
        self.change(executor, |e| e.leaving = true);
    }

    /// What executors have and tasks take.
    pub fn add_profile(&mut self, profile: u32, executor: Resources, task: Resources) {
        self.profiles.insert(profile, Profile { executor, task });
    }

    /// Room of a profile. A profile without executors of its own runs on those of the default one.
    pub fn room(&self, profile: u32) -> Room {
        self.rooms.get(&profile).or_else(|| self.rooms.get(&0)).copied().unwrap_or_default()
    }

    /// Room of all profiles.
    pub fn total(&self) -> Room {
        self.rooms.values().fold(Room::default(), |sum, room| Room {
            all: sum.all + room.all,
            busy: sum.busy + room.busy,
            free: sum.free + room.free,
        })
    }

    /// Returns how many tasks of its profile fit on an executor (Spark's `ResourceProfile.maxTasksPerExecutor`).
    pub(crate) fn capacity(&self, added: &ExecutorAdded) -> u32 {
        let profile = self.profiles.get(&added.profile).unwrap_or(&self.configured);
        let default_cpus = if self.task_cpus > 0.0 { self.task_cpus } else { 1.0 };
        let cpus = profile.task.get("cpus").copied().unwrap_or(default_cpus);
        let mut fit = fits(f64::from(added.cores), cpus);
        for (name, &amount) in profile.task.iter().filter(|(name, _)| *name != "cpus") {
            let has = match added.resources.get(name) {
                Some(&addresses) => Some(f64::from(addresses)),
                None => profile.executor.get(name).copied(),
            };
            fit = fit.min(has.map_or(u32::MAX, |has| fits(has, amount)));
        }
        fit
    }

    /// An executor registers.
    /// One of the same name must have been removed.
    pub fn add(&mut self, added: &ExecutorAdded) {
        let capacity = self.capacity(added);
        self.unannounced.remove(&added.executor);
        if added.profile != 0 && !self.profiles.contains_key(&added.profile) {
            self.unknown_profiles.insert(added.profile);
        }
        self.like = Some(added.cores);
        self.insert(added.executor, &added.host, capacity, added.profile, true);
    }

    fn insert(&mut self, executor: u32, host: &str, capacity: u32, profile: u32, announced: bool) {
        self.executors_added += 1;
        let new = Executor {
            capacity,
            profile,
            announced,
            excluded: false,
            host: host.into(),
            host_excluded: self.excluded_hosts.contains(host),
            idle_since: Some(self.now),
            leaving: false,
            taken: 0,
            slots: Vec::new(),
            early: VecDeque::new(),
            doubtful: VecDeque::new(),
        };
        self.idle.push_back((self.now, executor));
        let free = new.free();
        self.executors.insert(executor, new);
        let room = self.rooms.entry(profile).or_default();
        room.all += u64::from(capacity);
        room.free += free;
        self.most = self.most.max(self.total().all);
    }

    /// Removes an executor; returns the claims on its slots, and whether each was in use.
    pub fn remove(&mut self, executor: u32) -> Vec<(RunId, SlotId, bool)> {
        let Some(gone) = self.executors.remove(&executor) else { return Vec::new() };
        if let Some(room) = self.rooms.get_mut(&gone.profile) {
            room.all -= u64::from(gone.capacity);
            room.busy -= gone.busy();
            room.free -= gone.free();
        }
        let mut claims = Vec::new();
        for (number, slot) in (0u32..).zip(&gone.slots) {
            let id = SlotId { executor, slot: number };
            claims.extend(slot.claims.iter().map(|&run| (run, id, slot.busy)));
        }
        claims
    }

    /// Changes an executor and keeps the sums.
    pub(super) fn change<T>(
        &mut self,
        executor: u32,
        change: impl FnOnce(&mut Executor) -> T,
    ) -> Option<T> {
        let executor = self.executors.get_mut(&executor)?;
        let (free, busy, all) = (executor.free(), executor.busy(), executor.capacity);
        let result = change(executor);
        let room = self.rooms.entry(executor.profile).or_default();
        room.free = room.free - free + executor.free();
        room.busy = room.busy - busy + executor.busy();
        room.all = room.all - u64::from(all) + u64::from(executor.capacity);
        Some(result)
    }

    /// Launches a task of `run`; returns its slot, if there is one for it already. Spark gives a slot to the next
    /// task before it notes that the last one has ended: until then the next one waits here for its slot, see
    /// [`Slots::next`]. An executor that the log has not announced is as large as what it runs.
    pub fn take(&mut self, executor: u32, run: Option<RunId>, task: u64) -> Option<Taken> {
        if !self.executors.contains_key(&executor) {
            let usual = self.usual_capacity();
            self.unannounced.insert(executor, usual.is_some());
            self.insert(executor, "", usual.unwrap_or(0), 0, false);
        }
        let room = self.change(executor, |e| {
            e.leaving = false;
            e.idle_since = None;
            if e.taken == e.capacity && e.announced {
                e.early.push_back(task);
                return false;
            }
            e.capacity = e.capacity.max(e.taken + 1);
            true
        })?;
        self.most = self.most.max(self.total().all);
        room.then(|| self.place(executor, run))
    }

    /// Returns a task that was launched too early for its slot, if there is one for it now: [`Slots::place`] it.
    pub fn next(&mut self, executor: u32) -> Option<u64> {
        let next = |e: &mut Executor| {
            if e.taken < e.capacity { e.early.pop_front() } else { None }
        };
        self.change(executor, next).flatten()
    }

    /// Gives a task of `run` a slot of an executor that has one.
    pub fn place(&mut self, executor: u32, run: Option<RunId>) -> Taken {
        let taken = self.change(executor, |e| {
            let slot = e.choose(run);
            e.taken += 1;
            let chosen = &mut e.slots[slot];
            chosen.busy = true;
            chosen.user = run;
            let before = chosen.claims.len();
            chosen.claims.retain(|claim| Some(*claim) != run);
            (slot, before > chosen.claims.len(), chosen.claims.clone())
        });
        let (slot, own, from) = taken.unwrap_or_default();
        let slot = u32::try_from(slot).unwrap_or(u32::MAX);
        Taken { slot: SlotId { executor, slot }, own, from }
    }

    /// A task has been given a slot that others want back. Spark launches a task when another one's end is reported,
    /// and notes that end some milliseconds later: if one ends on this executor soon, that was the slot
    /// ([`Slots::instead`]).
    pub fn doubt(&mut self, id: SlotId, task: u64) {
        let since = self.now;
        if let Some(executor) = self.executors.get_mut(&id.executor) {
            executor.doubtful.push_back(Doubtful { task, slot: id.slot, since });
        }
    }

    /// Takes a slot that has come free and that no run wants back; returns the task that was lately given another one of the executor
    /// that is wanted back, its slot, and the run that wants it back. It has the new one now.
    pub fn instead(&mut self, id: SlotId) -> Option<(u64, SlotId, Vec<RunId>)> {
        let now = self.now;
        let executor = self.executors.get_mut(&id.executor)?;
        while executor.doubtful.front().is_some_and(|d| now > d.since.saturating_add(DISPATCH)) {
            executor.doubtful.pop_front();
        }
        if !executor.slots.get(id.slot as usize)?.claims.is_empty() {
            return None;
        }
        let doubtful = executor.doubtful.pop_front()?;
        let wanted = executor.slots.get_mut(doubtful.slot as usize)?;
        let user = wanted.user.take();
        wanted.busy = false;
        let claims = wanted.claims.clone();
        let free = executor.slots.get_mut(id.slot as usize)?;
        free.busy = true;
        free.user = user;
        Some((doubtful.task, SlotId { executor: id.executor, slot: doubtful.slot }, claims))
    }

    /// A task has ended that had no slot yet.
    pub fn leave_early(&mut self, executor: u32, task: u64) {
        self.change(executor, |e| e.early.retain(|early| *early != task));
    }

    /// Takes a task off its slot; returns the runs that have a claim on it. None if its executor is gone.
    pub fn leave(&mut self, id: SlotId) -> Option<Vec<RunId>> {
        let now = self.now;
        let (claims, idle) = self
            .change(id.executor, |e| {
                e.doubtful.retain(|doubtful| doubtful.slot != id.slot);
                let slot = e.slots.get_mut(id.slot as usize).filter(|slot| slot.busy)?;
                slot.busy = false;
                slot.user = None;
                e.taken -= 1;
                let claims = slot.claims.clone();
                if e.busy() == 0 {
                    e.idle_since = Some(now);
                }
                Some((claims, e.busy() == 0))
            })
            .flatten()?;
        if idle && self.idle_timeout.is_some() {
            self.idle.push_back((now, id.executor));
        }
        Some(claims)
    }

    /// `run` has released the slot at a barrier; whether that is new.
    pub fn claim(&mut self, id: SlotId, run: RunId) -> bool {
        let slot = self.slot_mut(id);
        let new = slot.as_ref().is_some_and(|slot| !slot.claims.contains(&run));
        if let Some(slot) = slot.filter(|_| new) {
            slot.claims.push(run);
        }
        new
    }

    /// `run` does not want the slot back any more.
    pub fn unclaim(&mut self, id: SlotId, run: RunId) {
        if let Some(slot) = self.slot_mut(id) {
            slot.claims.retain(|claim| *claim != run);
        }
    }

    /// Returns the run that uses a slot; none if it is free.
    pub fn user(&self, id: SlotId) -> Option<Option<RunId>> {
        let slot = self.executors.get(&id.executor)?.slots.get(id.slot as usize)?;
        slot.busy.then_some(slot.user)
    }

    fn slot_mut(&mut self, id: SlotId) -> Option<&mut Slot> {
        self.executors.get_mut(&id.executor)?.slots.get_mut(id.slot as usize)
    }
}

/// Returns how many tasks that take `amount` fit where there is `has`. A task may take a fraction of a resource.
pub(super) fn fits(has: f64, amount: f64) -> u32 {
    if !(amount.is_finite() && amount > 0.0) {
        return u32::MAX;
    }
    // A third of a GPU is written 0.333: three fit.
    let fit = if amount <= 0.5 { has * (1.0 / amount).floor() } else { (has / amount).floor() };
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let fit = fit.clamp(0.0, f64::from(u32::MAX)) as u32;
    fit
}

#[cfg(test)]
mod tests;
