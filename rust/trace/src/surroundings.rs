//! What workflows of a log ran on: executors, Spark's configuration, and what the driver's threads took.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::event::{Event, ExecutorAdded, Millis, StageKey};
use crate::settings::Settings;
use crate::sweep::Slots;

/// So many times are kept for each median.
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
    /// When it registered, in milliseconds since 1970.
    pub joined: Millis,
    /// When it was removed.
    pub left: Option<Millis>,
}

/// What is known when a log has been read.
#[derive(Default)]
pub struct Surroundings {
    /// In the order of joining.
    pub executors: Vec<Executor>,
    /// Spark's configuration, with what the user has added.
    pub spark: BTreeMap<String, String>,
    slots: Slots,
    places: FxHashMap<u32, usize>,
    /// Tasks that run on executors which the log does not announce, by task.
    guests: FxHashMap<u64, usize>,
    running: FxHashMap<usize, u32>,
    lags: Lags,
}

impl Surroundings {
    pub(crate) fn new(spark: BTreeMap<String, String>) -> Self {
        Self { spark, ..Self::default() }
    }

    /// How long it takes from a task's end until what waits for it is launched, or its job is over, in milliseconds:
    /// medians of the log, where nothing waited for a slot.
    pub fn lag_ms(&self) -> Millis {
        quantile(&self.lags.after_tasks, 2) + quantile(&self.lags.launches, 4)
    }

    /// How long it takes from a job's start until its first stage is submitted, in milliseconds: the log's median.
    pub fn start_ms(&self) -> Millis {
        quantile(&self.lags.after_start, 2)
    }

    pub(crate) fn apply(&mut self, at: Millis, event: &Event) {
        match event {
            Event::Environment(spark) => {
                let added = std::mem::replace(&mut self.spark, spark.clone());
                self.spark.extend(added);
                self.slots.configure(&Settings::of(&self.spark));
            }
            Event::Profile { profile, executor, task } => {
                self.slots.add_profile(*profile, executor.clone(), task.clone());
            }
            Event::ExecutorAdded(added) => self.joined(at, added),
            Event::ExecutorRemoved(executor) => {
                if let Some(place) = self.places.remove(executor) {
                    self.executors[place].left = Some(at);
                }
            }
            Event::TaskStart(run) => {
                self.lags.launched(at, run.key);
                let place = *self.places.entry(run.executor).or_insert(usize::MAX);
                self.guest(at, place, run.executor, run.task);
            }
            Event::TaskEnd { run, .. } => {
                if let Some(place) = self.guests.remove(&run.task) {
                    let running = self.running.entry(place).or_default();
                    *running = running.saturating_sub(1);
                }
            }
            _ => {}
        }
    }

    fn joined(&mut self, at: Millis, added: &ExecutorAdded) {
        let slots = self.slots.capacity(added);
        let executor = Executor { host: added.host.clone(), slots, joined: at, left: None };
        // A task may be noted before its executor is.
        match self.places.get(&added.executor).and_then(|&place| self.executors.get_mut(place)) {
            Some(known) => *known = Executor { joined: known.joined, ..executor },
            None => {
                self.places.insert(added.executor, self.executors.len());
                self.executors.push(executor);
            }
        }
    }

    /// A task on an executor that has not been announced: logs of Spark 1, and compacted ones.
    fn guest(&mut self, at: Millis, place: usize, executor: u32, task: u64) {
        let place = if place == usize::MAX {
            let place = self.executors.len();
            self.places.insert(executor, place);
            self.running.insert(place, 0);
            let host = format!("executor {executor}");
            self.executors.push(Executor { host, slots: 0, joined: at, left: None });
            place
        } else {
            place
        };
        if let Some(running) = self.running.get_mut(&place) {
            *running += 1;
            self.guests.insert(task, place);
            let known = &mut self.executors[place];
            known.slots = known.slots.max(*running);
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

/// The sample below which one part of so many equal ones lies; 0 if there is none.
fn quantile(samples: &[Millis], parts: usize) -> Millis {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / parts).copied().unwrap_or(0)
}
