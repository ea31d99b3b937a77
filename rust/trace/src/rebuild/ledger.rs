//! What has been told of what is open.

use rustc_hash::FxHashMap;

use super::Rebuilt;
use super::jobs::Jobs;
use super::orphans::Orphans;
use super::stages::Stages;
use super::tasks::Tasks;
use crate::order::Order;
use crate::spark_event::{Millis, SparkEvent};

/// Takes events in the order of their times. Its memory is that of what is open, a bit for each task, stage, job and
/// SQL execution, and what is lost.
#[derive(Default)]
pub(crate) struct Ledger {
    /// Events so far, those included that come again.
    pub(super) number: u64,
    pub(super) now: Millis,
    /// Whether the application has ended.
    pub(super) ended: bool,
    pub(super) tasks: Tasks,
    pub(super) stages: Stages,
    pub(super) jobs: Jobs,
    pub(super) orphans: Orphans,
    /// When executors that are there registered.
    executors: FxHashMap<u32, Millis>,
    pub(super) lost: Rebuilt,
}

impl Ledger {
    /// Takes the next event; returns whether it is to be told. One is not if it has been told, or if what came before
    /// it already says that it must have been: a begin after its own end.
    pub(crate) fn take(&mut self, at: Millis, event: &SparkEvent) -> bool {
        self.number += 1;
        self.now = at;
        match event {
            SparkEvent::TaskStart(run) => self.task_started(at, run),
            SparkEvent::TaskEnd { run, success, .. } => self.task_ended(at, run, *success),
            SparkEvent::Resubmitted { run, finished } => self.resubmitted(run, *finished),
            SparkEvent::StageSubmitted(info) => self.stage_submitted(at, info),
            SparkEvent::StageCompleted { info, submitted, success } => {
                self.stage_completed(at, info, *submitted, *success)
            }
            SparkEvent::JobStart(start) => self.job_started(at, start),
            SparkEvent::JobEnd { job } => self.job_ended(at, *job),
            SparkEvent::ExecutionStart { execution, .. } => self.execution_started(*execution),
            SparkEvent::ExecutionEnd { execution } => self.execution_ended(*execution),
            SparkEvent::ExecutorAdded(added) => {
                let before = self.executors.insert(added.executor, at);
                self.new_unless(before == Some(at))
            }
            SparkEvent::ExecutorRemoved(executor) => {
                self.executors.remove(executor);
                true
            }
            SparkEvent::ApplicationEnd => {
                self.ended = true;
                true
            }
            _ => true,
        }
    }

    /// Returns the number of the event that was taken last.
    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    pub(super) const fn new_unless(&mut self, again: bool) -> bool {
        self.lost.tally.twice += again as u64;
        !again
    }

    /// Returns whether what happened last then would have been followed by something, if there were more to come.
    pub(super) const fn is_past(&self, at: Millis) -> bool {
        self.ended || self.now > at.saturating_add(Order::WINDOW)
    }

    /// Returns what was lost, when all has been taken.
    pub(crate) fn finish(mut self) -> Rebuilt {
        self.finish_stages();
        self.finish_tasks();
        self.finish_orphans();
        self.finish_jobs();
        self.finish_executions();
        self.lost.sort();
        self.lost.tell();
        self.lost
    }
}
