//! Jobs and stages: what a run has to do.

use super::run::{Open, Run};
use super::stage::Stage;
use super::{Job, Sweep};
use crate::runs::RunId;
use crate::spark_event::{JobStart, StageInfo, StageKey};

impl Sweep {
    pub(super) fn job_started(&mut self, start: JobStart) {
        let JobStart { job, stages, names } = start;
        let now = self.now;
        self.job_ended(job); // the same number twice: a damaged log
        let started = self.runs.job_started(now, job, &names, &self.settings.pools);
        if let Some(opened) = started.opened {
            match self.live.get_mut(&started.run) {
                Some(run) => run.rename(opened),
                None => {
                    self.live.insert(started.run, Run::new(opened));
                }
            }
        }
        self.change(started.run, |run, scene| run.job_started(now, scene));
        let stages: Vec<u32> = stages.into_iter().map(|planned| planned.stage).collect();
        for &stage in &stages {
            self.stage_jobs.entry(stage).or_insert(job);
        }
        self.jobs.insert(job, Job { run: started.run, stages });
    }

    pub(super) fn job_ended(&mut self, job: u32) {
        let Some(ended) = self.jobs.remove(&job) else { return };
        for stage in ended.stages {
            if self.stage_jobs.get(&stage) == Some(&job) {
                self.stage_jobs.remove(&stage);
            }
        }
        self.change(ended.run, |run, _| run.job_ended());
        if let Some(run) = self.runs.job_ended(self.now, job) {
            self.went_idle(run);
        }
    }

    pub(super) fn went_idle(&mut self, id: RunId) {
        let open = self.change(id, |run, _| {
            let open = run.stages.clone();
            run.went_idle();
            open
        });
        for open in open.into_iter().flatten() {
            self.stages.remove(&open.key);
            self.scene.slots.forget(open.key);
        }
    }

    /// Returns the run that a stage belongs to: that of the active job that listed it first.
    pub(super) fn run_of(&self, stage: u32) -> Option<RunId> {
        let listed = self.stage_jobs.get(&stage).and_then(|job| self.jobs.get(job));
        let search = || {
            let listing = self.jobs.iter().filter(|(_, job)| job.stages.contains(&stage));
            listing.min_by_key(|(number, _)| **number).map(|(_, job)| job)
        };
        listed.or_else(search).map(|job| job.run)
    }

    pub(super) fn stage_submitted(&mut self, info: &StageInfo) {
        let StageInfo { key, tasks, profile, barrier, .. } = *info;
        let Some(id) = self.run_of(key.stage).filter(|_| tasks > 0) else { return };
        if self.stages.contains_key(&key) {
            return;
        }
        self.stages.insert(key, Stage::new(id, tasks));
        let now = self.now;
        let waited = self.live.get(&id).is_some_and(|run| run.pending > 0);
        let open = Open { key, pending: u64::from(tasks), barrier };
        self.change(id, |run, _| run.submitted(now, open, profile));
        if waited {
            return;
        }
        let Some(run) = self.live.get(&id) else { return };
        let users = run.claims.iter().filter_map(|slot| self.scene.slots.user(*slot));
        let wanted = usize::try_from(run.pending).unwrap_or(usize::MAX);
        let names: Vec<String> =
            users.filter(|user| *user != Some(id)).take(wanted).map(|u| self.label(u)).collect();
        if let Some(run) = self.live.get_mut(&id) {
            names.into_iter().for_each(|name| run.lose(name));
        }
    }

    pub(super) fn label(&self, run: Option<RunId>) -> String {
        match run.and_then(|run| self.live.get(&run)) {
            Some(run) => run.label(),
            None => "jobs that have ended".to_owned(),
        }
    }

    pub(super) fn stage_completed(&mut self, key: StageKey) {
        let Some(stage) = self.stages.remove(&key) else { return };
        self.scene.slots.forget(key);
        self.change(stage.run, |run, _| {
            run.stages.retain(|open| open.key != key);
            run.set_pending(run.stages.iter().map(|open| open.pending).sum());
        });
    }
}
