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
    /// Returns whether it is to be launched.
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

/// How many tasks of a set wait, run and are done.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Tasks that are to be launched.
    pub waiting: u32,
    /// Attempts that occupy a slot.
    pub running: u32,
    /// Attempts that have not been settled.
    pub unsettled: u32,
    /// Tasks that are done.
    pub done: u32,
}

/// Where a set queues between rounds.
#[derive(Clone, Copy, Debug)]
pub struct Queued {
    /// Its place among those of its lane.
    pub key: u128,
    /// Of its entries at executors and hosts: those that say another number are void.
    pub stamp: u64,
    /// Whether it could use an offer.
    pub class: Class,
    /// Something has changed since an offer was looked at to the end.
    pub fresh: bool,
    /// An executor that has room, and where its tasks would like to run, may not have been offered to it: it is to see
    /// the next round of all. Others see an executor when that gets room.
    pub owed: bool,
    /// It is in `Queues::owed`.
    pub listed: bool,
    /// Every executor and host where a task of it would like to run has an entry.
    pub registered: bool,
    /// The end of its wait for locality is planned.
    pub wait_planned: bool,
    /// It sat out a round that did not admit it.
    pub skipped: bool,
    /// The same, for rounds as Spark makes them: it has not heard of executors since.
    pub sat_out: bool,
}

impl Queued {
    /// Returns where a set queues that has just come.
    #[must_use]
    pub fn new() -> Self {
        Self {
            key: 0,
            stamp: 0,
            class: Class::Out,
            fresh: true,
            owed: true,
            listed: false,
            registered: false,
            wait_planned: false,
            skipped: false,
            sat_out: false,
        }
    }
}

/// What of a set is over.
#[derive(Clone, Copy, Debug, Default)]
pub struct Life {
    /// It launches nothing any more.
    pub zombie: bool,
    /// It has left the scheduler.
    pub finished: bool,
    /// The engine has been told that it, or its job, is over.
    pub over: bool,
}

/// What kind of tasks a set has.
#[derive(Clone, Copy, Debug)]
pub struct SetKind {
    /// What each task asks for.
    pub demand: Resources,
    /// The same, in the world's profiles.
    pub profile: u32,
    /// The engine answers all sets alike that share asks and have the same profile (`AskClass::shared`).
    pub shared: bool,
    /// It is refused only where something is held, until a hold ends there or more is free (`AskClass::by_holds`).
    pub by_holds: bool,
    /// Its workflow's time is of interest.
    pub foreground: bool,
    /// All its tasks start together or none does: a barrier stage's.
    pub together: bool,
    /// It writes shuffle output.
    pub shuffle: bool,
}

/// What a set has heard of before it was last looked at.
#[derive(Clone, Copy, Debug)]
pub struct Heard {
    /// Rounds in which sets like it were left out, when it last saw all offers.
    pub missed: u64,
    /// Executors that had joined when its levels were last computed.
    pub seen: u32,
}

/// Where a set comes from, and what its attempts are drawn from.
#[derive(Debug)]
pub struct Source {
    /// What its attempts' durations are drawn from.
    pub draw: Draw,
    /// Its job, in the table of jobs.
    pub job: u32,
    /// Spark's number of the stage.
    pub stage_id: u32,
    /// Which attempt of the stage it is.
    pub stage_attempt: u32,
    /// Partitions of its tasks, if it has not all of them.
    pub parts: Option<Box<[u32]>>,
    /// How long its attempts run; if they are recorded, the world says it.
    pub durations: Option<Durations>,
    /// Its tasks have sizes.
    pub sized: bool,
    /// What the engine was told of them; empty: nothing.
    pub units: Vec<u32>,
}

/// A task set. What most offers and ends touch comes first, in a few cache lines.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct TaskSet {
    /// Its tasks.
    pub tasks: Vec<Task>,
    /// How many of them wait, run and are done.
    pub count: Counts,
    /// The engine's name for it.
    pub id: SetId,
    /// Its workflow, as the engine knows them.
    pub owner: u32,
    /// Its stage, in the table of stages.
    pub stage: u32,
    /// Its lane in the order.
    pub lane: u32,

    /// Where it queues.
    pub queued: Queued,
    /// Delay scheduling.
    pub delay: Delay,
    /// What of it is over.
    pub life: Life,

    /// What kind of tasks it has.
    pub kind: SetKind,
    /// Speculation, where that is on.
    pub speculated: Option<Box<Speculated>>,
    /// What it has heard of.
    pub heard: Heard,
    /// Where it comes from.
    pub source: Source,
    /// Pending tasks.
    pub pending: Pending,
    /// Attempts that have ended; kept where executors may be lost.
    pub ended: Vec<Ended>,
}

const _: () = assert!(std::mem::offset_of!(TaskSet, queued) == 64);
const _: () = assert!(std::mem::offset_of!(TaskSet, kind) <= 128);

impl TaskSet {
    /// Returns the partition of a task.
    #[must_use]
    pub fn partition(&self, task: u32) -> u32 {
        self.source.parts.as_ref().map_or(task, |parts| parts[task as usize])
    }

    /// Returns whether Spark would ask it in a round (`isSchedulable`): something is in its lists.
    #[must_use]
    pub fn is_schedulable(&self) -> bool {
        !self.life.zombie
            && (!self.pending.is_empty() || self.speculated.as_ref().is_some_and(|s| !s.is_empty()))
    }

    /// Returns the level that is allowed now.
    pub fn allowed(&mut self, now: Time) -> Level {
        let Self { tasks, pending, delay, .. } = self;
        delay.allowed(now, pending, |task| tasks[task as usize].waits())
    }

    /// Returns whether something waits at the level that is allowed. Changes nothing that Spark would see.
    pub fn has_more(&mut self) -> bool {
        let Self { tasks, pending, delay, .. } = self;
        pending.has_more(delay.current(), |task| tasks[task as usize].waits())
    }

    /// Takes a task for an executor.
    pub fn take(&mut self, site: Site, most: Level) -> Option<(u32, Level)> {
        let Self { tasks, pending, .. } = self;
        pending.take(site, most, |task| tasks[task as usize].waits())
    }

    /// Takes a task for an executor by its size, of the nearest list that has any: the smallest, or the largest of at
    /// most `most` units, the smallest if all are larger. It stays in the lists, as whatever was launched from another.
    pub fn take_sized(
        &mut self,
        site: Site,
        furthest: Level,
        (largest, most): (bool, u32),
    ) -> Option<(u32, Level)> {
        let units = |task: u32| self.source.units.get(task as usize).copied().unwrap_or(1);
        let order = |task: u32| match units(task) {
            units if largest && units <= most => (0, u32::MAX - units, task),
            units => (1, units, task),
        };
        let waiting = (0..).zip(&self.tasks).filter(|(_, t)| t.waits()).map(|(task, _)| task);
        let found = waiting.map(|task| (self.pending.place(task).level(site), order(task)));
        let (level, (.., task)) = found.min().filter(|&(level, _)| level <= furthest)?;
        // Spark calls those without a preference the nearest there is.
        Some((task, if level == Level::NoPreference { Level::Process } else { level }))
    }

    /// Returns whether a task that waits would like to run on this executor.
    pub fn prefers_executor(&mut self, executor: u32) -> bool {
        let Self { tasks, pending, .. } = self;
        pending.executors.has(executor, |task| tasks[task as usize].waits())
    }

    /// Returns whether a task that waits would like to run on this host.
    pub fn prefers_host(&mut self, host: u32) -> bool {
        let Self { tasks, pending, .. } = self;
        pending.hosts.has(host, |task| tasks[task as usize].waits())
    }

    /// Returns whether a task that waits would like to run on the executor, or host, at that place of the lists.
    pub fn waits_for(&mut self, place: u32, host: bool) -> bool {
        let Self { tasks, pending, .. } = self;
        let lists = if host { &mut pending.hosts } else { &mut pending.executors };
        lists.has_at(place as usize, |task| tasks[task as usize].waits())
    }

    /// Returns something of the task that is listed next at that place of the executors.
    pub fn peek(&self, place: u32) -> u64 {
        let task = self.pending.executors.peek(place as usize);
        task.map_or(0, |task| self.tasks[task as usize].copies.into())
    }

    /// Returns whether any executor may get a task of it, when `level` is allowed.
    #[must_use]
    pub fn goes_anywhere(&self, level: Level) -> bool {
        let copies = self.speculated.as_ref().is_some_and(|s| s.may_give());
        copies
            || (level == Level::Any && self.count.waiting > 0)
            || (level >= Level::NoPreference && !self.pending.none_anywhere())
    }

    /// Marks a task as done, which may have waited or run. Returns whether it was not done before.
    pub fn mark_done(&mut self, task: u32) -> bool {
        let t = &mut self.tasks[task as usize];
        if t.successful {
            return false;
        }
        self.count.waiting -= u32::from(t.waits());
        t.successful = true;
        self.count.done += 1;
        true
    }

    /// Returns whether all tasks are done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.count.done as usize == self.tasks.len()
    }

    /// Puts a task back that has to be launched (again).
    pub fn put_back(&mut self, task: u32) {
        if !self.life.zombie {
            self.pending.put_back(task);
            self.queued.fresh = true;
            self.queued.owed = true;
            self.queued.registered = false;
        }
    }

    /// Returns the levels that matter; `executor` and `host` say which are there (`computeValidLocalityLevels`).
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

    /// Returns what it is now.
    #[must_use]
    pub fn class_now(&self) -> Class {
        if !self.is_schedulable() {
            return Class::Out;
        }
        let levels = self.delay.levels();
        let anywhere = levels.has(Level::NoPreference) && !self.pending.none_anywhere();
        let copies = self.speculated.as_ref().is_some_and(|s| s.may_give());
        if self.queued.fresh || copies || anywhere || self.delay.is_last() {
            Class::Open
        } else {
            Class::Local
        }
    }
}
