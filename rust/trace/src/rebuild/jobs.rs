//! Jobs and SQL executions: the last stage of a job that ends well says that the job has; jobs tell of their
//! executions.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Ledger, Spot};
use crate::bits::Bits;
use crate::spark_event::{JobNames, JobStart, Millis, Rebuilt, SparkEvent};

struct OpenJob {
    began: Millis,
    stages: Vec<u32>,
    /// The one that the others lead to.
    last: Option<u32>,
    /// When that ended well.
    done: Option<Millis>,
    stage_ended: Option<Millis>,
    /// Whether a stage of it has no end.
    at_work: bool,
    executions: Vec<u64>,
}

/// A SQL execution that has not ended.
#[derive(Default)]
struct OpenExecution {
    /// Its first job: time and number.
    job: Option<(Millis, Spot)>,
    active: u32,
    job_ended: Option<Millis>,
}

#[derive(Default)]
pub(super) struct Jobs {
    pub(super) started: Bits,
    ended: Bits,
    open: FxHashMap<u32, OpenJob>,
    /// The open jobs that list a stage.
    of_stage: FxHashMap<u32, Vec<u32>>,
    executions_started: Bits,
    executions_ended: Bits,
    executions: FxHashMap<u64, OpenExecution>,
    /// Whether the log has SQL executions at all.
    tells_executions: bool,
}

impl Ledger {
    pub(super) fn job_started(&mut self, at: Millis, start: &JobStart) -> bool {
        let again = !self.jobs.started.insert(start.job.into());
        if again || self.jobs.ended.contains(start.job.into()) {
            self.new_unless(again);
            return false;
        }
        self.open_job(at, Spot::Before(self.number), start);
        for planned in &start.stages {
            self.listed(at, planned.stage);
        }
        true
    }

    pub(super) fn open_job(&mut self, at: Millis, spot: Spot, start: &JobStart) {
        let parents: FxHashSet<u32> =
            start.stages.iter().flat_map(|planned| planned.parents.iter().copied()).collect();
        let stages: Vec<u32> = start.stages.iter().map(|planned| planned.stage).collect();
        let last = stages.iter().copied().filter(|stage| !parents.contains(stage)).max();
        for &stage in &stages {
            self.jobs.of_stage.entry(stage).or_default().push(start.job);
        }
        let executions = self.enter_executions(at, spot, &start.names);
        let job = OpenJob {
            began: at,
            stages,
            last,
            done: None,
            stage_ended: None,
            at_work: false,
            executions,
        };
        self.jobs.open.insert(start.job, job);
    }

    fn enter_executions(&mut self, at: Millis, spot: Spot, names: &JobNames) -> Vec<u64> {
        let mut executions: Vec<u64> =
            [names.root(), names.execution].into_iter().flatten().collect();
        executions.dedup();
        executions.retain(|execution| !self.jobs.executions_ended.contains(*execution));
        for &execution in &executions {
            let open = self.jobs.executions.entry(execution).or_default();
            open.active += 1;
            open.job.get_or_insert((at, spot));
        }
        executions
    }

    pub(super) fn job_ended(&mut self, at: Millis, job: u32) -> bool {
        let again = !self.jobs.ended.insert(job.into());
        if !self.new_unless(again) {
            return false;
        }
        if !self.jobs.started.contains(job.into()) {
            self.orphans.ends.push((at, job));
        }
        self.close_job(at, job);
        true
    }

    fn close_job(&mut self, at: Millis, job: u32) {
        let Some(closed) = self.jobs.open.remove(&job) else { return };
        let mut over: FxHashSet<u32> = FxHashSet::default();
        for &stage in &closed.stages {
            let Some(listing) = self.jobs.of_stage.get_mut(&stage) else { continue };
            listing.retain(|other| *other != job);
            if listing.is_empty() {
                self.jobs.of_stage.remove(&stage);
                over.insert(stage);
            }
        }
        for (_, open) in self.stages.open.iter_mut().filter(|(key, _)| over.contains(&key.stage)) {
            open.over = Some(at);
        }
        for execution in closed.executions {
            if let Some(open) = self.jobs.executions.get_mut(&execution) {
                open.active = open.active.saturating_sub(1);
                open.job_ended = open.job_ended.max(Some(at));
            }
        }
    }

    /// A stage has ended.
    pub(super) fn stage_over(&mut self, at: Millis, stage: u32, success: bool) {
        self.orphan_ended(at, stage);
        for job in self.jobs.of_stage.get(&stage).into_iter().flatten() {
            let Some(job) = self.jobs.open.get_mut(job) else { continue };
            job.stage_ended = job.stage_ended.max(Some(at));
            if success && job.last == Some(stage) {
                job.done = Some(at);
            }
        }
    }

    /// A stage has no end when the log has.
    pub(super) fn still_open(&mut self, stage: u32) {
        for job in self.jobs.of_stage.get(&stage).into_iter().flatten() {
            if let Some(job) = self.jobs.open.get_mut(job) {
                job.at_work = true;
            }
        }
    }

    pub(super) fn execution_started(&mut self, execution: u64) -> bool {
        self.jobs.tells_executions = true;
        // Each session of some applications counts its executions from 0.
        let anew = self.jobs.executions_started.contains(execution)
            && self.jobs.executions_ended.remove(execution);
        let again = !self.jobs.executions_started.insert(execution) && !anew;
        if again || self.jobs.executions_ended.contains(execution) {
            self.new_unless(again);
            return false;
        }
        self.jobs.executions.entry(execution).or_default();
        true
    }

    pub(super) fn execution_ended(&mut self, execution: u64) -> bool {
        self.jobs.tells_executions = true;
        let again = !self.jobs.executions_ended.insert(execution);
        if !self.new_unless(again) {
            return false;
        }
        let open = self.jobs.executions.remove(&execution).unwrap_or_default();
        if !self.jobs.executions_started.contains(execution)
            && let Some(job) = open.job
        {
            self.execution_begins(execution, job);
            let mark = SparkEvent::Rebuilt(Rebuilt::Execution(execution));
            self.lost.push(self.now, Spot::Before(self.number), mark);
        }
        true
    }

    fn execution_begins(&mut self, execution: u64, (at, spot): (Millis, Spot)) {
        let event = SparkEvent::ExecutionStart { execution, description: None };
        self.lost.push(at, spot, event);
        self.lost.tally.execution_starts += 1;
    }

    /// Jobs whose ends are lost.
    pub(super) fn finish_jobs(&mut self) {
        let mut ends: Vec<(u32, Millis)> = Vec::new();
        for (&number, job) in &self.jobs.open {
            let done = job.done.filter(|at| self.is_past(*at));
            let stopped =
                || (self.ended && !job.at_work).then(|| job.stage_ended.unwrap_or(job.began));
            ends.extend(done.or_else(stopped).map(|at| (number, at)));
        }
        ends.sort_unstable();
        for (job, at) in ends {
            self.close_job(at, job);
            self.lost.push(at, Spot::Last, SparkEvent::Rebuilt(Rebuilt::Job(job)));
            self.lost.push(at, Spot::Last, SparkEvent::JobEnd { job });
            self.lost.tally.job_ends += 1;
        }
    }

    /// SQL executions that have lost their begin or end.
    pub(super) fn finish_executions(&mut self) {
        if !self.jobs.tells_executions {
            return;
        }
        let mut open: Vec<_> = std::mem::take(&mut self.jobs.executions).into_iter().collect();
        open.sort_unstable_by_key(|(execution, _)| *execution);
        for (execution, open) in open {
            if let (false, Some(job)) = (self.jobs.executions_started.contains(execution), open.job)
            {
                self.execution_begins(execution, job);
            }
            if let (true, 0, Some(at)) = (self.ended, open.active, open.job_ended) {
                let mark = SparkEvent::Rebuilt(Rebuilt::Execution(execution));
                self.lost.push(at, Spot::Last, mark);
                self.lost.push(at, Spot::Last, SparkEvent::ExecutionEnd { execution });
                self.lost.tally.execution_ends += 1;
            }
        }
    }
}
