//! Reading ahead: the books of many attempts, before the end of each is told.

use crate::ledger::keys::ExecutorKey;
use std::hint::black_box;
use std::ops::BitXor;

use smallvec::SmallVec;

use super::Ledger;
use super::attempts::Booked;
use super::executor::Executor;
use crate::api::ids::{AttemptId, ExecutorId};

impl Ledger {
    /// Reads what the ends of these attempts will read, in passes of which none waits for what it reads itself: the places
    /// that one end touches one after the other are far away in memory, and those of many ends are fetched together.
    pub fn read_ahead(&self, attempts: impl Iterator<Item = AttemptId>) {
        let booked = attempts.filter_map(|id| self.attempts.get(id));
        let booked: SmallVec<[Booked; 128]> = booked.collect();
        for pass in [Self::read_tables, Self::read_lists] {
            black_box(booked.iter().map(|b| pass(self, b)).fold(0, u64::bitxor));
        }
    }

    /// Reads these executors.
    pub fn read_ahead_on(&self, executors: impl Iterator<Item = ExecutorId>) {
        let keys = executors.filter_map(|id| self.executors.key(id));
        let keys: SmallVec<[ExecutorKey; 32]> = keys.collect();
        let read = |&key| self.executors.slab.get(key).map_or(0, Executor::read_ahead);
        black_box(keys.iter().map(read).fold(0, u64::bitxor));
    }

    /// Its set, workflow and executor: all that an end looks at of them.
    fn read_tables(&self, b: &Booked) -> u64 {
        let executor = self.executors.slab.get(b.executor).map_or(0, Executor::read_ahead);
        let workflow = self
            .workflows
            .slab
            .get(b.workflow)
            .map_or(0, |w| u64::from(w.running) ^ u64::from(w.slots.using.0[0]));
        let set = self.sets.get(b.set).map_or(0, |s| {
            s.tasks.len() as u64 ^ s.watch.input.local.0 ^ u64::from(s.follows.tasks)
        });
        executor ^ workflow ^ set
    }

    /// What they refer to.
    fn read_lists(&self, b: &Booked) -> u64 {
        let Some(s) = self.sets.get(b.set) else { return 0 };
        let task = s.tasks.get(b.task as usize).map_or(0, |t| t.since.0);
        let job = self.jobs.get(s.job).map_or(0, |job| u64::from(job.unfinished));
        task ^ job ^ s.watch.input.places.read_ahead()
    }
}
