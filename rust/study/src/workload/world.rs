//! From what has run to a world of the simulator.

use std::collections::BTreeMap;
use std::path::Path;

use holdfast_sim::World;
use holdfast_sim::world::{
    Durations, JobSpec, LONGEST_MS, NodesSpec, PoolSpec, Preference, StageSpec, WorkflowSpec,
};
use holdfast_trace::format::{Job, Stage, Workflow};
use holdfast_trace::recording::Recording;
use holdfast_words::shown;
use rustc_hash::FxHashMap;

use super::pools::{self, Pools, plain, read};
use super::{cluster, conf};
use crate::Failure;
use holdfast_words::fits;

/// Where nothing says how large the cluster was, it is so large that so much of it is asked for while workflows arrive.
const LOAD: f64 = 0.8;
/// Spark's own pool.
const DEFAULT: &str = "default";

/// What has run.
pub(crate) struct Workload {
    /// In the order of their arrivals.
    pub(crate) workflows: Vec<Workflow>,
    /// The most slots at once, if the trace says so.
    pub(super) slots: Option<u64>,
    /// Spark's configuration.
    pub(crate) conf: BTreeMap<String, String>,
    /// Of an event log: what it ran on. Its workflows are above.
    pub(crate) recording: Option<Recording>,
    /// What of the trace was left out, and why.
    pub(crate) notes: Vec<String>,
}

/// What the user wants to be different.
pub(crate) struct Shape<'a> {
    pub(crate) nodes: Option<u32>,
    pub(crate) slots: u32,
    pub(crate) scale: f64,
    /// Pattern of the names that are in the foreground, and their priority.
    pub(crate) foreground: Option<(&'a str, i32)>,
    pub(crate) seed: u64,
}

impl Shape<'_> {
    /// As it was recorded.
    pub(crate) const AS_RECORDED: Shape<'static> =
        Shape { nodes: None, slots: 4, scale: 1.0, foreground: None, seed: 1 };
}

/// A world, and from where in the workload its workflows are: those that ran no task are not there.
pub(crate) struct Built {
    pub(crate) world: World,
    pub(crate) kept: Vec<usize>,
}

impl Workload {
    /// Returns how many tasks there are.
    pub(crate) fn tasks(&self) -> u64 {
        let stages = self.workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
        stages.map(|stage| stage.tasks_ms.len() as u64).sum()
    }

    /// Drops the tasks, of which a world has been made: what is kept says how long workflows took.
    pub(crate) fn forget_tasks(&mut self) {
        self.workflows.iter_mut().for_each(|workflow| workflow.jobs = Vec::new());
    }

    /// Takes back the priorities and isolations that the user has added: what is left is what was recorded.
    pub(crate) fn as_prioritised(&mut self) {
        let Some(recording) = &self.recording else { return };
        let own = recording.surroundings.own.iter().filter(|(key, _)| conf::prioritises(key));
        self.conf.retain(|key, _| !conf::prioritises(key));
        self.conf.extend(own.map(|(key, value)| (key.clone(), value.clone())));
    }

    /// For each workflow, which of the runs of its name it is, from 1.
    pub(crate) fn run_numbers<'w>(&'w self) -> Vec<u32> {
        let mut seen: FxHashMap<&str, u32> = FxHashMap::default();
        let number = |workflow: &'w Workflow| {
            let number = seen.entry(&workflow.name).or_insert(0);
            *number += 1;
            *number
        };
        self.workflows.iter().map(number).collect()
    }

    /// Returns a workflow's priority: its own, or that of its names.
    pub(crate) fn priority(&self, workflow: &Workflow) -> i32 {
        conf::priority(&self.conf, workflow)
    }

    /// Returns the world, as far as it can be made: without workflows there is none.
    pub(crate) fn world(&self, shape: &Shape<'_>) -> Result<Built, Failure> {
        let (lag, start) = match &self.recording {
            Some(recording) => (recording.surroundings.lag_ms(), recording.surroundings.start_ms()),
            None => (0, 0),
        };
        if let Some(workflow) = self.workflows.iter().find(|workflow| lasts_too_long(workflow)) {
            return Err(Failure::Input(format!(
                "workflow {}: a time in it, or its arrival, is more than 30 years: that is not simulated",
                shown(&workflow.name)
            )));
        }
        let mut pools = self.pools()?;
        let mut built =
            Built { world: World::new(shape.seed, Vec::new(), Vec::new()), kept: Vec::new() };
        let world = &mut built.world;
        world.spark = conf::spark(&self.conf, lag);
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        if world.spark.fair {
            world.pools.push(self.default_pool(&mut pools));
            places.insert(DEFAULT.to_owned(), 0);
        }
        for (place, workflow) in self.workflows.iter().enumerate() {
            let Some(jobs) = jobs(&workflow.jobs, shape.scale, start) else {
                log::info!("{} left out: no task of it ran", workflow.name);
                continue;
            };
            let pool = workflow.pool.as_ref().filter(|_| world.spark.fair).map(|name| {
                *places.entry(name.clone()).or_insert_with(|| {
                    world.pools.push(pools.remove(name).unwrap_or_else(|| plain(name)));
                    world.pools.len() - 1
                })
            });
            world.workflows.push(self.workflow(workflow, jobs, pool, shape));
            built.kept.push(place);
        }
        if shape.foreground.is_none() {
            choose_foreground(world);
        }
        self.furnish(world, shape);
        let has_keys = self.recording.as_ref().is_some_and(|r| r.surroundings.has_keys);
        world.engine = conf::engine(&self.conf, has_keys);
        Ok(built)
    }

    fn workflow(
        &self,
        workflow: &Workflow,
        jobs: Vec<JobSpec>,
        pool: Option<usize>,
        shape: &Shape<'_>,
    ) -> WorkflowSpec {
        let own = self.priority(workflow);
        let chosen = shape.foreground.filter(|(glob, _)| fits(glob, &workflow.name));
        let priority = chosen.map_or(own, |(_, priority)| own.max(priority));
        WorkflowSpec {
            isolation_ppm: conf::isolation(&self.conf, workflow),
            // A log says which of its workflows are no more than a Spark job.
            named: match self.recording {
                Some(_) => !workflow.name.starts_with("job:"),
                None => workflow.jobs.len() > 1,
            },
            pool,
            foreground: chosen.is_some(),
            ..WorkflowSpec::new(priority, workflow.arrival_ms, jobs)
        }
    }

    /// Pools as the file describes them. A log says where it was, not what was in it.
    fn pools(&self) -> Result<Pools, Failure> {
        match pools::file(&self.conf) {
            Some(file) if self.recording.is_none() || file.is_file() => read(file),
            _ => Ok(Pools::new()),
        }
    }

    /// Returns the pool of jobs that name none (`FairSchedulableBuilder`): as the file says. A file that does not say
    /// makes it FIFO; without a file it has the scheduler's own mode.
    fn default_pool(&self, pools: &mut Pools) -> PoolSpec {
        let fair = pools::file(&self.conf).is_none();
        pools.remove(DEFAULT).unwrap_or_else(|| PoolSpec { fair, ..plain(DEFAULT) })
    }

    /// Returns the file of a log's pools, if it is not here: their weights and minimum shares are not known.
    pub(crate) fn lacks_pools(&self) -> Option<&Path> {
        let file = pools::file(&self.conf).filter(|_| self.recording.is_some())?;
        let fair = conf::spark(&self.conf, 0).fair;
        (fair && !file.is_file()).then_some(file)
    }

    /// Gives a world its executors.
    fn furnish(&self, world: &mut World, shape: &Shape<'_>) {
        if let (Some(recording), None) = (&self.recording, shape.nodes) {
            let executors = cluster::of_log(recording, longest_ms(&self.workflows) + 1_000);
            (world.cluster, world.losses) = (executors.nodes, executors.losses);
            return;
        }
        let slots = u64::from(shape.slots);
        let nodes = shape.nodes.unwrap_or_else(|| {
            let wanted = self.slots.unwrap_or_else(|| enough(&world.workflows));
            u32::try_from(wanted.div_ceil(slots).max(1)).unwrap_or(u32::MAX)
        });
        world.cluster = vec![NodesSpec::new(nodes, shape.slots)];
    }
}

/// Those of the highest priority, if that is above what everybody has.
fn choose_foreground(world: &mut World) {
    let highest = world.workflows.iter().map(|workflow| workflow.priority).max().unwrap_or(0);
    for workflow in &mut world.workflows {
        workflow.foreground = highest > 0 && workflow.priority == highest;
    }
}

/// Sums of a few such times are within what the simulator can count, in nanoseconds.
fn lasts_too_long(workflow: &Workflow) -> bool {
    let gaps = workflow.jobs.iter().flat_map(|job| [job.gap_ms, job.numbered_ahead_ms]);
    let tasks = workflow.jobs.iter().flat_map(|job| &job.stages).flat_map(|stage| &stage.tasks_ms);
    gaps.chain(tasks.copied()).chain([workflow.arrival_ms]).any(|ms| ms > LONGEST_MS)
}

fn longest_ms(workflows: &[Workflow]) -> u64 {
    let stages = workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
    stages.flat_map(|stage| stage.tasks_ms.iter().copied()).max().unwrap_or(0)
}

/// Returns how many slots there have to be for workflows to ask for [`LOAD`] of them while they arrive; as many as the
/// widest stage has tasks, if they all come at once.
fn enough(workflows: &[WorkflowSpec]) -> u64 {
    let stages = || workflows.iter().flat_map(|w| &w.jobs).flat_map(|job| &job.stages);
    let work: u64 = stages()
        .map(|stage| match &stage.durations {
            Durations::Recorded { ms } => ms.iter().sum(),
            Durations::Constant { ms } => ms * u64::from(stage.tasks),
            _ => 0,
        })
        .sum();
    let arrivals = || workflows.iter().map(|workflow| workflow.arrival_ms);
    let span = arrivals().max().unwrap_or(0) - arrivals().min().unwrap_or(0);
    if span == 0 {
        return stages().map(|stage| u64::from(stage.tasks)).max().unwrap_or(1);
    }
    #[expect(clippy::cast_precision_loss, reason = "a rough number")]
    let slots = work as f64 / (span as f64 * LOAD);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let slots = slots.ceil() as u64;
    slots.max(1)
}

/// The place of a job among those that stay, or what stands for it: after whom, and how much later.
type Stand = Result<usize, (Vec<usize>, u64)>;

/// Returns the jobs that ran tasks; what comes after one that ran none comes after what that came after. None if none
/// did.
fn jobs(jobs: &[Job], scale: f64, start_ms: u64) -> Option<Vec<JobSpec>> {
    let kept: Vec<Vec<Option<usize>>> = jobs.iter().map(places).collect();
    let mut stands: Vec<Stand> = Vec::new();
    let mut specs: Vec<JobSpec> = Vec::new();
    for (place, job) in jobs.iter().enumerate() {
        let (mut after, mut gap_ms) = (Vec::new(), job.gap_ms);
        for &before in &job.after {
            match &stands[before as usize] {
                Ok(kept) => after.push(*kept),
                Err((others, later)) => {
                    after.extend(others);
                    gap_ms = gap_ms.max(job.gap_ms + later);
                }
            }
        }
        after.sort_unstable();
        after.dedup();
        if kept[place].iter().all(Option::is_none) {
            stands.push(Err((after, gap_ms)));
            continue;
        }
        stands.push(Ok(specs.len()));
        specs.push(JobSpec {
            gap_ms: gap_ms + start_ms,
            after: Some(after),
            ends_in_shuffle: job.ends_in_shuffle,
            numbered_ahead_ms: job.numbered_ahead_ms,
            ..JobSpec::new(stages(&jobs[place].stages, &kept, (place, &stands), scale))
        });
    }
    (!specs.is_empty()).then_some(specs)
}

/// Returns the place of each stage of a job among those that ran tasks, if it did.
fn places(job: &Job) -> Vec<Option<usize>> {
    let mut ran = 0..;
    job.stages.iter().map(|s| if s.tasks_ms.is_empty() { None } else { ran.next() }).collect()
}

/// Returns the stages of a job that ran tasks, each of which leads to the last one. `places` are those of all jobs.
fn stages(
    stages: &[Stage],
    places: &[Vec<Option<usize>>],
    (job, stands): (usize, &[Stand]),
    scale: f64,
) -> Vec<StageSpec> {
    let kept = |job: usize, stage: u32| *places.get(job)?.get(stage as usize)?;
    let mut specs = Vec::new();
    for stage in stages.iter().filter(|stage| !stage.tasks_ms.is_empty()) {
        let parents = stage.parents.iter().filter_map(|&parent| kept(job, parent));
        let preference = stage.cached_by.and_then(|(by, place)| {
            let Ok(kept_job) = stands.get(by as usize)? else { return None };
            let by_stage = kept(by as usize, place)?;
            Some(Preference::CachedBy { job: *kept_job, stage: by_stage })
        });
        specs.push(StageSpec {
            parents: Some(parents.collect()),
            preference: preference.unwrap_or_default(),
            fills_cache: stage.fills_cache,
            barrier: stage.barrier,
            ..of_tasks(&stage.tasks_ms, scale)
        });
    }
    let mut leads = vec![false; specs.len()];
    for parent in specs.iter().flat_map(|spec: &StageSpec| spec.parents.iter().flatten()) {
        leads[*parent] = true;
    }
    // What a job ran without its last stage, as one that failed has, comes before what it ran last.
    if let Some(last) = specs.last_mut().and_then(|last| last.parents.as_mut()) {
        last.extend((0..leads.len() - 1).filter(|&stage| !leads[stage]));
    }
    specs
}

/// Makes a stage of `scale` times as many tasks as took these times.
fn of_tasks(tasks_ms: &[u64], scale: f64) -> StageSpec {
    let given = tasks_ms.len();
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let wanted = (given as f64 * scale).round().clamp(1.0, f64::from(MOST));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let tasks = wanted as u32;
    let first = tasks_ms[0];
    let durations = if tasks_ms.iter().all(|&ms| ms == first) {
        Durations::Constant { ms: first }
    } else {
        let old = |task: u32| tasks_ms[task as usize * given / tasks as usize];
        Durations::Recorded { ms: (0..tasks).map(old).collect() }
    };
    StageSpec::new(tasks, durations)
}

/// More tasks in one stage are none.
const MOST: u32 = 1 << 24;

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(tasks_ms: &[u64], parents: &[u32]) -> Stage {
        Stage { tasks_ms: tasks_ms.to_vec(), parents: parents.to_vec(), ..Stage::default() }
    }

    fn job(after: &[u32], gap_ms: u64, stages: Vec<Stage>) -> Job {
        Job { after: after.to_vec(), gap_ms, stages, ..Job::default() }
    }

    #[test]
    fn widths_are_scaled_and_durations_kept() {
        let ms = |scale| of_tasks(&[1, 2, 3], scale).durations;
        assert_eq!(ms(1.0), Durations::Recorded { ms: vec![1, 2, 3] });
        assert_eq!(ms(2.0), Durations::Recorded { ms: vec![1, 1, 2, 2, 3, 3] });
        assert_eq!(ms(0.67), Durations::Recorded { ms: vec![1, 2] });
        assert_eq!(of_tasks(&[1, 2, 3], 0.01).tasks, 1);
        assert_eq!(of_tasks(&[4, 4], 3.0).durations, Durations::Constant { ms: 4 });
    }

    #[test]
    fn jobs_without_tasks_are_left_out_and_what_follows_them_is_not() {
        let mut reads = stage(&[7], &[]);
        reads.cached_by = Some((1, 1));
        let all = [
            job(&[], 5, vec![]),
            job(&[0], 10, vec![stage(&[], &[]), stage(&[3, 4], &[0]), stage(&[6], &[])]),
            job(&[1], 20, vec![stage(&[], &[])]),
            job(&[2], 30, vec![reads]),
        ];
        let specs = jobs(&all, 1.0, 1).unwrap();
        assert_eq!(specs.len(), 2);
        assert_eq!((specs[0].gap_ms, specs[0].after.as_deref()), (16, Some(&[][..])));
        // Its two stages lead nowhere else: the last one waits for the other.
        let parents: Vec<_> = specs[0].stages.iter().map(|s| s.parents.clone().unwrap()).collect();
        assert_eq!(parents, [vec![], vec![0]]);
        assert_eq!((specs[1].gap_ms, specs[1].after.as_deref()), (51, Some(&[0][..])));
        let preference = Preference::CachedBy { job: 0, stage: 0 };
        assert_eq!(specs[1].stages[0].preference, preference);
        assert_eq!(jobs(&all[..1], 1.0, 0), None);
    }

    #[test]
    fn a_trace_that_does_not_say_how_large_its_cluster_was_gets_one() {
        let workflow =
            |at| WorkflowSpec::new(0, at, vec![JobSpec::new(vec![of_tasks(&[4_000, 4_000], 1.0)])]);
        // 16 s of work within 2 s: 8 slots would be busy, of 10.
        assert_eq!(enough(&[workflow(1_000), workflow(3_000)]), 10);
        assert_eq!(enough(&[workflow(1_000), workflow(1_000)]), 2);
    }
}
