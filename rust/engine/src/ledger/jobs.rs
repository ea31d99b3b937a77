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
    fn entry(&mut self, stage: StageId) -> Option<&mut PlanEntry> {
        self.plan.iter_mut().find(|entry| entry.stage == stage)
    }

    /// Adds a stage to the plan, or changes it there.
    pub fn plan(&mut self, entry: PlanEntry) {
        match self.entry(entry.stage) {
            Some(known) => *known = entry,
            None => self.plan.push(entry),
        }
        self.measure();
    }

    /// Takes a stage out of what waits; returns it, and whether this is the first time.
    pub fn submit(&mut self, stage: StageId) -> Option<(PlanEntry, bool)> {
        let entry = self.entry(stage)?;
        let first = !entry.submitted;
        entry.submitted = true;
        let entry = *entry;
        self.measure();
        Some((entry, first))
    }

    /// Puts back into the plan what a set has left unfinished.
    pub fn replan(&mut self, stage: StageId, unfinished: u32) {
        let new = PlanEntry {
            stage,
            tasks: unfinished,
            next: 0,
            next_profile: ProfileId(0),
            signature: 0,
            submitted: false,
        };
        let known = self.entry(stage).map(|known| PlanEntry {
            tasks: unfinished,
            submitted: false,
            ..*known
        });
        self.plan(known.unwrap_or(new));
    }

    fn measure(&mut self) {
        let waiting = self.plan.iter().filter(|entry| !entry.submitted);
        self.plan_width = waiting.map(|entry| entry.tasks).max().unwrap_or(0);
    }

    pub fn plan_is_submitted(&self) -> bool {
        self.plan.iter().all(|entry| entry.submitted)
    }
}
