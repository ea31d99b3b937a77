//! Task sets, and the plans of the jobs they belong to.

use super::places::Places;
use super::running::{RunningTasks, Start};
use crate::api::ids::{ExecutorId, JobId, ProfileId, Resources, SetId, StageId, Time};

/// One task of a set: 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Task {
    /// Of its first attempt that runs now.
    pub since: Time,
    pub executor: u32,
    pub running: u32,
    pub finished: bool,
    /// An attempt of it has failed.
    pub failed: bool,
    /// It has run twice at a time.
    pub copied: bool,
    /// It is known where the attempt ran that finished it: there.
    is_done_on: bool,
    done_on: u32,
}

impl Task {
    /// Where the attempt ran that finished it.
    pub fn done_on(&self) -> Option<ExecutorId> {
        self.is_done_on.then_some(ExecutorId(self.done_on))
    }

    pub fn set_done_on(&mut self, executor: Option<ExecutorId>) {
        self.is_done_on = executor.is_some();
        self.done_on = executor.map_or(0, |executor| executor.0);
    }

    pub fn runs_twice(&self) -> bool {
        self.running > 1 && !self.finished
    }

    /// Whether it runs, since then, and a copy is still allowed.
    pub fn may_be_copied(&self, (since, _): Start) -> bool {
        let once = self.running == 1 && !self.finished;
        once && !self.failed && !self.copied && self.since == since
    }
}

/// One attempt of a stage. What every launch and every end touches comes first.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Set {
    pub tasks: Vec<Task>,
    pub workflow: usize,
    pub job: usize,
    pub serial: u32,
    /// Place of its demand in the list of demands.
    pub demand_key: u32,
    pub unfinished: u32,
    pub pending: u32,
    /// Attempts that run next to their input.
    pub near: u32,
    /// Unfinished tasks with more than one attempt; 0 for zombies.
    pub twice: u32,
    pub demand: Resources,
    pub id: SetId,
    pub zombie: bool,
    /// Whether tasks may be copied, for all that the stage is.
    pub may_copy: bool,
    /// Whether all tasks are launched in a row or none is: a barrier stage's.
    pub together: bool,
    /// Whether partitions that it computes are cached.
    pub fills_cache: bool,
    /// Until when its launches are spread; `None` when they are not, or no longer.
    pub spread_until: Option<Time>,
    /// Finishers that were local: how many, and how long they took together.
    pub local: (u64, u64),
    /// Where its tasks have finished.
    pub places: Places,
    /// Kept if it may be copied.
    pub running: RunningTasks,
    pub stage: StageId,
    pub profile: ProfileId,
    /// Parallelism of what directly follows in the plan; 0 for the final stage.
    pub next: u32,
    /// What a task of that asks for.
    pub next_profile: ProfileId,
    /// The same as foreseen when the set was submitted; 0 if it was not.
    pub foreseen: u32,
    /// The wave of launches that left nothing pending; `None` while something is.
    pub wave: Option<Wave>,
    /// t_m: how long the shortest of its finishers took, in nanoseconds.
    pub shortest: Option<u64>,
    /// Samples of the shape of durations that the set has given.
    pub samples: u32,
    /// Until when this barrier is held, once that is known (SSR-8).
    pub barrier: Option<Time>,
    /// Slot-time that the bound allows this barrier to idle, until the stage is complete.
    pub bound_ns: Option<u64>,
    /// The same, measured on executors that were new to the workflow: counts for this set only.
    pub remote_slowdown_milli: Option<u64>,
    /// The youngest task that is old enough for a copy, when it is time for copies.
    pub copying: Option<Start>,
}

/// The last wave of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wave {
    pub at: Time,
    /// N: tasks that ran then.
    pub tasks: u32,
}

impl Set {
    /// m: the number of tasks.
    pub fn width(&self) -> u32 {
        u32::try_from(self.tasks.len()).unwrap_or(u32::MAX)
    }

    /// n for this set (SSR-5): the plan's, else, when the job continues, what the user has `declared`, else what is
    /// foreseen, else m (SSR-2); 0 when nothing follows.
    pub fn n(&self, continues: bool, declared: u32) -> u32 {
        match (self.next, continues) {
            (0, true) if declared > 0 => declared,
            (0, true) if self.foreseen > 0 => self.foreseen,
            (0, true) => self.width(),
            (0, false) => 0,
            (next, _) => next,
        }
    }
}

/// A stage of a job's plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlanEntry {
    pub stage: StageId,
    pub tasks: u32,
    pub next: u32,
    pub next_profile: ProfileId,
    pub signature: u32,
    pub submitted: bool,
}

/// A Spark job.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub id: JobId,
    pub workflow: usize,
    pub continues: bool,
    pub done: bool,
    pub plan: Vec<PlanEntry>,
    /// Widest entry of the plan that is not submitted.
    pub plan_width: u32,
    /// Its live sets, zombies too.
    pub sets: Vec<usize>,
    /// Unfinished tasks of its sets.
    pub unfinished: u32,
    /// n while no set is active.
    pub last_n: u32,
}

impl Job {
    pub fn entry(&mut self, stage: StageId) -> Option<&mut PlanEntry> {
        self.plan.iter_mut().find(|entry| entry.stage == stage)
    }

    /// To be called after every change of the plan.
    pub fn plan_changed(&mut self) {
        let waiting = self.plan.iter().filter(|entry| !entry.submitted);
        self.plan_width = waiting.map(|entry| entry.tasks).max().unwrap_or(0);
    }

    pub fn plan_is_submitted(&self) -> bool {
        self.plan.iter().all(|entry| entry.submitted)
    }
}
