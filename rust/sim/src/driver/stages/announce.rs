//! What the engine hears of jobs and task sets before they come, and when they go (the shim's `Session` and `Jobs`).

use crate::driver::decisions::{tell, tell_profile};
use crate::driver::priorities::open_workflow;
use crate::driver::stages::bounds::tell_bound;
use crate::driver::state::Driver;
use crate::host::shim::EngineWorkflow;
use crate::ids::index;
use crate::world::parents;
use holdfast_engine::{
    Event as EngineEvent, JobId, PoolId, ProfileId, SetId, StageId, StageKind, WorkflowId,
};

/// Tells the engine what it has to know of a job before its first task set.
pub(crate) fn tell_job(driver: &mut Driver<'_>, job: u32) {
    if driver.dag.jobs[job as usize].owner.is_some() {
        return;
    }
    let (workflow, place) = driver.dag.jobs[job as usize].of;
    let spec = &driver.world.workflows[workflow as usize];
    for stage in &spec.jobs[place as usize].stages {
        tell_profile(driver, index(stage.profile));
    }
    let pool = driver.queues.order.pool_of(spec.pool);
    if driver.world.spark.fair {
        tell_pool(driver, pool);
    }
    let known = driver.dag.workflows[workflow as usize].owner.filter(|_| spec.named);
    let owner = known.unwrap_or_else(|| new_workflow(driver, workflow));
    driver.dag.workflows[workflow as usize].owner = Some(owner);
    driver.dag.jobs[job as usize].owner = Some(owner);
    open_workflow(driver, owner);
    driver.shim.workflows[owner as usize].jobs += 1;
    let continues = spec.named || spec.jobs[place as usize].ends_in_shuffle;
    let (job, workflow) = (JobId(job), WorkflowId(owner));
    tell(driver, EngineEvent::JobSubmitted { job, workflow, continues });
    tell_bound(driver, job.0);
}

/// Adds a workflow that the engine is about to know. Returns its number.
fn new_workflow(driver: &mut Driver<'_>, workflow: u32) -> u32 {
    let priority = driver.dag.workflows[workflow as usize].priority;
    let (sets, holds) = (Vec::new(), Vec::new());
    driver.shim.workflows.push(EngineWorkflow {
        workflow,
        priority,
        jobs: 0,
        sets,
        holds,
        expired: false,
        held: false,
    });
    index(driver.shim.workflows.len() - 1)
}

/// Tells the engine a pool that it does not know.
fn tell_pool(driver: &mut Driver<'_>, pool: u32) {
    if driver.shim.pools_known == 0 {
        driver.shim.pools_known = 1;
        let (pool, fair, weight, min_share) = (PoolId::ROOT, true, 1, 0);
        tell(driver, EngineEvent::PoolDefined { pool, fair, weight, min_share });
    }
    let known = &mut driver.queues.order.pools[pool as usize];
    if known.engine_number.is_none() {
        known.engine_number = Some(driver.shim.pools_known);
        let (fair, weight, min_share) = (known.spec.fair, known.spec.weight, known.spec.min_share);
        let pool = PoolId(driver.shim.pools_known);
        driver.shim.pools_known += 1;
        tell(driver, EngineEvent::PoolDefined { pool, fair, weight, min_share });
    }
}

/// Tells the engine the plan of the job, as far as it is new, and the set.
pub(crate) fn tell_set(driver: &mut Driver<'_>, stage: u32, set: SetId, tasks: u32) {
    let s = &driver.dag.stages[stage as usize];
    let (job, place, spec) = (s.job, s.place, s.spec(driver.world));
    let (id, profile) = (StageId(s.id), ProfileId(index(spec.profile)));
    // A barrier stage starts as a whole: spreading it would refuse some of its tasks.
    let (fills_cache, barrier) = (spec.fills_cache && !spec.barrier, spec.barrier);
    if !driver.dag.jobs[job as usize].planned[place as usize] {
        tell_plan(driver, job);
    }
    let shuffle = place + 1 < driver.dag.jobs[job as usize].stages
        || driver.dag.job_spec(driver.world, job).ends_in_shuffle;
    let kind = match (barrier, shuffle) {
        (true, _) => StageKind::Barrier,
        (_, true) => StageKind::ShuffleMap,
        _ => StageKind::Result,
    };
    let (job, stage) = (JobId(job), id);
    tell(driver, EngineEvent::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind });
}

/// Tells the engine all stages of a job that have to run and were not planned yet.
fn tell_plan(driver: &mut Driver<'_>, job: u32) {
    let world = driver.world;
    let (workflow, place) = driver.dag.jobs[job as usize].of;
    let spec = &world.workflows[workflow as usize].jobs[place as usize];
    let first = driver.dag.jobs[job as usize].first_stage as usize;
    // What directly follows: the widest child. Children come after their parents.
    let mut next = vec![(0u32, 0usize); spec.stages.len()];
    for child in 0..spec.stages.len() {
        let missing = driver.dag.stages[first + child].missing;
        for parent in parents(spec, child).into_iter().filter(|_| missing > 0) {
            if missing > next[parent].0 {
                next[parent] = (missing, spec.stages[child].profile);
            }
        }
    }
    for (i, stage) in spec.stages.iter().enumerate() {
        let missing = driver.dag.stages[first + i].missing;
        if missing == 0 || std::mem::replace(&mut driver.dag.jobs[job as usize].planned[i], true) {
            continue;
        }
        let (width, profile) = next[i];
        let profile = if width > 0 { profile } else { stage.profile };
        tell(
            driver,
            EngineEvent::StagePlanned {
                job: JobId(job),
                stage: StageId(driver.dag.stages[first + i].id),
                tasks: missing,
                next: width,
                next_profile: ProfileId(index(profile)),
                signature: stage.signature.unwrap_or(stage.tasks),
            },
        );
    }
}

/// Tells the engine that a job is over, as the listener hears it. All its sets are zombies by then.
pub(crate) fn job_ended(driver: &mut Driver<'_>, job: u32) {
    let j = &driver.dag.jobs[job as usize];
    let succeeded = j.ending.unwrap_or(false);
    let owner = j.owner;
    for i in 0..driver.dag.jobs[job as usize].sets.len() {
        let set = driver.dag.jobs[job as usize].sets[i];
        driver.tasks.sets[set as usize].life.over = true;
    }
    if let Some(owner) = owner {
        driver.shim.workflows[owner as usize].jobs -= 1;
        tell(driver, EngineEvent::JobEnded { job: JobId(job), succeeded });
    }
}
