//! Pending tasks of a set by where they would like to run (`PendingTasksByLocality` of Spark 4.1).
//!
//! Spark's lists are stacks that are cleaned lazily: a task stays in the other lists when it is launched from one. The
//! same here, since what is left in them decides whether a set takes part in a round.

use crate::cluster::level::Level;
use crate::cluster::place::{Place, Site};
use crate::driver::tasks::preferred::{Lists, take_back};

/// Of all tasks in order, the first ones taken; and those that were put back, on top.
#[derive(Debug, Default)]
struct Stack {
    next: u32,
    end: u32,
    back: Vec<u32>,
}

impl Stack {
    fn is_empty(&self) -> bool {
        self.next == self.end && self.back.is_empty()
    }

    fn pop(&mut self) -> Option<u32> {
        self.back.pop().or_else(|| {
            let task = self.next;
            self.next += u32::from(task < self.end);
            (task < self.end).then_some(task)
        })
    }

    fn take(&mut self, waits: impl Fn(u32) -> bool) -> Option<u32> {
        loop {
            let task = self.pop()?;
            if waits(task) {
                return Some(task);
            }
        }
    }
}

/// The pending tasks of a set.
#[derive(Debug)]
#[repr(C)]
pub struct Pending {
    all: Stack,
    anywhere: Stack,
    /// Where each task would like to run; empty: nowhere in particular.
    places: Vec<Place>,
    /// By the executor that they prefer.
    pub executors: Lists,
    /// By the host.
    pub hosts: Lists,
}

impl Pending {
    /// Lists tasks 0 to `tasks - 1`; `places` is empty or has one for each.
    #[must_use]
    pub fn new(tasks: u32, places: Vec<Place>) -> Self {
        let all = Stack { next: 0, end: tasks, back: Vec::new() };
        if places.iter().all(|place| *place == Place::Anywhere) {
            let anywhere = Stack { next: 0, end: tasks, back: Vec::new() };
            let (executors, hosts) = (Lists::default(), Lists::default());
            return Self { executors, hosts, anywhere, all, places: Vec::new() };
        }
        let most = places.len();
        let (mut executors, mut hosts) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut anywhere = Vec::new();
        for (task, place) in (0..tasks).zip(&places) {
            match *place {
                Place::Anywhere => anywhere.push(task),
                Place::Host(host) => hosts.push((host, task)),
                Place::Executor(executor, host) => {
                    executors.push((executor, task));
                    hosts.push((host, task));
                }
            }
        }
        anywhere.reverse();
        let anywhere = Stack { next: 0, end: 0, back: anywhere };
        Self { executors: Lists::new(executors), hosts: Lists::new(hosts), anywhere, all, places }
    }

    /// Returns where a task would like to run.
    #[must_use]
    pub fn place(&self, task: u32) -> Place {
        self.places.get(task as usize).copied().unwrap_or(Place::Anywhere)
    }

    /// Returns whether all tasks that would like to run on the host at that place of the lists would like this executor
    /// of it.
    #[must_use]
    pub fn all_prefer(&self, executor: u32, place: u32) -> bool {
        let there = self.hosts.listed(place as usize);
        self.executors.place(executor).is_some_and(|place| self.executors.listed(place) == there)
    }

    /// Lists a task that waits again.
    pub fn put_back(&mut self, task: u32) {
        match self.place(task) {
            Place::Anywhere => self.anywhere.back.push(task),
            Place::Host(host) => self.hosts.put_back(host, task),
            Place::Executor(executor, host) => {
                self.executors.put_back(executor, task);
                self.hosts.put_back(host, task);
            }
        }
        self.all.back.push(task);
    }

    /// Returns whether nothing is in the lists, launched tasks included (`pendingTasks.all.isEmpty`).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns whether the list of tasks without a preference is empty, launched ones included.
    #[must_use]
    pub fn none_anywhere(&self) -> bool {
        self.anywhere.is_empty()
    }

    /// Takes the next task for an executor, no further away than `most` (`dequeueTaskHelper`).
    pub fn take(
        &mut self,
        site: Site,
        most: Level,
        waits: impl Fn(u32) -> bool + Copy,
    ) -> Option<(u32, Level)> {
        if let Some(task) = self.executors.take(site.executor, waits) {
            return Some((task, Level::Process));
        }
        if most >= Level::Node
            && let Some(task) = self.hosts.take(site.host, waits)
        {
            return Some((task, Level::Node));
        }
        if most >= Level::NoPreference
            && let Some(task) = self.anywhere.take(waits)
        {
            // Spark calls these the nearest there is.
            return Some((task, Level::Process));
        }
        if most >= Level::Any
            && let Some(task) = self.all.take(waits)
        {
            return Some((task, Level::Any));
        }
        None
    }

    /// Returns whether some list has a task that was put back, whether it waits or not.
    #[must_use]
    pub fn has_returned(&self) -> bool {
        let stacks = [&self.all.back, &self.anywhere.back];
        stacks.iter().any(|back| !back.is_empty())
            || [&self.executors, &self.hosts].iter().any(|lists| !lists.back.is_empty())
    }

    /// Drops what is left of tasks that do not wait any more, when none does.
    pub fn clear(&mut self) {
        self.anywhere = Stack::default();
        self.all = Stack::default();
    }

    /// Drops everything.
    pub fn empty(&mut self) {
        for lists in [&mut self.executors, &mut self.hosts] {
            lists.empty();
        }
        self.anywhere = Stack::default();
        self.all = Stack::default();
    }

    /// Takes as [`Pending::take`] does, of those that were put back; tasks that stay are passed over and kept.
    pub fn take_unless(
        &mut self,
        site: Site,
        most: Level,
        waits: impl Fn(u32) -> bool + Copy,
        stays: impl Fn(u32) -> bool + Copy,
    ) -> Option<(u32, Level)> {
        let near = [(Level::Process, site.executor), (Level::Node, site.host)];
        for ((level, key), lists) in near.into_iter().zip([&mut self.executors, &mut self.hosts]) {
            let Some(place) = lists.place(key).filter(|_| level <= most) else { continue };
            let here = |(of, task): (u32, u32)| (of as usize == place).then_some(task);
            if let Some(task) = take_back(&mut lists.back, here, waits, stays) {
                return Some((task, level));
            }
        }
        let far = [(Level::NoPreference, Level::Process), (Level::Any, Level::Any)];
        for ((least, level), stack) in far.into_iter().zip([&mut self.anywhere, &mut self.all]) {
            if least <= most
                && let Some(task) = take_back(&mut stack.back, Some, waits, stays)
            {
                return Some((task, level));
            }
        }
        None
    }

    /// Answers as [`Pending::more`] does, where Spark does not ask.
    pub fn has_more(&mut self, level: Level, waits: impl Fn(u32) -> bool + Copy) -> bool {
        match level {
            Level::Process => self.executors.find(waits),
            Level::Node => self.hosts.find(waits),
            Level::NoPreference | Level::Any => self.more(level, waits),
        }
    }

    /// Returns whether tasks still wait at a level, as delay scheduling sees it.
    pub fn more(&mut self, level: Level, waits: impl Fn(u32) -> bool + Copy) -> bool {
        match level {
            Level::Process => self.executors.any(waits),
            Level::Node => self.hosts.any(waits),
            Level::NoPreference => !self.anywhere.is_empty(),
            Level::Any => true,
        }
    }
}
