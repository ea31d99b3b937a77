//! The tables of what was submitted.

use crate::dag::job::{Job, WorkflowState};
use crate::dag::stage::Stage;
use crate::ids::index;
use crate::world::{JobSpec, World};

/// Workflows, jobs and stages.
pub(crate) struct Dag {
    pub stages: Vec<Stage>,
    pub jobs: Vec<Job>,
    /// Workflows of the world.
    pub workflows: Vec<WorkflowState>,
    pub next_stage: u32,
    pub next_job: u32,
    /// The only workflow that comes, if not all do.
    pub only: Option<usize>,
    /// Workflows that have not ended.
    pub open: u32,
}

impl Dag {
    /// Makes empty tables; `only` is the only workflow that comes, if not all do.
    #[must_use]
    pub fn new(world: &World, only: Option<usize>) -> Self {
        let come = (0..).zip(&world.workflows).filter(|&(w, _)| only.is_none_or(|only| only == w));
        let jobs = || come.clone().flat_map(|(_, workflow)| &workflow.jobs);
        // A table that grows is copied, and what it leaves behind seldom fits anything.
        let stages = jobs().map(|job| job.stages.len()).sum();
        Self {
            stages: Vec::with_capacity(stages),
            jobs: Vec::with_capacity(jobs().count()),
            workflows: Vec::with_capacity(world.workflows.len()),
            next_stage: 0,
            next_job: 0,
            only,
            open: index(only.map_or(world.workflows.len(), |_| 1)),
        }
    }

    /// Returns a job as the world says.
    #[must_use]
    pub fn job_spec<'w>(&self, world: &'w World, job: u32) -> &'w JobSpec {
        let (workflow, place) = self.jobs[job as usize].of;
        &world.workflows[workflow as usize].jobs[place as usize]
    }
}
