//! The tasks of a set as rules for stragglers see them: pending ones by size, running ones with their estimates.

use std::borrow::Cow;

use crate::api::ids::Time;
use crate::ledger::Set;
use crate::ledger::keys::ExecutorKey;
use crate::policies::grass::estimates::{NEVER, Pace};
use crate::tables::ranks::Ranks;

/// What bounds a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Nothing: all tasks, in the host's order.
    None,
    /// As many tasks as possible by then.
    Deadline(Time),
    /// So many tasks.
    Enough(u32),
}

/// GS or RAS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Gs,
    Ras,
}

/// A task that runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub task: u32,
    pub units: u32,
    pub executor: ExecutorKey,
    pub since: Time,
    /// When its first attempt ends, and the one beside it, as they have reported.
    pub ends: [Time; 2],
    /// It runs once, and has neither failed nor been copied before.
    pub once: bool,
}

impl Run {
    /// Returns how long its first attempt takes, by its reports.
    pub fn whole(&self) -> Option<u64> {
        (self.ends[0] != NEVER).then(|| self.ends[0].since(self.since))
    }
}

/// What is known of one task.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    units: u32,
    /// Place in the order of sizes.
    place: u32,
    done: bool,
}

/// The tasks of one set.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    entries: Vec<Entry>,
    /// Sizes and tasks, the smallest first; of equal ones the first.
    by_size: Vec<(u32, u32)>,
    /// Places of those that have no attempt and are not done.
    pending: Ranks,
    pub running: Vec<Run>,
    pub done: u32,
    pub pace: Pace,
    pub limit: Limit,
    pub mode: Mode,
    /// Whether a second run is safe.
    pub may_copy: bool,
    /// Sizes have come since it was sorted.
    unsorted: bool,
}

impl Race {
    pub fn new(tasks: u32, may_copy: bool, pace: Pace) -> Self {
        let entry = |task| Entry { units: 1, place: task, done: false };
        let mut pending = Ranks::default();
        pending.fill(tasks);
        Self {
            entries: (0..tasks).map(entry).collect(),
            by_size: (0..tasks).map(|task| (1, task)).collect(),
            pending,
            running: Vec::new(),
            done: 0,
            pace,
            limit: Limit::None,
            mode: Mode::Ras,
            may_copy,
            unsorted: false,
        }
    }

    pub fn tasks(&self) -> u32 {
        crate::api::ids::short(self.entries.len())
    }

    pub fn unfinished(&self) -> u32 {
        self.tasks() - self.done
    }

    /// How many tasks are still wanted.
    pub fn needed(&self) -> u32 {
        match self.limit {
            Limit::Enough(tasks) => tasks.saturating_sub(self.done),
            Limit::None | Limit::Deadline(_) => self.unfinished(),
        }
    }

    /// How many of the unfinished tasks may get a copy, those first that are done first: the share that the bound asks
    /// for.
    pub fn kept(&self) -> u32 {
        let Limit::Enough(tasks) = self.limit else { return self.unfinished() };
        let kept = u64::from(self.unfinished()) * u64::from(tasks.min(self.tasks()));
        u32::try_from(kept.div_ceil(u64::from(self.tasks().max(1)))).unwrap_or(u32::MAX)
    }

    /// What a task of median size takes; none while no task has finished.
    pub fn usual(&self) -> Option<u64> {
        self.pace.new_attempt(self.median_units())
    }

    pub fn set_units(&mut self, task: u32, units: u32) {
        self.entries[task as usize].units = units.max(1);
        self.unsorted = true;
    }

    /// A task that runs would take as much if it began anew; returns whether it runs. Another one keeps its size.
    pub fn resize(&mut self, task: u32, units: u32) -> bool {
        let Some(run) = self.run_mut(task) else { return false };
        run.units = units.max(1);
        self.set_units(task, units);
        self.sort();
        true
    }

    /// Sorts by size, if sizes have come since.
    pub fn sort(&mut self) {
        if !std::mem::take(&mut self.unsorted) {
            return;
        }
        let entries = &mut self.entries;
        self.by_size.iter_mut().for_each(|(units, task)| *units = entries[*task as usize].units);
        self.by_size.sort_unstable();
        let mut pending = Ranks::default();
        pending.fill(crate::api::ids::short(entries.len()));
        for (place, &(_, task)) in (0..).zip(&self.by_size) {
            let entry = &mut entries[task as usize];
            pending.set(place, self.pending.contains(entry.place));
            entry.place = place;
        }
        self.pending = pending;
    }

    /// The same race, sorted: sizes may have come since its latest launch.
    pub fn sorted(&self) -> Cow<'_, Self> {
        if !self.unsorted {
            return Cow::Borrowed(self);
        }
        let mut sorted = self.clone();
        sorted.sort();
        Cow::Owned(sorted)
    }

    /// The size of the median task.
    pub fn median_units(&self) -> u32 {
        self.by_size[(self.by_size.len() - 1) / 2].0
    }

    pub fn units(&self, task: u32) -> u32 {
        self.entries[task as usize].units
    }

    pub fn is_done(&self, task: u32) -> bool {
        self.entries[task as usize].done
    }

    pub fn pending(&self) -> u32 {
        self.pending.len()
    }

    /// The pending task that `n` smaller ones precede: its size, and which.
    pub fn nth_pending(&self, n: u32) -> Option<(u32, u32)> {
        self.pending.nth(n).map(|place| self.by_size[place as usize])
    }

    /// How many pending tasks are smaller, by an order of theirs that goes with size.
    pub fn pending_before(&self, before: impl Fn(u32, u32) -> bool) -> u32 {
        let place = self.by_size.partition_point(|&(units, task)| before(units, task));
        self.pending.below(crate::api::ids::short(place))
    }

    pub fn run_mut(&mut self, task: u32) -> Option<&mut Run> {
        self.running.iter_mut().find(|run| run.task == task)
    }

    /// Takes over what the books say of a task.
    pub fn sync(&mut self, set: &Set, task: u32) {
        let truth = &set.tasks[task as usize];
        let entry = &mut self.entries[task as usize];
        if entry.done != truth.finished {
            entry.done = truth.finished;
            self.done = if truth.finished { self.done + 1 } else { self.done - 1 };
        }
        self.pending.set(entry.place, truth.running == 0 && !truth.finished);
        let runs = truth.running > 0 && !truth.finished;
        let once = truth.running == 1 && !truth.failed && !truth.copied;
        let place = self.running.iter().position(|run| run.task == task);
        match (place, runs) {
            (None, true) => self.running.push(Run {
                task,
                units: entry.units,
                executor: truth.executor,
                since: truth.since,
                ends: [NEVER; 2],
                once,
            }),
            (Some(place), true) => self.running[place].once = once,
            (Some(place), false) => _ = self.running.swap_remove(place),
            (None, false) => {}
        }
    }

    /// The same of all tasks that run: an executor is gone.
    pub fn sync_running(&mut self, set: &Set) {
        for place in (0..self.running.len()).rev() {
            self.sync(set, self.running[place].task);
        }
    }
}
