//! Stages that run again: since a task of a later one did not find its input (`FetchFailed`), or since a task of a
//! barrier stage is lost (`DAGScheduler` of Spark 4.1).

use crate::dag::job::Job;
use crate::dag::stage::Stage;
use crate::driver::stages::jobs::{end_job, submit_stage};
use crate::driver::stages::suspend::suspend;
use crate::driver::state::Driver;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;
use crate::ids::index;
use crate::world::draw::About;
use crate::world::parents;

/// How long the DAG scheduler collects stages that lack input (`DAGScheduler.RESUBMIT_TIMEOUT`), in milliseconds.
const RESUBMIT_MS: u64 = 200;

/// A task did not find its input: some of its stage's first parent is made again, then what the stage lacks
/// (`handleTaskCompletion`).
pub(crate) fn fetch_failed(driver: &mut Driver<'_>, stage: u32, attempt: u32) {
    let s = &mut driver.dag.stages[stage as usize];
    let (job, place) = (s.job, s.place as usize);
    if driver.dag.jobs[job as usize].over || !s.active || attempt + 1 != s.attempts {
        return;
    }
    s.active = false;
    let lost = s.draw(driver.draw.about(About::LostOutput)).of(u64::from(attempt));
    if let Some(&parent) = parents(driver.dag.job_spec(driver.world, job), place).first() {
        let parent = driver.dag.jobs[job as usize].first_stage as usize + parent;
        let parent = &mut driver.dag.stages[parent];
        // What is made already is not lost once more.
        if !parent.active {
            let most = parent.spec(driver.world).tasks - 1;
            (0..=lost.up_to(most)).for_each(|partition| parent.undo(partition));
        }
    }
    driver.agenda.plan(RESUBMIT_MS * MILLI, SimEvent::Resubmit(stage));
}

/// Runs all of a barrier stage again, of which a task is lost.
pub(crate) fn barrier_stage_failed(driver: &mut Driver<'_>, stage: u32, attempt: u32) {
    let s = &mut driver.dag.stages[stage as usize];
    let job = s.job;
    if driver.dag.jobs[job as usize].over || !s.active || attempt + 1 != s.attempts {
        return;
    }
    s.active = false;
    s.undo_all();
    let mut sets = driver.dag.jobs[job as usize].sets.clone();
    sets.retain(|&set| driver.tasks.sets[set as usize].stage == stage);
    sets.into_iter().for_each(|set| suspend(driver, set));
    driver.agenda.plan(RESUBMIT_MS * MILLI, SimEvent::Resubmit(stage));
}

/// Submits what a job lacks since one of its stages failed (`resubmitFailedStages`).
pub(crate) fn advance(driver: &mut Driver<'_>, stage: u32) {
    let Stage { job, place, .. } = driver.dag.stages[stage as usize];
    let Job { over, first_stage, stages, .. } = driver.dag.jobs[job as usize];
    let last = stages - 1;
    if over {
        return;
    }
    if driver.dag.stages[(first_stage + last) as usize].is_complete() {
        return end_job(driver, job, true);
    }
    if driver.dag.stages[stage as usize].is_complete() {
        // Attempts that went on have made all of it since: it still waits for its input, and what follows for it.
        let lost = parents(driver.dag.job_spec(driver.world, job), place as usize).into_iter();
        let mut lost = lost.filter(|p| !driver.dag.stages[first_stage as usize + p].is_complete());
        if let Some(parent) = lost.next() {
            return submit_stage(driver, job, index(parent));
        }
    }
    submit_stage(driver, job, last);
}
