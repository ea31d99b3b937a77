//! A task set: what of it waits, runs and is done (`TaskSetManager` of Spark 4.1).

use holdfast_engine::{Resources, SetId, Time};

use crate::cluster::level::{Level, Levels};
use crate::cluster::place::Site;
use crate::driver::tasks::delay::Delay;
use crate::driver::tasks::pending::Pending;
use crate::driver::tasks::speculation::Speculated;
use crate::world::Durations;
use crate::world::draw::Draw;

/// One task of a set.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Spark's count: an attempt that ended well still counts.
    pub copies: u16,
    /// Attempts so far.
    pub attempts: u16,
    /// Whether it is done, or Spark takes it for that.
    pub successful: bool,
    /// The latest attempt that Spark has not settled; others follow it.
    pub latest: u32,
    /// Where the first of those attempts runs: most tasks have no other.
    pub executor: u32,
}

impl Task {
    /// Whether it is to be launched.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.copies == 0 && !self.successful
    }
}

/// An attempt that has ended, for the loss of its executor.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// The number of the attempt.
    pub number: u32,
    /// Its task.
    pub task: u32,
    /// Where it ran.
    pub executor: u32,
    /// Whether it was killed because another one was first.
    pub superseded: bool,
}

/// Whether a set could use an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Spark leaves it out: nothing is in its lists, or it launches nothing any more.
    Out,
    /// Any executor's offer may change something.
    Open,
    /// Only offers of executors where its tasks would like to run do, until its locality wait is over.
    Local,
}

/// A task set. What most offers and ends touch comes first, in a few cache lines.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct TaskSet {
    /// Its tasks.
    pub tasks: Vec<Task>,
    /// Number of those that are to be launched.
    pub waiting: u32,
    /// Attempts that occupy a slot.
    pub running: u32,
    /// Attempts that have not been settled.
    pub unsettled: u32,
    /// Number of tasks that are done.
    pub done: u32,
    /// Its workflow, as the engine knows them.
    pub flow: u32,
    /// Its lane in the order.
    pub lane: u32,
    /// What each task asks for, in the world's profiles.
    pub profile: u32,
    /// Its stage, in the table of stages.
    pub stage: u32,
    /// Spark's number of the stage.
    pub stage_id: u32,
    /// The engine's name for it.
    pub id: SetId,

    /// Its place among those of its lane.
    pub key: u128,
    /// Delay scheduling.
    pub delay: Delay,
    /// Of its entries at executors and hosts: those that say another number are void.
    pub stamp: u64,
    /// Launches nothing any more.
    pub zombie: bool,
    /// It has left the scheduler.
    pub finished: bool,
    /// The engine has been told that it, or its job, is over.
    pub over: bool,
    /// Whether its workflow's time is of interest.
    pub foreground: bool,
    /// Whether all its tasks start together or none does: a barrier stage's.
    pub together: bool,
    /// Whether it writes shuffle output.
    pub shuffle: bool,
    /// No offer has been rejected since the last reset of its locality wait.
    pub no_rejects: bool,
    /// Whether it could use an offer.
    pub class: Class,
    /// Something has changed since an offer was looked at to the end.
    pub fresh: bool,
    /// An executor that has room, and where its tasks would like to run, may not have been offered to it: it is to see
    /// the next round of all. Others see an executor when that gets room.
    pub owed: bool,
    /// It is in the list of those.
    pub listed: bool,
    /// Every executor and host where a task of it would like to run has an entry.
    pub registered: bool,
    /// The end of its wait for locality is planned.
    pub wait_planned: bool,
    /// It sat out a round that did not admit it.
    pub skipped: bool,
    /// The same, for rounds as Spark makes them: it has not heard of executors since.
    pub sat_out: bool,

    /// What each task asks for.
    pub demand: Resources,
    /// What its attempts' durations are drawn from.
    pub draw: Draw,
    /// Speculation, where that is on.
    pub speculated: Option<Box<Speculated>>,
    /// Rounds in which sets like it were left out, when it last saw all offers.
    pub missed: u64,
    /// Partitions of its tasks, if it has not all of them.
    pub parts: Option<Box<[u32]>>,
    /// Its job, in the table of jobs.
    pub job: u32,
    /// Executors that had joined when its levels were last computed.
    pub seen: u32,

    /// Pending tasks.
    pub pending: Pending,
    /// How long its attempts run; if they are recorded, the world says it.
    pub durations: Option<Durations>,
    /// Which attempt of the stage it is.
    pub stage_attempt: u32,
    /// Attempts that have ended; kept where executors may be lost.
    pub ended: Vec<Ended>,
}

impl TaskSet {
    /// The partition of a task.
    #[must_use]
    pub fn partition(&self, task: u32) -> u32 {
        self.parts.as_ref().map_or(task, |parts| parts[task as usize])
    }

    /// Whether Spark would ask it in a round (`isSchedulable`): something is in its lists.
    #[must_use]
    pub fn is_schedulable(&self) -> bool {
        !self.zombie
            && (!self.pending.is_empty() || self.speculated.as_ref().is_some_and(|s| !s.is_empty()))
    }

    /// The level that is allowed now.
    pub fn allowed(&mut self, now: Time) -> Level {
        let Self { tasks, pending, delay, .. } = self;
        delay.allowed(now, pending, |task| tasks[task as usize].waits())
    }

    /// Whether something waits at the level that is allowed. Changes nothing that Spark would see.
    pub fn has_more(&mut self) -> bool {
        let Self { tasks, pending, delay, .. } = self;
        pending.has_more(delay.current(), |task| tasks[task as usize].waits())
    }

    /// Takes a task for an executor.
    pub fn take(&mut self, site: Site, most: Level) -> Option<(u32, Level)> {
        let Self { tasks, pending, .. } = self;
        pending.take(site, most, |task| tasks[task as usize].waits())
    }

    /// Whether a task that waits would like to run on this executor.
    pub fn prefers_executor(&mut self, executor: u32) -> bool {
        let Self { tasks, pending, .. } = self;
        pending.executors.has(executor, |task| tasks[task as usize].waits())
    }

    /// Whether a task that waits would like to run on this host.
    pub fn prefers_host(&mut self, host: u32) -> bool {
        let Self { tasks, pending, .. } = self;
        pending.hosts.has(host, |task| tasks[task as usize].waits())
    }

    /// Whether a task that waits would like to run on the executor, or host, at that place of the lists.
    pub fn waits_for(&mut self, place: u32, host: bool) -> bool {
        let Self { tasks, pending, .. } = self;
        let lists = if host { &mut pending.hosts } else { &mut pending.executors };
        lists.has_at(place as usize, |task| tasks[task as usize].waits())
    }

    /// Something of the task that is listed next at that place of the executors.
    pub fn peek(&self, place: u32) -> u64 {
        let task = self.pending.executors.peek(place as usize);
        task.map_or(0, |task| self.tasks[task as usize].copies.into())
    }

    /// Whether any executor may get a task of it, when `level` is allowed.
    #[must_use]
    pub fn goes_anywhere(&self, level: Level) -> bool {
        let copies = self.speculated.as_ref().is_some_and(|s| s.may_give());
        copies
            || (level == Level::Any && self.waiting > 0)
            || (level >= Level::NoPreference && !self.pending.none_anywhere())
    }

    /// A task has to be launched (again).
    pub fn put_back(&mut self, task: u32) {
        if !self.zombie {
            self.pending.put_back(task);
            self.fresh = true;
            self.owed = true;
            self.registered = false;
        }
    }

    /// The levels that matter, when `executor` and `host` say who is there (`computeValidLocalityLevels`).
    #[must_use]
    pub fn levels(
        pending: &Pending,
        executor: impl Fn(u32) -> bool,
        host: impl Fn(u32) -> bool,
    ) -> Levels {
        Levels::new(
            pending.executors.keys().any(&executor),
            pending.hosts.keys().any(&host),
            !pending.none_anywhere(),
        )
    }

    /// What it is now.
    #[must_use]
    pub fn class_now(&self) -> Class {
        if !self.is_schedulable() {
            return Class::Out;
        }
        let levels = self.delay.levels();
        let anywhere = levels.has(Level::NoPreference) && !self.pending.none_anywhere();
        let copies = self.speculated.as_ref().is_some_and(|s| s.may_give());
        if self.fresh || copies || anywhere || self.delay.is_last() {
            Class::Open
        } else {
            Class::Local
        }
    }
}
