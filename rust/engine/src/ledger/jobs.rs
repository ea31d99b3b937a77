//! Jobs, and the plans of what is still to run.

use super::keys::{SetKey, WorkflowKey};
use crate::api::ids::{JobId, ProfileId, StageId};

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
    pub workflow: WorkflowKey,
    pub continues: bool,
    pub done: bool,
    pub plan: Vec<PlanEntry>,
    /// Widest entry of the plan that is not submitted.
    pub plan_width: u32,
    /// Its live sets, zombies too.
    pub sets: Vec<SetKey>,
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
