//! Stages that no job lists: the starts of their jobs are lost.

use std::collections::BTreeMap;

use super::{Ledger, Spot};
use crate::bits::Bits;
use crate::spark_event::{JobStart, Millis, PlannedStage, Rebuilt, SparkEvent, StageInfo};

struct Orphan {
    at: Millis,
    spot: Spot,
    info: StageInfo,
    ended: Option<Millis>,
}

#[derive(Default)]
pub(super) struct Orphans {
    listed: Bits,
    stages: BTreeMap<u32, Orphan>,
    /// Ends of jobs that have no start.
    pub(super) ends: Vec<(Millis, u32)>,
}

impl Ledger {
    /// A stage begins; if no job lists it, the job's start is lost.
    pub(super) fn orphan(&mut self, at: Millis, spot: Spot, info: &StageInfo) {
        let stage = info.key.stage;
        if !self.orphans.listed.contains(stage.into()) {
            let mut info = info.clone();
            info.rdds = Vec::new();
            self.orphans.stages.entry(stage).or_insert(Orphan { at, spot, info, ended: None });
        }
    }

    /// A job lists a stage.
    pub(super) fn listed(&mut self, at: Millis, stage: u32) {
        self.orphans.listed.insert(stage.into());
        if self.orphans.stages.get(&stage).is_some_and(|orphan| orphan.at >= at) {
            self.orphans.stages.remove(&stage);
        }
    }

    pub(super) fn orphan_ended(&mut self, at: Millis, stage: u32) {
        if let Some(orphan) = self.orphans.stages.get_mut(&stage) {
            orphan.ended = Some(at);
        }
    }

    /// Makes jobs of them: each belongs to the job without a start that ended next.
    pub(super) fn finish_orphans(&mut self) {
        let mut ends = std::mem::take(&mut self.orphans.ends);
        ends.sort_unstable();
        let mut jobs: BTreeMap<Option<(Millis, u32)>, Vec<Orphan>> = BTreeMap::new();
        for (_, orphan) in std::mem::take(&mut self.orphans.stages) {
            let by = orphan.ended.unwrap_or(orphan.at);
            let end = ends.iter().find(|(at, _)| *at >= by).copied();
            jobs.entry(end).or_default().push(orphan);
        }
        self.lost.tally.unknown_jobs += ends.len() as u64 - jobs.keys().flatten().count() as u64;
        for (end, stages) in jobs {
            self.rebuild_job(end.map(|(_, job)| job), stages);
        }
    }

    fn rebuild_job(&mut self, job: Option<u32>, mut stages: Vec<Orphan>) {
        stages.sort_by_key(|orphan| (orphan.at, orphan.spot));
        let Some((at, spot)) = stages.first().map(|first| (first.at, first.spot)) else { return };
        let number = job.unwrap_or_else(|| self.unused_job());
        let names = stages.iter().find_map(|orphan| orphan.info.names.as_deref().cloned());
        let planned = |orphan: &Orphan| PlannedStage {
            stage: orphan.info.key.stage,
            parents: orphan.info.parents.clone(),
        };
        let start = JobStart {
            job: number,
            stages: stages.iter().map(planned).collect(),
            names: names.unwrap_or_default(),
        };
        if job.is_none() {
            self.jobs.started.insert(number.into());
            self.open_job(at, spot, &start);
            for orphan in &stages {
                match orphan.ended {
                    Some(ended) => self.stage_over(ended, orphan.info.key.stage, true),
                    None => self.still_open(orphan.info.key.stage),
                }
            }
        }
        self.lost.push(at, spot, SparkEvent::JobStart(Box::new(start)));
        self.lost.push(at, Spot::Last, SparkEvent::Rebuilt(Rebuilt::Job(number)));
        self.lost.tally.job_starts += 1;
    }

    fn unused_job(&self) -> u32 {
        let unused = |job: &u32| !self.jobs.started.contains((*job).into());
        (0..u32::MAX).find(unused).unwrap_or(u32::MAX)
    }
}
