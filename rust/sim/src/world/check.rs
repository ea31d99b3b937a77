//! Whether a world can be simulated. What is wrong is said with its field, its value, and what to write instead.

use holdfast_engine::{Config, Resources};
use holdfast_words::{count, verb};

use crate::world::bounds::BoundSpec;
use crate::world::durations::LONGEST_MS;
use crate::world::spec::{
    BadWorld, JobSpec, NodesSpec, Preference, StageSpec, WorkflowSpec, World,
};

/// More tasks in one stage are taken for a mistake, as the engine does.
const MOST_TASKS: u32 = 1 << 24;
/// Profiles are told apart by the bits of a word.
const MOST_PROFILES: usize = 64;
/// More executors, or hosts with larger numbers, are taken for a mistake: each has its place in tables.
const MOST_EXECUTORS: u64 = 1 << 20;
/// More slots would have more events planned at once than the queue has room for.
pub(crate) const MOST_SLOTS: u64 = 1 << 22;
/// All, in millionths.
const WHOLE: u32 = 1_000_000;

impl World {
    /// Returns whether it can be simulated.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn check(&self) -> Result<(), BadWorld> {
        check(self)
    }
}

fn check(world: &World) -> Result<(), BadWorld> {
    check_cluster(world).map_err(BadWorld)?;
    check_spark(world).map_err(BadWorld)?;
    world.engine.as_ref().map_or(Ok(()), check_engine).map_err(BadWorld)?;
    check_others(world).map_err(BadWorld)?;
    for (i, workflow) in world.workflows.iter().enumerate() {
        check_workflow(world, workflow).map_err(|why| BadWorld(format!("workflows[{i}]{why}")))?;
    }
    check_cached(world)
}

/// Checks that a time can be counted in nanoseconds.
fn check_ms(field: impl FnOnce() -> String, ms: u64) -> Result<(), String> {
    if ms <= LONGEST_MS {
        return Ok(());
    }
    Err(format!("{}: {ms}; write at most {LONGEST_MS}, thirty years", field()))
}

/// Returns how many executors ever join, but for those that replace others.
fn executors(world: &World) -> u64 {
    let of = |n: &NodesSpec| u64::from(n.nodes) * u64::from(n.executors_per_node);
    world.cluster.iter().map(of).fold(0, u64::saturating_add)
}

/// Checks that tables have room for all executors and hosts.
fn check_size(world: &World) -> Result<(), String> {
    let all = executors(world);
    if all > MOST_EXECUTORS {
        return Err(format!("cluster: {all} executors; write at most {MOST_EXECUTORS}"));
    }
    let mut first = 0;
    for (i, nodes) in world.cluster.iter().enumerate() {
        first = nodes.first_host.map_or(first, u64::from) + u64::from(nodes.nodes);
        if first > MOST_EXECUTORS {
            return Err(format!(
                "cluster[{i}].first_host: its hosts have numbers up to {}; write numbers below {MOST_EXECUTORS}",
                first - 1
            ));
        }
        check_ms(|| format!("cluster[{i}].joins_ms"), nodes.joins_ms)?;
    }
    for demand in &world.profiles {
        let slots = world.slots_of(demand);
        if slots > MOST_SLOTS {
            return Err(format!(
                "cluster: {slots} slots for tasks that ask for {:?}; write at most {MOST_SLOTS}",
                demand.0
            ));
        }
    }
    Ok(())
}

fn check_cluster(world: &World) -> Result<(), String> {
    let (len, most) = (world.profiles.len(), MOST_PROFILES);
    if len > most {
        return Err(format!("profiles: {len} of them; write at most {most}"));
    }
    if len == 0 {
        return Err("profiles: none; write at least one, or leave them out".to_owned());
    }
    if let Some(i) = world.profiles.iter().position(|p| p.0[0] == 0) {
        return Err(format!("profiles[{i}]: no CPU; a task asks for some thousandths of a core"));
    }
    check_size(world)?;
    if world.slots() == 0 && !world.workflows.is_empty() {
        return Err(format!(
            "cluster: no executor has room for a task of the first profile, {:?}; give executors a larger capacity",
            world.profiles.first().unwrap_or(&Resources::default()).0
        ));
    }
    let bad = |speed: f64| !(speed.is_finite() && speed > 0.0);
    if let Some((i, nodes)) = world.cluster.iter().enumerate().find(|(_, n)| bad(n.speed)) {
        let speed = nodes.speed;
        return Err(format!("cluster[{i}].speed: {speed}; write a number above 0, 1 is usual"));
    }
    Ok(())
}

fn check_spark(world: &World) -> Result<(), String> {
    let spark = &world.spark;
    let warm_up = spark.warm_up.map_or(1.0, |warm_up| warm_up.factor);
    let factors = [
        ("remote_penalty", spark.remote_penalty),
        ("node_penalty", spark.node_penalty),
        ("launch_ms", spark.launch_ms),
        ("warm_up.factor", warm_up),
    ];
    for (name, value) in factors {
        if !(value.is_finite() && value >= 0.0) {
            return Err(format!("spark.{name}: {value}; write a number, at least 0"));
        }
    }
    let speculation = spark.speculation.unwrap_or_default();
    if speculation.interval_ms == 0 {
        return Err("spark.speculation.interval_ms: 0; write at least 1".to_owned());
    }
    if let Some(why) = spark.progress.and_then(|progress| progress.wrong()) {
        return Err(format!("spark.progress.{why}"));
    }
    let times = [
        ("locality_wait_ms", spark.locality_wait_ms),
        ("revive_ms", spark.revive_ms),
        ("lag_ms", spark.lag_ms),
        ("tick_lag_ms", spark.tick_lag_ms),
        ("speculation.interval_ms", speculation.interval_ms),
        ("speculation.least_ms", speculation.least_ms),
    ];
    for (name, ms) in times {
        check_ms(|| format!("spark.{name}"), ms)?;
    }
    let faults = &world.faults;
    let shares = [
        ("failing", faults.failing),
        ("fetch_failing", faults.fetch_failing),
        ("stubborn", faults.stubborn),
    ];
    for (name, value) in shares {
        if !(0.0..=1.0).contains(&value) {
            return Err(format!("faults.{name}: {value}; write a share from 0 to 1"));
        }
    }
    Ok(())
}

fn check_engine(config: &Config) -> Result<(), String> {
    const LONGEST_NS: u64 = LONGEST_MS * 1_000_000;
    let times = [
        ("hold_floor_ns", config.hold_floor_ns),
        ("hold_max_ns", config.hold_max_ns),
        ("linger_first_ns", config.linger_first_ns),
        ("linger_max_ns", config.linger_max_ns),
        ("linger_query_ns", config.linger_query_ns),
        ("spread_max_ns", config.spread_max_ns),
        ("copy_age_ns", config.copy_age_ns),
    ];
    match times.iter().find(|(_, ns)| *ns > LONGEST_NS) {
        Some((name, ns)) => {
            Err(format!("engine.{name}: {ns}; write at most {LONGEST_NS}, thirty years"))
        }
        None => Ok(()),
    }
}

fn check_others(world: &World) -> Result<(), String> {
    let len = world.workflows.len();
    if let Some(i) = world.pools.iter().position(|p| p.weight == 0) {
        return Err(format!("pools[{i}].weight: 0; write at least 1"));
    }
    if let Some(only) = world.only.filter(|&only| only >= len) {
        return Err(format!("only: {only}; there is no such workflow, they count from 0"));
    }
    let all = executors(world);
    for (i, loss) in world.losses.iter().enumerate() {
        if loss.executor as u64 >= all {
            let place = loss.executor;
            return Err(format!(
                "losses[{i}].executor: {place}; there {} {}, they count from 0",
                verb(all, ("is", "are")),
                count(all, "executor")
            ));
        }
        check_ms(|| format!("losses[{i}].at_ms"), loss.at_ms)?;
        check_ms(|| format!("losses[{i}].announced_ms"), loss.announced_ms.unwrap_or(0))?;
        let replaced = loss.replaced_after_ms.unwrap_or(0);
        check_ms(|| format!("losses[{i}].replaced_after_ms"), replaced)?;
    }
    for (i, change) in world.changes.iter().enumerate() {
        check_ms(|| format!("changes[{i}].at_ms"), change.at_ms)?;
        let place = change.workflow;
        let at = format!("changes[{i}].workflow: {place}");
        match world.workflows.get(place) {
            None => return Err(format!("{at}; there is no such workflow, they count from 0")),
            Some(workflow) if !workflow.named => {
                let why = "only workflows with a name change; write \"named\": true there";
                return Err(format!("{at}; {why}"));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn check_workflow(world: &World, workflow: &WorkflowSpec) -> Result<(), String> {
    let pools = world.pools.len();
    if let Some(pool) = workflow.pool.filter(|&pool| pool >= pools) {
        return Err(format!(".pool: {pool}; there is no such pool, they count from 0"));
    }
    if let Some(ppm) = workflow.isolation_ppm.filter(|&ppm| ppm > WHOLE) {
        return Err(format!(".isolation_ppm: {ppm}; write millionths, at most {WHOLE}"));
    }
    check_ms(|| ".arrival_ms".to_owned(), workflow.arrival_ms)?;
    if workflow.jobs.is_empty() {
        return Err(".jobs: there are none; write at least one".to_owned());
    }
    for (j, job) in workflow.jobs.iter().enumerate() {
        check_job(world, job, j).map_err(|why| format!(".jobs[{j}]{why}"))?;
    }
    Ok(())
}

fn check_job(world: &World, job: &JobSpec, place: usize) -> Result<(), String> {
    if job.stages.is_empty() {
        return Err(".stages: there are none; write at least one".into());
    }
    check_ms(|| ".gap_ms".to_owned(), job.gap_ms)?;
    check_ms(|| ".numbered_ahead_ms".to_owned(), job.numbered_ahead_ms)?;
    check_ms(|| ".cancel_after_ms".to_owned(), job.cancel_after_ms.unwrap_or(0))?;
    check_bound(job)?;
    if let Some(before) = job.after.iter().flatten().find(|&&before| before >= place) {
        return Err(format!(".after: {before}; a job may only wait for jobs before it"));
    }
    let mut leads = vec![false; job.stages.len()];
    for (s, stage) in job.stages.iter().enumerate() {
        check_stage(world, stage).map_err(|why| format!(".stages[{s}]{why}"))?;
        for parent in parents(job, s) {
            if parent >= s {
                return Err(format!(
                    ".stages[{s}].parents: {parent}; its parents must come before it, stages count from 0"
                ));
            }
            leads[parent] = true;
        }
    }
    match leads.iter().take(job.stages.len() - 1).position(|&leads| !leads) {
        Some(s) => Err(format!(
            ".stages[{s}]: it leads nowhere; name it among the parents of a later stage"
        )),
        None => Ok(()),
    }
}

fn check_bound(job: &JobSpec) -> Result<(), String> {
    match job.bound {
        // The engine counts milliseconds in 32 bits.
        Some(BoundSpec::DeadlineMs(ms)) if ms > u64::from(u32::MAX) => {
            Err(format!(".bound.deadline_ms: {ms}; write at most {}", u32::MAX))
        }
        Some(BoundSpec::ErrorPpm(ppm)) if ppm > WHOLE => {
            Err(format!(".bound.error_ppm: {ppm}; write millionths, at most {WHOLE}"))
        }
        Some(_) if job.stages.iter().any(|stage| stage.barrier) => {
            Err(".bound: barrier stages run as a whole; leave it out".into())
        }
        _ => Ok(()),
    }
}

fn check_stage(world: &World, stage: &StageSpec) -> Result<(), String> {
    let tasks = stage.tasks;
    if !(1..=MOST_TASKS).contains(&tasks) {
        return Err(format!(".tasks: {tasks}; write 1 to {MOST_TASKS}"));
    }
    if let Some(why) = stage.durations.wrong() {
        return Err(format!(".durations: {why}"));
    }
    let Some(demand) = world.profiles.get(stage.profile) else {
        let profile = stage.profile;
        return Err(format!(".profile: {profile}; there is no such profile, they count from 0"));
    };
    if !fits_somewhere(world, demand) {
        return Err(format!(
            ".profile: {}; its tasks ask for {:?} and fit nowhere",
            stage.profile, demand.0
        ));
    }
    if stage.barrier && stage.preference != Preference::Anywhere {
        return Err(".preference: tasks of a barrier stage have none; leave it out".into());
    }
    let slots = world.slots_of(demand);
    if stage.barrier && u64::from(tasks) > slots {
        return Err(format!(
            ".tasks: {tasks}; a barrier stage wider than the cluster, of {}, never starts",
            count(slots, "slot")
        ));
    }
    Ok(())
}

fn fits_somewhere(world: &World, demand: &Resources) -> bool {
    world
        .cluster
        .iter()
        .any(|n| n.nodes > 0 && n.executors_per_node > 0 && n.capacity.covers(demand))
}

/// Returns the parents of a stage, said or not.
pub(crate) fn parents(job: &JobSpec, stage: usize) -> Vec<usize> {
    match &job.stages[stage].parents {
        Some(parents) => parents.clone(),
        None => stage.checked_sub(1).into_iter().collect(),
    }
}

/// Checks that what tasks would like to be near to has been cached before they come.
fn check_cached(world: &World) -> Result<(), BadWorld> {
    for (w, workflow) in world.workflows.iter().enumerate() {
        for (j, of) in workflow.jobs.iter().enumerate() {
            for (s, spec) in of.stages.iter().enumerate() {
                let Preference::CachedBy { job, stage } = spec.preference else { continue };
                let known = workflow.jobs.get(job).is_some_and(|job| stage < job.stages.len());
                if !known || (job, stage) >= (j, s) {
                    return Err(BadWorld(format!(
                        "workflows[{w}].jobs[{j}].stages[{s}].preference: stage {stage} of job {job} has not cached anything before; name an earlier one, they count from 0"
                    )));
                }
            }
        }
    }
    Ok(())
}
