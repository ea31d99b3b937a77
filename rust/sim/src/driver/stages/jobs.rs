//! What becomes of jobs and their stages (`DAGScheduler` of Spark 4.1).

use crate::dag::job::{Job, WorkflowState, edges};
use crate::dag::stage::Stage;
use crate::driver::classify::{classify, take_out};
use crate::driver::decisions::tell;
use crate::driver::ends::maybe_finish;
use crate::driver::stages::bounds::{account, cut, has_enough, plan_deadline};
use crate::driver::stages::job_numbers::{number_of, plan_job};
use crate::driver::stages::submit::submit_set;
use crate::driver::stages::suspend::suspend;
use crate::driver::state::Driver;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;
use crate::ids::index;
use crate::world::parents;
use holdfast_engine::Event as EngineEvent;
use rustc_hash::FxHashSet;

/// Plans the first jobs of all workflows that come.
pub(crate) fn begin_workflows(driver: &mut Driver<'_>) {
    for (place, workflow) in (0..).zip(&driver.world.workflows) {
        let run = WorkflowState::new(workflow);
        let ready: Vec<u32> =
            (0..).zip(&run.waits).filter(|(_, w)| **w == 0).map(|(job, _)| job).collect();
        driver.dag.workflows.push(run);
        if driver.dag.only.is_none_or(|only| only == place as usize) {
            plan_jobs(driver, place, &ready, workflow.arrival_ms * MILLI);
        }
    }
}

/// Plans jobs of a workflow that wait for nothing any more.
fn plan_jobs(driver: &mut Driver<'_>, workflow: u32, ready: &[u32], after: u64) {
    let jobs = &driver.world.workflows[workflow as usize].jobs;
    for &place in ready {
        let gap_ms = jobs[place as usize].gap_ms;
        plan_job(driver, workflow, place, after + gap_ms * MILLI);
    }
}

/// Submits a job (`runJob`).
pub(crate) fn submit_job(driver: &mut Driver<'_>, workflow: u32, place: u32) {
    let world = driver.world;
    let spec = &world.workflows[workflow as usize].jobs[place as usize];
    let number = number_of(driver, workflow, place);
    let id = index(driver.dag.jobs.len());
    let first_stage = index(driver.dag.stages.len());
    let edges = edges(spec);
    let remembers = driver.dag.workflows[workflow as usize].cached.asks;
    for (stage, s) in (0..).zip(&spec.stages) {
        let (of, at) = ((workflow, place), (id, stage));
        driver.dag.stages.push(Stage::new(driver.dag.next_stage, at, of, s.tasks, remembers));
        driver.dag.next_stage += 1;
    }
    driver.dag.jobs.push(Job {
        id: number,
        of: (workflow, place),
        first_stage,
        stages: index(spec.stages.len()),
        edges,
        over: false,
        owner: None,
        planned: vec![false; spec.stages.len()],
        ending: None,
        sets: Vec::new(),
        submitted: driver.agenda.now,
        bound: spec.bound,
    });
    plan_deadline(driver, id);
    if let Some(millis) = spec.cancel_after_ms {
        driver.agenda.plan(millis * MILLI, SimEvent::Cancel(id));
    }
    driver.meter.submitted(driver.agenda.now, workflow);
    let last = index(spec.stages.len()) - 1;
    submit_stage(driver, id, last);
}

/// Submits a stage, or first those that it waits for (`submitStage`). Without recursion: a chain may have any length.
pub(crate) fn submit_stage(driver: &mut Driver<'_>, job: u32, place: u32) {
    let first = driver.dag.jobs[job as usize].first_stage;
    let mut seen = FxHashSet::default();
    let mut next = vec![place];
    while let Some(place) = next.pop() {
        let stage = &driver.dag.stages[(first + place) as usize];
        if stage.active || stage.is_complete() || !seen.insert(place) {
            continue;
        }
        let mut missing = parents(driver.dag.job_spec(driver.world, job), place as usize);
        missing.retain(|&parent| !driver.dag.stages[first as usize + parent].is_complete());
        if missing.is_empty() {
            submit_set(driver, first + place);
            continue;
        }
        // The last one is taken first.
        missing.sort_unstable_by(|a, b| b.cmp(a));
        next.extend(missing.into_iter().map(index));
    }
}

/// Notes that a task is done, as the DAG scheduler hears it.
pub(crate) fn done(driver: &mut Driver<'_>, stage: u32, partition: u32, attempt: u32) {
    let s = &mut driver.dag.stages[stage as usize];
    let job = s.job;
    if driver.dag.jobs[job as usize].over {
        return;
    }
    s.complete(partition);
    if attempt + 1 < s.attempts {
        driver.agenda.queue.plan(driver.agenda.now, SimEvent::Elsewhere(stage, partition));
    }
    if has_enough(driver, stage) {
        cut(driver, stage);
    }
    if !driver.dag.stages[stage as usize].is_complete() {
        // Most of the time; the job's part of the world is far away in memory.
        return;
    }
    let Job { first_stage, stages, .. } = driver.dag.jobs[job as usize];
    let results = stage + 1 == first_stage + stages
        && !driver.dag.job_spec(driver.world, job).ends_in_shuffle;
    let s = &mut driver.dag.stages[stage as usize];
    // Results are taken in any case; shuffle output only while the stage runs.
    if s.active || results {
        s.active = false;
        stage_done(driver, job, stage);
    }
}

/// Submits what waited for a stage that is done.
pub(crate) fn stage_done(driver: &mut Driver<'_>, job: u32, stage: u32) {
    let Job { first_stage, stages, .. } = driver.dag.jobs[job as usize];
    let mut next = vec![stage - first_stage];
    let mut is_first = true;
    while let Some(place) = next.pop() {
        // A child may be complete, too: its attempts that went on have made all of it after one of them lacked input.
        if !std::mem::take(&mut is_first)
            && !driver.dag.stages[(first_stage + place) as usize].is_complete()
        {
            submit_stage(driver, job, place);
        } else if place + 1 == stages {
            end_job(driver, job, true);
        } else {
            next.extend(driver.dag.jobs[job as usize].edges.after(place).into_iter().rev());
        }
    }
}

/// Marks a partition that an earlier attempt of its stage has made (`markPartitionCompleted`).
pub(crate) fn done_elsewhere(driver: &mut Driver<'_>, stage: u32, partition: u32) {
    let job = &driver.dag.jobs[driver.dag.stages[stage as usize].job as usize];
    let sets = &driver.tasks.sets;
    let of_stage = |set: &&u32| {
        let s = &sets[**set as usize];
        s.stage == stage && !s.life.zombie
    };
    let Some(set) = job.sets.iter().find(of_stage).copied() else { return };
    let s = &mut driver.tasks.sets[set as usize];
    let task = match &s.source.parts {
        None => Some(partition),
        Some(parts) => parts.binary_search(&partition).ok().map(index),
    };
    let Some(task) = task else { return };
    if !s.mark_done(task) {
        return;
    }
    s.queued.fresh = true;
    let (id, complete) = (s.id, s.is_done());
    if !s.life.over {
        tell(driver, EngineEvent::FinishedElsewhere { set: id, task });
    }
    if complete {
        take_out(driver, set);
    } else {
        classify(driver, set);
    }
    maybe_finish(driver, set);
}

/// Ends a job: what still runs of it is killed, and what waits for it is planned.
pub(crate) fn end_job(driver: &mut Driver<'_>, job: u32, succeeded: bool) {
    if std::mem::replace(&mut driver.dag.jobs[job as usize].over, true) {
        return;
    }
    account(driver, job);
    let Job { of: (workflow, place), first_stage, stages, .. } = driver.dag.jobs[job as usize];
    let mut sets = driver.dag.jobs[job as usize].sets.clone();
    sets.sort_by_key(|&set| driver.tasks.sets[set as usize].stage);
    for set in sets {
        suspend(driver, set);
    }
    driver.dag.jobs[job as usize].ending = Some(succeeded);
    driver.agenda.plan(driver.world.spark.lag_ms * MILLI, SimEvent::JobEnded(job));
    let run = &mut driver.dag.workflows[workflow as usize];
    let read: Vec<usize> = run.cached.read_of(place as usize).collect();
    for stage in read {
        let ran_on = driver.dag.stages[first_stage as usize + stage].ran_on.clone();
        run.cached.keep(place as usize, stage, ran_on);
    }
    let range = first_stage as usize..(first_stage + stages) as usize;
    run.memory.clear();
    run.vain.clear();
    for stage in &mut driver.dag.stages[range] {
        run.memory.push(std::mem::take(&mut stage.ran_on));
        run.vain.push(std::mem::take(&mut stage.ran_in_vain_on));
        stage.forget();
    }
    let mut ready = run.edges.after(place);
    ready.retain(|&job| {
        run.waits[job as usize] -= 1;
        run.waits[job as usize] == 0
    });
    run.left -= 1;
    if run.left == 0 {
        driver.dag.open -= 1;
        (run.memory, run.vain) = (Vec::new(), Vec::new());
        run.cached.clear();
        driver.meter.ended(driver.agenda.now, workflow);
    } else {
        plan_jobs(driver, workflow, &ready, 0);
    }
}
