//! Whether a world can be simulated.

use holdfast_engine::Resources;

use crate::world::{BadWorld, JobSpec, Preference, World};

/// More tasks in one stage are taken for a mistake, as the engine does.
const MOST_TASKS: u32 = 1 << 24;
/// Profiles are told apart by the bits of a word.
const MOST_PROFILES: usize = 64;

pub(crate) fn check(world: &World) -> Result<(), BadWorld> {
    if world.slots() == 0 && !world.workflows.is_empty() {
        return bad("no executor has room for a task of the first profile");
    }
    if world.profiles.len() > MOST_PROFILES || world.profiles.iter().any(|p| p.0[0] == 0) {
        return bad("1 to 64 profiles, each of which asks for some part of a core");
    }
    if world.cluster.iter().any(|n| !(n.speed.is_finite() && n.speed > 0.0)) {
        return bad("cluster: a speed must be above 0");
    }
    let spark = &world.spark;
    let factors = [spark.remote_penalty, spark.node_penalty, spark.launch_ms];
    if factors.iter().any(|f| !(f.is_finite() && *f >= 0.0)) {
        return bad("spark: penalties and launch_ms must be numbers, at least 0");
    }
    if world.pools.iter().any(|p| p.weight == 0) {
        return bad("pools: a weight must be above 0");
    }
    if world.only.is_some_and(|only| only >= world.workflows.len()) {
        return bad("only: there is no such workflow");
    }
    let named = |place: usize| world.workflows.get(place).is_some_and(|w| w.named);
    if world.changes.iter().any(|change| !named(change.workflow)) {
        return bad("changes: there is no such workflow, or it has no name");
    }
    for (i, workflow) in world.workflows.iter().enumerate() {
        if workflow.pool.is_some_and(|pool| pool >= world.pools.len()) {
            return bad(&format!("workflow {i}: there is no such pool"));
        }
        if workflow.jobs.is_empty() {
            return bad(&format!("workflow {i}: no jobs"));
        }
        for (j, job) in workflow.jobs.iter().enumerate() {
            check_job(world, job, j)
                .map_err(|why| BadWorld(format!("workflow {i}, job {j}: {why}")))?;
        }
    }
    Ok(())
}

fn bad(why: &str) -> Result<(), BadWorld> {
    Err(BadWorld(why.to_owned()))
}

fn check_job(world: &World, job: &JobSpec, place: usize) -> Result<(), String> {
    if job.stages.is_empty() {
        return Err("no stages".into());
    }
    if job.after.as_ref().is_some_and(|after| after.iter().any(|&before| before >= place)) {
        return Err("it may only wait for jobs before it".into());
    }
    let mut leads = vec![false; job.stages.len()];
    for (s, stage) in job.stages.iter().enumerate() {
        if !(1..=MOST_TASKS).contains(&stage.tasks) {
            return Err(format!("stage {s}: 1 to {MOST_TASKS} tasks"));
        }
        if !stage.durations.is_sound() {
            return Err(format!("stage {s}: its durations cannot be drawn from"));
        }
        let Some(demand) = world.profiles.get(stage.profile) else {
            return Err(format!("stage {s}: there is no such profile"));
        };
        if !fits_somewhere(world, demand) {
            return Err(format!("stage {s}: its tasks fit nowhere"));
        }
        if stage.barrier && stage.preference != Preference::Anywhere {
            return Err(format!("stage {s}: tasks of a barrier stage have no preference"));
        }
        if stage.barrier && u64::from(stage.tasks) > world.slots_of(demand) {
            return Err(format!("stage {s}: a barrier stage wider than all slots never starts"));
        }
        for parent in parents(job, s) {
            if parent >= s {
                return Err(format!("stage {s}: its parents must come before it"));
            }
            leads[parent] = true;
        }
    }
    match leads.iter().take(job.stages.len() - 1).position(|&leads| !leads) {
        Some(s) => Err(format!("stage {s} leads nowhere")),
        None => Ok(()),
    }
}

fn fits_somewhere(world: &World, demand: &Resources) -> bool {
    world
        .cluster
        .iter()
        .any(|n| n.nodes > 0 && n.executors_per_node > 0 && n.capacity.covers(demand))
}

/// The parents of a stage, said or not.
pub(crate) fn parents(job: &JobSpec, stage: usize) -> Vec<usize> {
    match &job.stages[stage].parents {
        Some(parents) => parents.clone(),
        None => stage.checked_sub(1).into_iter().collect(),
    }
}
