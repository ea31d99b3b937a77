//! Stages that run again: since a task of a later one did not find its input (`FetchFailed`), or since a task of a barrier
//! stage is lost (`DAGScheduler` of Spark 4.1).

use crate::dag::job::Job;
use crate::dag::stage::Stage;
use crate::driver::state::{Event, Host, MILLI};
use crate::ids::index;
use crate::world::draw::About;
use crate::world::parents;

/// How long the DAG scheduler collects stages that lack input (`DAGScheduler.RESUBMIT_TIMEOUT`), in milliseconds.
const RESUBMIT_MS: u64 = 200;

impl Host<'_> {
    /// A task did not find its input: some of its stage's first parent is made again, then what the stage lacks
    /// (`handleTaskCompletion`).
    pub(crate) fn fetch_failed(&mut self, stage: u32, attempt: u32) {
        let s = &mut self.stages[stage as usize];
        let (job, place) = (s.job, s.place as usize);
        if self.jobs[job as usize].over || !s.active || attempt + 1 != s.attempts {
            return;
        }
        s.active = false;
        let lost = s.draw(self.draw.about(About::LostOutput)).of(u64::from(attempt));
        if let Some(&parent) = parents(self.job_spec(job), place).first() {
            let parent = self.jobs[job as usize].first_stage as usize + parent;
            let parent = &mut self.stages[parent];
            // What is made already is not lost once more.
            if !parent.active {
                let most = parent.spec(self.world).tasks - 1;
                (0..=lost.up_to(most)).for_each(|partition| parent.undo(partition));
            }
        }
        self.plan(RESUBMIT_MS * MILLI, Event::Resubmit(stage));
    }

    /// A task of a barrier stage is lost: all of it runs again.
    pub(crate) fn barrier_failed(&mut self, stage: u32, attempt: u32) {
        let s = &mut self.stages[stage as usize];
        let job = s.job;
        if self.jobs[job as usize].over || !s.active || attempt + 1 != s.attempts {
            return;
        }
        s.active = false;
        s.undo_all();
        let mut sets = self.jobs[job as usize].sets.clone();
        sets.retain(|&set| self.sets[set as usize].stage == stage);
        sets.into_iter().for_each(|set| self.suspend(set));
        self.plan(RESUBMIT_MS * MILLI, Event::Resubmit(stage));
    }

    /// Submits what a job lacks since one of its stages failed (`resubmitFailedStages`).
    pub(crate) fn advance(&mut self, stage: u32) {
        let Stage { job, place, .. } = self.stages[stage as usize];
        let Job { over, first_stage, stages, .. } = self.jobs[job as usize];
        let last = stages - 1;
        if over {
            return;
        }
        if self.stages[(first_stage + last) as usize].is_complete() {
            return self.end_job(job, true);
        }
        if self.stages[stage as usize].is_complete() {
            // Attempts that went on have made all of it since: it still waits for its input, and what follows for it.
            let lost = parents(self.job_spec(job), place as usize).into_iter();
            let mut lost = lost.filter(|p| !self.stages[first_stage as usize + p].is_complete());
            if let Some(parent) = lost.next() {
                return self.submit_stage(job, index(parent));
            }
        }
        self.submit_stage(job, last);
    }
}
