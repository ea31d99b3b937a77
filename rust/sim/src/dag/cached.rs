//! Where the tasks of stages ran whose cached partitions others read.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::world::{Preference, WorkflowSpec};

/// What is remembered of a workflow.
#[derive(Debug)]
pub struct Cached {
    /// Stages that others would like to be near to: job and stage, by their places.
    read: BTreeSet<(usize, usize)>,
    /// Where their partitions ran, of jobs that have ended.
    ran_on: FxHashMap<(usize, usize), Vec<u32>>,
    /// Some stage of the workflow wants to know where others ran.
    pub asks: bool,
}

impl Cached {
    /// Makes the memory of a workflow that has not begun.
    #[must_use]
    pub fn new(workflow: &WorkflowSpec) -> Self {
        let preferences = || {
            let stages = workflow.jobs.iter().flat_map(|job| &job.stages);
            stages.map(|stage| stage.preference)
        };
        let read = preferences().filter_map(|preference| match preference {
            Preference::CachedBy { job, stage } => Some((job, stage)),
            _ => None,
        });
        let read: BTreeSet<_> = read.collect();
        let asks = !read.is_empty()
            || preferences().any(|p| matches!(p, Preference::Before | Preference::Output));
        Self { read, ran_on: FxHashMap::default(), asks }
    }

    /// Returns the stages of a job that others read, by their places in it.
    pub fn read_of(&self, job: usize) -> impl Iterator<Item = usize> {
        self.read.range((job, 0)..(job + 1, 0)).map(|&(_, stage)| stage)
    }

    /// Keeps where the partitions of a stage ran, whose job has ended.
    pub fn keep(&mut self, job: usize, stage: usize, ran_on: Vec<u32>) {
        self.ran_on.insert((job, stage), ran_on);
    }

    /// Returns where they ran, if the job has ended.
    #[must_use]
    pub fn of(&self, job: usize, stage: usize) -> Option<&Vec<u32>> {
        self.ran_on.get(&(job, stage))
    }

    /// Forgets everything, since the workflow is over.
    pub fn clear(&mut self) {
        self.ran_on = FxHashMap::default();
    }
}
