//! Task sets.

use super::keys::{DemandKey, JobKey, WorkflowKey};
use super::places::Places;
use super::running::RunningTasks;
use super::tasks::{Start, Task};
use crate::api::ids::{ExecutorId, ProfileId, Resources, SetId, StageId, Time};

/// A set of more tasks lies everywhere.
const MOST_TASKS: usize = 4_096;

/// What kind of set it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetKind {
    /// Whether tasks may be copied, for all that the stage is.
    pub may_copy: bool,
    /// Whether all tasks are launched in a row or none is: a barrier stage's.
    pub together: bool,
    /// Whether partitions that it computes are cached.
    pub fills_cache: bool,
}

/// What comes after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Follows {
    /// Parallelism of what directly follows in the plan; 0 for the final stage.
    pub tasks: u32,
    /// What a task of that asks for.
    pub profile: ProfileId,
    /// The same as foreseen when the set was submitted.
    pub foreseen: Option<u32>,
}

/// Where its tasks ran, and what that says.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(crate) struct Input {
    /// Attempts that run next to their input.
    pub near: u32,
    /// Finishers that were local: how many, and how long they took together.
    pub local: (u64, u64),
    /// Where its tasks have finished.
    pub places: Places,
    /// The workflow's slowdown, measured on executors that were new to it: counts for this set only.
    pub remote_slowdown_milli: Option<u64>,
}

/// Its barrier (SSR-8).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Barrier {
    /// The wave of launches that left nothing pending; `None` while something is.
    pub wave: Option<Wave>,
    /// t_m: how long the shortest of its finishers took, in nanoseconds.
    pub shortest: Option<u64>,
    /// Samples of the shape of durations that the set has given.
    pub samples: u32,
    /// Until when it is held, once that is known.
    pub until: Option<Time>,
    /// Slot-time that the bound allows it to idle, until the stage is complete.
    pub bound_ns: Option<u64>,
}

/// Its copies (SSR-10).
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(crate) struct Copying {
    /// Unfinished tasks with more than one attempt; 0 for zombies.
    pub twice: u32,
    /// The youngest task that is old enough for a copy, when it is time for copies.
    pub youngest: Option<Start>,
    /// Kept if it may be copied.
    pub running: RunningTasks,
}

/// What is watched while it runs.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(crate) struct SetWatch {
    /// Until when its launches are spread; `None` when they are not, or no longer.
    pub spread_until: Option<Time>,
    pub input: Input,
    pub copies: Copying,
    pub barrier: Barrier,
}

/// One attempt of a stage. What every launch and every end touches comes first.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Set {
    pub tasks: Vec<Task>,
    pub workflow: WorkflowKey,
    pub job: JobKey,
    pub serial: u32,
    /// Place of its demand in the list of demands.
    pub demand_key: DemandKey,
    pub unfinished: u32,
    pub pending: u32,
    pub demand: Resources,

    pub id: SetId,
    pub zombie: bool,
    pub kind: SetKind,
    pub watch: SetWatch,
    pub stage: StageId,
    pub profile: ProfileId,
    pub follows: Follows,
}

/// The last wave of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wave {
    pub at: Time,
    /// N: tasks that ran then.
    pub tasks: u32,
}

impl Set {
    /// A task has finished there.
    pub fn finished_on(&mut self, id: ExecutorId) {
        if self.tasks.len() <= MOST_TASKS {
            self.watch.input.places.add(id);
        }
    }

    /// What the task has left there is gone.
    pub fn lost_on(&mut self, id: ExecutorId) {
        self.watch.input.places.remove(id);
    }

    /// m: the number of tasks.
    pub fn width(&self) -> u32 {
        u32::try_from(self.tasks.len()).unwrap_or(u32::MAX)
    }

    /// n for this set (SSR-5): the plan's, else, when the job continues, what the user has `declared`, else what is
    /// foreseen, else m (SSR-2); 0 when nothing follows.
    pub fn n(&self, continues: bool, declared: u32) -> u32 {
        match (self.follows.tasks, continues) {
            (0, true) if declared > 0 => declared,
            (0, true) => self.follows.foreseen.unwrap_or(self.width()),
            (0, false) => 0,
            (next, _) => next,
        }
    }
}
