//! Bounded jobs: what the engine hears of the bound, and what is given up when it is reached (NSDI'14, section 2.1).

use crate::dag::job::Job;
use crate::driver::decisions::tell;
use crate::driver::stages::suspend::suspend;
use crate::driver::state::Driver;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;
use crate::measure::bounded::BoundedJob;
use crate::world::{BoundSpec, parents};
use holdfast_engine::{Bound, Event as EngineEvent, JobId, StageId};

/// Plans the end of a deadline-bound job that has just been submitted.
pub(crate) fn plan_deadline(driver: &mut Driver<'_>, job: u32) {
    if let Some(BoundSpec::DeadlineMs(millis)) = driver.dag.jobs[job as usize].bound {
        driver.agenda.plan(millis * MILLI, SimEvent::Deadline(job));
    }
}

/// Returns the stages of a job without parents, in the table of stages: its bound is about them.
pub(crate) fn inputs(driver: &Driver<'_>, job: u32) -> Vec<u32> {
    let Job { first_stage, stages, .. } = driver.dag.jobs[job as usize];
    let spec = driver.dag.job_spec(driver.world, job);
    let inputs = (0..stages).filter(|&place| parents(spec, place as usize).is_empty());
    inputs.map(|place| first_stage + place).collect()
}

/// Tells the engine the bound of a job that it knows.
pub(crate) fn tell_bound(driver: &mut Driver<'_>, job: u32) {
    let Job { bound, submitted, .. } = driver.dag.jobs[job as usize];
    let Some(bound) = bound.filter(|_| driver.shim.wire.picks) else { return };
    let (bound, value) = match bound {
        BoundSpec::ErrorPpm(ppm) => (Bound::Error, ppm),
        BoundSpec::DeadlineMs(millis) => {
            let left = submitted.after(millis * MILLI).since(driver.agenda.now) / MILLI;
            (Bound::Deadline, u32::try_from(left).unwrap_or(u32::MAX))
        }
    };
    for stage in inputs(driver, job) {
        let (job, stage) = (JobId(job), StageId(driver.dag.stages[stage as usize].id));
        tell(driver, EngineEvent::StageBounded { job, stage, bound, value });
    }
}

/// Returns whether a stage of an error-bound job has as many tasks done as it needs.
pub(crate) fn has_enough(driver: &Driver<'_>, stage: u32) -> bool {
    let s = &driver.dag.stages[stage as usize];
    let Some(bound) = driver.dag.jobs[s.job as usize].bound else { return false };
    let enough = bound.enough(s.tasks()).is_some_and(|enough| s.done() >= enough);
    enough
        && !s.is_complete()
        && parents(driver.dag.job_spec(driver.world, s.job), s.place as usize).is_empty()
}

/// Gives up what is missing of a stage: what still runs of it is killed.
pub(crate) fn cut(driver: &mut Driver<'_>, stage: u32) {
    driver.dag.stages[stage as usize].give_up();
    let job = driver.dag.stages[stage as usize].job;
    let mut sets = driver.dag.jobs[job as usize].sets.clone();
    sets.retain(|&set| driver.tasks.sets[set as usize].stage == stage);
    sets.into_iter().for_each(|set| suspend(driver, set));
}

/// Keeps what came of a bounded job that ends now.
pub(crate) fn account(driver: &mut Driver<'_>, job: u32) {
    let Job { of: (workflow, place), bound, submitted, .. } = driver.dag.jobs[job as usize];
    let Some(bound) = bound else { return };
    let inputs = inputs(driver, job);
    let stages = || inputs.iter().map(|&stage| &driver.dag.stages[stage as usize]);
    let (tasks, done) = (stages().map(|s| s.tasks()).sum(), stages().map(|s| s.done()).sum());
    let took_ns = driver.agenda.now.since(submitted);
    driver.record.bounded.push(BoundedJob { workflow, job: place, bound, tasks, done, took_ns });
}
