//! One pass over an application's events, in the order of their times: every instant of every workflow's life is put
//! down to one of five causes, or divided among them. `docs/reference/whatif.md` has the definitions.
//!
//! State is kept for what lives: executors, runs of workflows, their jobs, stages and tasks. A run whose class depends
//! on others (it has run, and tasks of it wait) is accounted for at every event; all other runs only at their own.

mod executor;
mod jobs;
mod places;
mod run;
mod slots;
mod stage;
mod tasks;
mod terms;

pub use terms::{Terms, Wait};

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::report::ApplicationReport;
use crate::runs::{RunId, Runs};
use crate::settings::Settings;
use crate::spark_event::{ExecutorAdded, Millis, Rebuilt, SparkEvent, StageKey};
use crate::whatif::Options;
use run::{Run, Scene};
use slots::SlotId;
pub(crate) use slots::Slots;
use stage::Stage;

struct Job {
    run: RunId,
    stages: Vec<u32>,
}

struct Task {
    run: Option<RunId>,
    executor: u32,
    /// None until it has one.
    slot: Option<SlotId>,
}

/// The analysis of one application.
pub struct Sweep {
    added: BTreeMap<String, String>,
    settings: Settings,
    runs: Runs,
    scene: Scene,
    live: FxHashMap<RunId, Run>,
    contending: BTreeSet<RunId>,
    jobs: FxHashMap<u32, Job>,
    /// The job that a stage was first listed by, of those that are active.
    stage_jobs: FxHashMap<u32, u32>,
    stages: FxHashMap<StageKey, Stage>,
    tasks: FxHashMap<u64, Task>,
    /// How many runs have stages.
    at_work: u64,
    now: Millis,
    report: ApplicationReport,
}

impl Sweep {
    /// Returns an analysis that has seen nothing yet.
    pub fn new(options: &Options) -> Self {
        let added = options.spark.clone();
        let settings = Settings::of(&added);
        let scene = Scene {
            slots: Slots::default(),
            free_since: 0,
            empty: 0,
            waits_for_locality: settings.waits_for_locality,
        };
        Self {
            added,
            settings,
            runs: Runs::new(options.linger).by_execution(options.by_execution),
            scene,
            live: FxHashMap::default(),
            contending: BTreeSet::new(),
            jobs: FxHashMap::default(),
            stage_jobs: FxHashMap::default(),
            stages: FxHashMap::default(),
            tasks: FxHashMap::default(),
            at_work: 0,
            now: 0,
            report: ApplicationReport::default(),
        }
    }

    /// Takes the next event; times never go back ([`crate::order::Order`]).
    pub fn apply(&mut self, now: Millis, event: SparkEvent) {
        while let Some((run, end)) = self.runs.expired(now) {
            self.close(run, Some(end));
        }
        while let Some((at, executor)) = self.scene.slots.next_given_back(now) {
            self.advance(at);
            self.scene.slots.give_back(executor);
        }
        self.advance(now);
        let was_full = self.scene.slots.total().free == 0;
        self.dispatch(event);
        if was_full && self.scene.slots.total().free > 0 {
            self.scene.free_since = now;
        }
    }

    /// Time passes.
    fn advance(&mut self, now: Millis) {
        if now <= self.now {
            return;
        }
        // Before the first event with a time there is nothing to account for.
        let passed = if self.now == 0 { 0 } else { now - self.now };
        if self.now == 0 {
            self.report.first_ms = now;
        }
        let room = self.scene.slots.total();
        let busy = room.busy.min(room.all);
        self.report.busy_slot_ms =
            self.report.busy_slot_ms.saturating_add(busy.saturating_mul(passed));
        self.report.all_slot_ms =
            self.report.all_slot_ms.saturating_add(room.all.saturating_mul(passed));
        if room.all == 0 {
            self.scene.empty += passed;
        }
        if self.at_work > 1 {
            self.report.shared_ms += passed;
        }
        for run in &self.contending {
            if let Some(run) = self.live.get_mut(run) {
                run.account(now, &self.scene);
            }
        }
        self.now = now;
        self.scene.slots.tick(now);
    }

    fn dispatch(&mut self, event: SparkEvent) {
        match event {
            SparkEvent::TaskStart(task) => self.task_started(&task),
            SparkEvent::TaskEnd { run, success, .. } => self.task_ended(&run, success),
            SparkEvent::Resubmitted { run, .. } => self.resubmitted(&run),
            SparkEvent::StageSubmitted(info) => self.stage_submitted(&info),
            SparkEvent::StageCompleted { info, .. } => self.stage_completed(info.key),
            SparkEvent::JobStart(start) => self.job_started(*start),
            SparkEvent::JobEnd { job } => self.job_ended(job),
            SparkEvent::ExecutionStart { execution, description } => {
                self.runs.execution_started(self.now, execution, description);
            }
            SparkEvent::ExecutionEnd { execution } => {
                if let Some(run) = self.runs.execution_ended(self.now, execution) {
                    self.went_idle(run);
                }
            }
            SparkEvent::ExecutorAdded(added) => self.executor_added(&added),
            SparkEvent::ExecutorRemoved(executor) => self.executor_removed(executor),
            SparkEvent::Excluded { place, stage: None, excluded } => {
                self.scene.slots.exclude(place, excluded);
            }
            SparkEvent::Excluded { place, stage: Some(key), .. } => {
                if self.stages.contains_key(&key) {
                    self.scene.slots.bar(key, place);
                }
            }
            SparkEvent::Rebuilt(of) => self.rebuilt(of),
            SparkEvent::Profile { profile, executor, task } => {
                self.scene.slots.add_profile(profile, executor, task);
            }
            SparkEvent::Environment(spark) => self.configure(spark),
            SparkEvent::LogStart { version } => self.report.spark = Some(version),
            SparkEvent::Application { name, id } => {
                self.report.name = Some(name);
                self.report.id = id;
            }
            SparkEvent::ApplicationEnd => self.report.ended = true,
        }
    }

    fn configure(&mut self, mut spark: BTreeMap<String, String>) {
        spark.extend(self.added.clone());
        self.settings = Settings::of(&spark);
        self.scene.slots.configure(&self.settings);
        self.scene.waits_for_locality = self.settings.waits_for_locality;
        self.report.fair = self.settings.fair;
        self.report.configured = true;
    }

    /// Changes a run, its time accounted for before and its class looked at after.
    fn change<T>(
        &mut self,
        id: RunId,
        change: impl FnOnce(&mut Run, &mut Scene) -> T,
    ) -> Option<T> {
        let run = self.live.get_mut(&id)?;
        run.account(self.now, &self.scene);
        let worked = !run.stages.is_empty();
        let result = change(run, &mut self.scene);
        match (worked, !run.stages.is_empty()) {
            (false, true) => self.at_work += 1,
            (true, false) => self.at_work -= 1,
            _ => {}
        }
        if run.contends() {
            self.contending.insert(id);
        } else {
            self.contending.remove(&id);
        }
        Some(result)
    }

    /// What says when a run began or ended was rebuilt.
    fn rebuilt(&mut self, of: Rebuilt) {
        let run = match of {
            Rebuilt::Job(job) => self.jobs.get(&job).map(|job| job.run),
            Rebuilt::Execution(execution) => self.runs.of_execution(execution),
        };
        if let Some(run) = run.and_then(|run| self.live.get_mut(&run)) {
            run.rebuilt();
        }
    }

    fn executor_added(&mut self, added: &ExecutorAdded) {
        self.executor_removed(added.executor);
        self.scene.slots.add(added);
    }

    fn executor_removed(&mut self, executor: u32) {
        for (id, slot, busy) in self.scene.slots.remove(executor) {
            if let Some(run) = self.live.get_mut(&id) {
                run.claims.retain(|claim| *claim != slot);
                run.lost = run.lost.saturating_sub(u64::from(busy));
            }
        }
    }

    fn close(&mut self, id: RunId, end: Option<Millis>) {
        let Some(run) = self.live.remove(&id) else { return };
        self.contending.remove(&id);
        self.at_work -= u64::from(!run.stages.is_empty());
        for &slot in &run.claims {
            self.scene.slots.unclaim(slot, id);
        }
        self.report.runs.push(run.close(end.unwrap_or(self.now), end.is_some(), &self.scene));
    }

    /// Returns the report, when the log has ended. Runs that have not ended then end with it.
    pub fn finish(mut self) -> ApplicationReport {
        self.report.unended_tasks = self.tasks.len() as u64;
        for (run, end) in self.runs.rest() {
            self.close(run, end);
        }
        self.report.last_ms = self.now;
        self.report.executors = self.scene.slots.executors_added;
        self.report.slots = self.scene.slots.most;
        self.report.unknown_profiles = self.scene.slots.unknown_profiles.len() as u64;
        self.report.unannounced_executors = self.scene.slots.unannounced();
        self.report.unsized_executors = self.scene.slots.unsized_ones();
        self.report
    }
}
