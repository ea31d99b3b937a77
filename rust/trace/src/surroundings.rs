//! What workflows of a log ran on: executors, Spark's configuration, and what the driver's threads took.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::settings::Settings;
use crate::spark_event::{ExecutorAdded, Millis, SparkEvent, StageKey};
use crate::sweep::Slots;

/// The most times that are kept for a median.
const SAMPLES: usize = 10_000;
/// A launch that comes later than this after its stage was submitted has waited for a slot, in milliseconds.
const AT_ONCE: Millis = 50;

/// An executor as the log has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executor {
    /// `Host`.
    pub host: String,
    /// How many tasks of its resource profile fit; of one that was never announced, the most at once.
    pub slots: u32,
    /// When it could run tasks, in milliseconds since 1970: when it registered, or when the application's first task
    /// was launched, where that waited for executors to get ready (plugins take their time).
    pub joined: Millis,
    /// When it was removed; with dynamic allocation, when it had been idle for so long that Spark gave it back.
    pub left: Option<Millis>,
}

/// What is known when a log has been read.
#[derive(Default)]
pub struct Surroundings {
    /// In the order of joining.
    pub executors: Vec<Executor>,
    /// Spark's configuration, with what the user has added.
    pub spark: BTreeMap<String, String>,
    /// The application's own configuration, without what the user has added.
    pub own: BTreeMap<String, String>,
    /// Whether the application itself was told anything of Holdfast. The plugin takes its name out of `spark.plugins`,
    /// so a log says it in no other way.
    pub has_keys: bool,
    /// When the last attempt ended, in milliseconds since 1970.
    pub last_end: Option<Millis>,
    /// Attempts that did not end well, and the slot-time that they took, in slot-milliseconds.
    pub failed: (u64, u64),
    slots: Slots,
    idle_timeout: Option<Millis>,
    /// By the number of an executor that is there: its place, and what it does.
    places: FxHashMap<u32, Busy>,
    first_stage: Option<Millis>,
    first_launch: Option<Millis>,
    lags: Lags,
}

/// What an executor does.
#[derive(Clone, Copy)]
struct Busy {
    place: usize,
    announced: bool,
    running: u32,
    since: Millis,
}

impl Surroundings {
    pub(crate) fn new(spark: BTreeMap<String, String>) -> Self {
        Self { spark, ..Self::default() }
    }

    /// Returns how long it takes from a task's end until what waits for it is launched, or its job is over, in
    /// milliseconds: medians of the log, where nothing waited for a slot.
    pub fn lag_ms(&self) -> Millis {
        quantile(&self.lags.after_tasks, 2) + quantile(&self.lags.launches, 4)
    }

    /// Returns how long it takes from a job's start until its first stage is submitted, in milliseconds: the log's
    /// median.
    pub fn start_ms(&self) -> Millis {
        quantile(&self.lags.after_start, 2)
    }

    pub(crate) fn apply(&mut self, at: Millis, event: &SparkEvent) {
        match event {
            SparkEvent::Environment(spark) => {
                self.has_keys |= spark.keys().any(|key| key.starts_with("spark.holdfast."));
                let added = std::mem::replace(&mut self.spark, spark.clone());
                self.spark.extend(added);
                self.own.clone_from(spark);
                let settings = Settings::of(&self.spark);
                self.slots.configure(&settings);
                self.idle_timeout = settings.idle_timeout;
            }
            SparkEvent::Profile { profile, executor, task } => {
                self.slots.add_profile(*profile, executor.clone(), task.clone());
            }
            SparkEvent::ExecutorAdded(added) => self.added(at, added),
            SparkEvent::ExecutorRemoved(executor) => self.removed(at, *executor),
            SparkEvent::TaskStart(run) => {
                self.first_launch.get_or_insert(at);
                self.lags.launched(at, run.key);
                let busy = self.busy(at, run.executor);
                (busy.running, busy.since) = (busy.running + 1, at);
                if !busy.announced {
                    let (place, running) = (busy.place, busy.running);
                    let known = &mut self.executors[place];
                    known.slots = known.slots.max(running);
                }
            }
            SparkEvent::TaskEnd { run, success, .. } => {
                self.last_end = self.last_end.max(Some(at));
                if let Some(busy) = self.places.get_mut(&run.executor) {
                    (busy.running, busy.since) = (busy.running.saturating_sub(1), at);
                }
                if !success {
                    self.failed.0 += 1;
                    self.failed.1 += at.saturating_sub(run.launched);
                }
            }
            _ => {}
        }
    }

    /// Returns an executor; logs of Spark 1, and compacted ones, do not announce theirs.
    fn busy(&mut self, at: Millis, executor: u32) -> &mut Busy {
        let (executors, usual) = (&mut self.executors, self.slots.usual_capacity());
        self.places.entry(executor).or_insert_with(|| {
            let (host, slots) = (format!("executor {executor}"), usual.unwrap_or(0));
            executors.push(Executor { host, slots, joined: at, left: None });
            Busy { place: executors.len() - 1, announced: false, running: 0, since: at }
        })
    }

    fn added(&mut self, at: Millis, added: &ExecutorAdded) {
        let slots = self.slots.capacity(added);
        // A task may be noted before its executor is.
        let busy = self.busy(at, added.executor);
        busy.announced = true;
        let place = busy.place;
        let known = &mut self.executors[place];
        (known.host, known.slots) = (added.host.clone(), slots);
    }

    fn removed(&mut self, at: Millis, executor: u32) {
        let Some(busy) = self.places.remove(&executor) else { return };
        let timeout = self.idle_timeout.filter(|_| busy.running == 0);
        let given_back = timeout.map(|timeout| busy.since.saturating_add(timeout));
        self.executors[busy.place].left = Some(given_back.map_or(at, |back| back.min(at)));
    }

    /// All has been read.
    pub(crate) fn settle(&mut self) {
        let (Some(stage), Some(launch)) = (self.first_stage, self.first_launch) else { return };
        if launch > stage + AT_ONCE {
            let there =
                |e: &&mut Executor| e.joined < launch && e.left.is_none_or(|left| left > launch);
            self.executors.iter_mut().filter(there).for_each(|e| e.joined = launch);
        }
    }

    /// A stage is submitted, so long after its job has begun, or after the last task that it waited for.
    pub(crate) fn submitted(
        &mut self,
        key: StageKey,
        at: Millis,
        job: Millis,
        task: Option<Millis>,
    ) {
        self.first_stage.get_or_insert(at);
        self.lags.submitted.insert(key, at);
        match task {
            Some(task) => push(&mut self.lags.after_tasks, at.saturating_sub(task)),
            None => push(&mut self.lags.after_start, at.saturating_sub(job)),
        }
    }

    /// A job is over, so long after its last task.
    pub(crate) fn ended(&mut self, at: Millis, task: Millis) {
        push(&mut self.lags.after_tasks, at.saturating_sub(task));
    }
}

#[derive(Default)]
struct Lags {
    /// From the last task to the next stage's submission, or the job's end.
    after_tasks: Vec<Millis>,
    /// From a job's start to its first stages' submission.
    after_start: Vec<Millis>,
    /// From a stage's submission to its first launch, where that came at once.
    launches: Vec<Millis>,
    /// Stages that have launched nothing.
    submitted: FxHashMap<StageKey, Millis>,
}

impl Lags {
    fn launched(&mut self, at: Millis, key: StageKey) {
        if let Some(submitted) = self.submitted.remove(&key) {
            let after = at.saturating_sub(submitted);
            if after < AT_ONCE {
                push(&mut self.launches, after);
            }
        }
    }
}

fn push(samples: &mut Vec<Millis>, sample: Millis) {
    if samples.len() < SAMPLES {
        samples.push(sample);
    }
}

/// Returns the sample below which one part of `parts` equal ones lies; 0 if there is none.
fn quantile(samples: &[Millis], parts: usize) -> Millis {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / parts).copied().unwrap_or(0)
}
