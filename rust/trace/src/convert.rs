//! From an event log to a trace: what ran, whichever slots it had.
//!
//! Task durations are those of the runs that succeeded, from launch to finish as the driver saw them. A stage that was
//! run again keeps each task's last success. Jobs that overlap stay so: a job follows those that had ended when it was
//! submitted.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arrivals::Arrivals;
use crate::caches::{Caches, Place, Use};
pub use crate::converter::Converter;
use crate::format::{Job, Stage, Workflow};
use crate::runs::{Opened, RunId, Runs};
use crate::settings::Settings;
use crate::spark_event::{JobStart, Locality, Millis, SparkEvent, StageInfo, StageKey, TaskRun};
use crate::surroundings::Surroundings;
use crate::whatif::Options;

/// Threads that submit jobs at the same time are fewer.
const NUMBERS: usize = 1_000;

/// A stage that is recorded.
struct Recorded {
    stage: u32,
    parents: Vec<u32>,
    tasks: BTreeMap<u32, (u64, Locality)>,
    memory: Use,
    barrier: bool,
    /// When the last of its tasks ended.
    ended: Option<Millis>,
}

struct OpenJob {
    after: Vec<u32>,
    gap_ms: u64,
    began: Millis,
    numbered_ahead_ms: u64,
    /// A task of it has given a result: it does not end in shuffle output.
    results: bool,
    ended: Option<Millis>,
    /// In the order in which they were first submitted: parents come before children.
    stages: Vec<Recorded>,
    /// Where they are, by their numbers.
    places: FxHashMap<u32, usize>,
    parents: FxHashMap<u32, Vec<u32>>,
}

struct Open {
    opened: Opened,
    priority: i32,
    jobs: Vec<OpenJob>,
    /// Jobs that have ended, and that no later job has followed.
    frontier: Vec<u32>,
    /// Attempts of its stages.
    attempts: Vec<StageKey>,
}

/// Turns events, in the order of their times, into workflows, in the order of their arrivals.
pub(crate) struct Conversion {
    settings: Settings,
    added: BTreeMap<String, String>,
    runs: Runs,
    open: FxHashMap<RunId, Open>,
    /// Run and place of active jobs.
    jobs: FxHashMap<u32, (RunId, usize)>,
    /// The job that a stage attempt runs for.
    stages: FxHashMap<StageKey, (RunId, usize)>,
    arrivals: Arrivals,
    ready: VecDeque<Workflow>,
    origin: Option<Millis>,
    caches: Caches,
    /// The largest numbers of jobs that were submitted, and when.
    numbers: BTreeMap<u32, Millis>,
    surroundings: Surroundings,
    tasks: u64,
}

impl Conversion {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            settings: Settings::of(&options.spark),
            added: options.spark.clone(),
            runs: Runs::new(options.linger).by_execution(options.by_execution),
            open: FxHashMap::default(),
            jobs: FxHashMap::default(),
            stages: FxHashMap::default(),
            arrivals: Arrivals::default(),
            ready: VecDeque::new(),
            origin: None,
            caches: Caches::default(),
            numbers: BTreeMap::new(),
            surroundings: Surroundings::new(options.spark.clone()),
            tasks: 0,
        }
    }

    /// Returns how many tasks have ended well so far.
    pub(crate) const fn tasks(&self) -> u64 {
        self.tasks
    }

    /// Returns the next workflow that is complete, if no earlier one may still come.
    pub(crate) fn pop(&mut self) -> Option<Workflow> {
        self.ready.pop_front()
    }

    /// Returns what the workflows ran on, and when the log begins, in milliseconds since 1970; when all has been told.
    pub(crate) fn into_surroundings(mut self) -> (Surroundings, Millis) {
        self.surroundings.settle();
        (self.surroundings, self.origin.unwrap_or(0))
    }

    /// Nothing more comes: all that is left is complete.
    pub(crate) fn finish(&mut self) {
        for (run, _) in self.runs.rest() {
            self.close(run);
        }
        self.give(u64::MAX);
    }

    /// Takes the next event.
    pub(crate) fn apply(&mut self, at: Millis, event: &SparkEvent) {
        if at > 0 {
            self.origin.get_or_insert(at);
        }
        let mut closed = false;
        while let Some((run, _)) = self.runs.expired(at) {
            self.close(run);
            closed = true;
        }
        self.surroundings.apply(at, event);
        match event {
            SparkEvent::Environment(spark) => {
                let mut spark = spark.clone();
                spark.extend(self.added.clone());
                self.settings = Settings::of(&spark);
            }
            SparkEvent::ExecutionStart { execution, description } => {
                self.runs.execution_started(at, *execution, description.clone());
            }
            SparkEvent::ExecutionEnd { execution } => {
                self.runs.execution_ended(at, *execution);
            }
            SparkEvent::JobStart(start) => self.job_started(at, start),
            SparkEvent::JobEnd { job } => self.job_ended(at, *job),
            SparkEvent::StageSubmitted(info) => self.stage_submitted(at, info),
            SparkEvent::TaskEnd { run, success: true, shuffle } => {
                self.task_ended(at, run, *shuffle);
            }
            _ => {}
        }
        if closed {
            // A SQL execution without a job may become a workflow that arrived when it began.
            let earliest = self.runs.earliest_without_job().map_or(at, |began| began.min(at));
            self.give(self.since_origin(earliest));
        }
    }

    /// Gives what is complete and arrived before `horizon`.
    fn give(&mut self, horizon: u64) {
        while let Some(workflow) = self.arrivals.pop(horizon) {
            self.ready.push_back(workflow);
        }
    }

    fn since_origin(&self, at: Millis) -> u64 {
        at.saturating_sub(self.origin.unwrap_or(at))
    }

    fn job_started(&mut self, at: Millis, start: &JobStart) {
        let JobStart { job, stages, names } = start;
        let job = *job;
        self.job_ended(at, job);
        let numbered_ahead_ms = self.ahead(at, job);
        let started = self.runs.job_started(at, job, names, &self.settings.pools);
        let run = started.run;
        if let Some(opened) = started.opened {
            if let Some(open) = self.open.get_mut(&run) {
                open.opened = opened;
            } else {
                self.arrivals.arrived(self.since_origin(opened.arrival), u64::from(run.0));
                let (jobs, frontier, attempts) = (Vec::new(), Vec::new(), Vec::new());
                self.open.insert(run, Open { opened, priority: 0, jobs, frontier, attempts });
            }
        }
        let Some(open) = self.open.get_mut(&run) else { return };
        // It counts for the whole workflow: the one that a job was submitted with last.
        open.priority = names.priority.unwrap_or(open.priority);
        self.surroundings.has_keys |= names.priority.is_some() || names.workflow.is_some();
        let after = open.frontier.clone();
        let ends = after.iter().filter_map(|&place| open.jobs[place as usize].ended);
        let from = ends.max().unwrap_or(open.opened.arrival);
        let parents =
            stages.iter().map(|planned| (planned.stage, planned.parents.clone())).collect();
        let gap_ms = at.saturating_sub(from);
        let (ended, stages, results) = (None, Vec::new(), false);
        open.jobs.push(OpenJob {
            after,
            gap_ms,
            began: at,
            numbered_ahead_ms,
            results,
            ended,
            stages,
            places: FxHashMap::default(),
            parents,
        });
        self.jobs.insert(job, (run, open.jobs.len() - 1));
    }

    /// Returns how long before its submission a job must have got its number: one with a larger number came before it.
    fn ahead(&mut self, at: Millis, job: u32) -> u64 {
        let larger = (Bound::Excluded(job), Bound::Unbounded);
        let later = self.numbers.range(larger).map(|(_, &submitted)| submitted);
        let first = later.min().filter(|&first| first <= at);
        self.numbers.insert(job, at);
        if self.numbers.len() > NUMBERS {
            self.numbers.pop_first();
        }
        first.map_or(0, |first| at - first + 1)
    }

    fn job_ended(&mut self, at: Millis, job: u32) {
        let Some((run, place)) = self.jobs.remove(&job) else { return };
        self.runs.job_ended(at, job);
        let Some(open) = self.open.get_mut(&run) else { return };
        let ended = &mut open.jobs[place];
        ended.ended = Some(at);
        if let Some(task) = ended.stages.iter().filter_map(|stage| stage.ended).max() {
            self.surroundings.ended(at, task);
        }
        ended.parents = FxHashMap::default();
        let after: FxHashSet<u32> = ended.after.iter().copied().collect();
        open.frontier.retain(|before| !after.contains(before));
        open.frontier.push(u32::try_from(place).unwrap_or(u32::MAX));
    }

    fn stage_submitted(&mut self, at: Millis, info: &StageInfo) {
        let key = info.key;
        let lists = |place: &(RunId, usize)| {
            let open = self.open.get(&place.0)?;
            open.jobs.get(place.1)?.parents.get(&key.stage).cloned()
        };
        let listing = self.jobs.iter().filter_map(|(job, p)| Some((*job, *p, lists(p)?)));
        let Some((_, place, parents)) = listing.min_by_key(|(job, _, _)| *job) else { return };
        self.stages.insert(key, place);
        let Some(open) = self.open.get_mut(&place.0) else { return };
        open.attempts.push(key);
        let job = &mut open.jobs[place.1];
        let before = parents.iter().filter_map(|parent| job.places.get(parent));
        let last = before.filter_map(|&before| job.stages[before].ended).max();
        self.surroundings.submitted(key, at, job.began, last);
        if !job.places.contains_key(&key.stage) {
            let of = Place { run: place.0, job: place.1, stage: key.stage, tasks: info.tasks };
            let memory = self.caches.submitted(of, &info.rdds);
            let (stage, tasks, barrier) = (key.stage, BTreeMap::new(), info.barrier);
            job.places.insert(stage, job.stages.len());
            job.stages.push(Recorded { stage, parents, tasks, memory, barrier, ended: None });
        }
    }

    fn task_ended(&mut self, at: Millis, task: &TaskRun, shuffle: bool) {
        let Some(&(run, place)) = self.stages.get(&task.key) else { return };
        let Some(open) = self.open.get_mut(&run) else { return };
        let job = &mut open.jobs[place];
        job.results |= !shuffle;
        if let Some(&place) = job.places.get(&task.key.stage) {
            let recorded = &mut job.stages[place];
            let took = at.saturating_sub(task.launched);
            let before = recorded.tasks.insert(task.index, (took, task.locality));
            self.tasks += u64::from(before.is_none());
            recorded.ended = recorded.ended.max(Some(at));
        }
    }

    fn close(&mut self, run: RunId) {
        let Some(open) = self.open.remove(&run) else { return };
        for key in open.attempts {
            // Another run may have taken it over.
            if self.stages.get(&key).is_some_and(|place| place.0 == run) {
                self.stages.remove(&key);
            }
        }
        self.caches.forget(run);
        let ends: Option<Vec<Millis>> = open.jobs.iter().map(|job| job.ended).collect();
        let end = ends.and_then(|ends| ends.into_iter().max());
        let arrival = self.since_origin(open.opened.arrival);
        let workflow = Workflow {
            name: open.opened.workflow,
            arrival_ms: arrival,
            priority: open.priority,
            pool: open.opened.pool,
            took_ms: end.map(|end| end.saturating_sub(open.opened.arrival)),
            jobs: jobs(open.jobs),
        };
        self.arrivals.ended(arrival, u64::from(run.0), workflow);
    }
}

fn letter(locality: Locality) -> char {
    match locality {
        Locality::Process => 'P',
        Locality::Node => 'N',
        Locality::Rack => 'R',
        Locality::Any => 'A',
        Locality::NoPreference => '0',
    }
}

/// Returns whether what its tasks preferred was not a cached partition: most ran on the host of their input, which they
/// had by an RDD that Spark looks at first.
fn reads_hosts(stage: &Recorded) -> bool {
    let ran = |at: Locality| stage.tasks.values().filter(|(_, l)| *l == at).count();
    stage.memory.doubtful && ran(Locality::Process) * 2 < stage.tasks.len()
}

/// Jobs with the stages of which a task ended well.
fn jobs(mut open: Vec<OpenJob>) -> Vec<Job> {
    for job in &mut open {
        job.stages.retain(|recorded| !recorded.tasks.is_empty());
        job.places = (0..).zip(&job.stages).map(|(place, of)| (of.stage, place)).collect();
    }
    let place = |job: usize, stage: u32| {
        let job = open.get(job)?;
        let &place = job.places.get(&stage)?;
        Some((u32::try_from(place).ok()?, job.stages[place].tasks.len()))
    };
    let stage = |job: usize, before: usize, stage: &Recorded| {
        let parent = |parent: &u32| Some(place(job, *parent)?.0);
        let parents = stage.parents.iter().filter_map(parent);
        let cached_by = stage.memory.reads.filter(|_| !reads_hosts(stage)).and_then(|by| {
            let (place, tasks) = place(by.job, by.stage)?;
            (tasks == stage.tasks.len()).then_some((u32::try_from(by.job).ok()?, place))
        });
        Stage {
            parents: parents.filter(|&parent| (parent as usize) < before).collect(),
            tasks_ms: stage.tasks.values().map(|(took, _)| *took).collect(),
            locality: stage.tasks.values().map(|(_, locality)| letter(*locality)).collect(),
            fills_cache: stage.memory.fills,
            cached_by,
            barrier: stage.barrier,
        }
    };
    let job = |(j, job): (usize, &OpenJob)| Job {
        after: job.after.clone(),
        gap_ms: job.gap_ms,
        numbered_ahead_ms: job.numbered_ahead_ms,
        stages: job.stages.iter().enumerate().map(|(s, of)| stage(j, s, of)).collect(),
        ends_in_shuffle: !job.results && !job.stages.is_empty(),
    };
    open.iter().enumerate().map(job).collect()
}
