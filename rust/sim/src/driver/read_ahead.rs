//! Reading ahead: what comes next, brought nearer before its turn.
//!
//! What an attempt's end touches has not been looked at for as long as its task ran. In a large cluster that is far away in
//! memory, in some thirty places, of which each step would wait for one after the other. Here they are read for many ends
//! at once, in passes of which none waits for what it reads itself. Nothing follows from what is read.

use std::hint::black_box;
use std::ops::BitXor;

use holdfast_engine::{AttemptId, ExecutorId};

use crate::cluster::executors::Waiter;
use crate::driver::state::{Event, Host};
use crate::driver::tasks::attempt::Attempt;
use crate::driver::tasks::set::TaskSet;

/// So many sets that wait for locality are read at an executor and its host.
const MOST_WAITERS: usize = 4;
/// The executors of so many offers are read at a time.
const MOST_OFFERS: usize = 32;

/// What is being read.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    /// Attempts that end soon.
    ending: Vec<Attempt>,
    /// Executors that are offered soon.
    executors: Vec<u32>,
}

impl Host<'_> {
    /// Reads what the events that come next are about.
    pub(crate) fn read_ahead(&mut self) {
        let attempts = &self.attempts;
        let known = |event| match event {
            Event::End(attempt) => attempts.get(attempt as usize).copied(),
            _ => None,
        };
        self.ahead.ending.clear();
        self.ahead.ending.extend(self.queue.soon().filter_map(known));
        if self.ahead.ending.is_empty() {
            return;
        }
        let passes = [Self::read_tables, Self::read_lists, Self::read_waiters, Self::read_waiting];
        for pass in passes {
            black_box(self.ahead.ending.iter().map(|a| pass(self, a)).fold(0, u64::bitxor));
        }
        if let Some(engine) = self.wire.engine() {
            engine.read_ahead(self.ahead.ending.iter().map(|a| AttemptId(a.number)));
        }
    }

    /// The attempt's set and executor: all that an end looks at of them.
    fn read_tables(&self, a: &Attempt) -> u64 {
        let e = &self.cluster.executors[a.executor as usize];
        let there = u64::from(e.free.0[0]) ^ e.waiters.len() as u64;
        let set = self.sets.get(a.set as usize);
        there
            ^ set.map_or(0, |s| {
                u64::from(s.running) ^ u64::from(s.finished) ^ s.stamp ^ u64::from(s.stage_attempt)
            })
    }

    /// What they refer to.
    fn read_lists(&self, a: &Attempt) -> u64 {
        let e = &self.cluster.executors[a.executor as usize];
        let near =
            if e.host_has_waiters { self.cluster.hosts[e.host as usize].waiters.len() } else { 0 };
        let waiter = e.waiters.first().map_or(0, |w| w.stamp);
        let set = self.sets.get(a.set as usize);
        near as u64
            ^ waiter
            ^ set.map_or(0, |s| {
                u64::from(s.tasks[a.task as usize].copies)
                    ^ u64::from(self.stages[s.stage as usize].missing)
            })
    }

    /// Sets that would like to run there, and whether the stage is done.
    fn read_waiters(&self, a: &Attempt) -> u64 {
        let e = &self.cluster.executors[a.executor as usize];
        let near = e.host_has_waiters.then(|| &self.cluster.hosts[e.host as usize].waiters);
        let calling = self.calling(e.waiters.iter().chain(near.into_iter().flatten()));
        let set = self.sets.get(a.set as usize);
        calling.fold(0, |read, (s, _)| read ^ u64::from(s.waiting) ^ s.stamp)
            ^ set.map_or(0, |s| {
                let stage = &self.stages[s.stage as usize];
                let partition = s.partition(a.task);
                u64::from(stage.is_done(partition))
                    ^ u64::from(self.jobs[stage.job as usize].over)
                    ^ stage.ran_on.get(partition as usize).map_or(0, |&e| u64::from(e))
            })
    }

    /// The task that a set which waits there would launch.
    fn read_waiting(&self, a: &Attempt) -> u64 {
        let e = &self.cluster.executors[a.executor as usize];
        self.calling(e.waiters.iter()).fold(0, |read, (s, place)| read ^ s.peek(place))
    }

    /// Sets that wait, of the first of these entries, and the places of their lists.
    fn calling<'a>(
        &'a self,
        waiters: impl Iterator<Item = &'a Waiter>,
    ) -> impl Iterator<Item = (&'a TaskSet, u32)> {
        let calling = waiters.take(MOST_WAITERS).filter(|w| self.calls[w.set as usize] == w.stamp);
        calling.filter_map(|w| Some((self.sets.get(w.set as usize)?, w.place)))
    }

    /// Reads the executors that a set's next launches take when any will do: from that offer on. The first offer of which
    /// the executor has not been read.
    pub(crate) fn read_offers(&mut self, set: u32, number: usize) -> usize {
        let wanted = (self.sets[set as usize].waiting as usize).min(MOST_OFFERS);
        self.ahead.executors.clear();
        for next in number..number + wanted {
            self.ahead.executors.extend(self.offers.get(next, &self.cluster));
        }
        self.read_executors(self.ahead.executors.iter().copied());
        number + wanted.max(1)
    }

    /// Reads the executors near to a set's tasks.
    pub(crate) fn read_near(&self) {
        self.read_executors(self.near.iter().map(|&(_, executor)| executor));
    }

    /// Reads what is free on executors; some may never have joined.
    pub(crate) fn read_free(&self, executors: impl Iterator<Item = u32>) {
        let free = |executor| self.cluster.executors.get(executor as usize).map(|e| e.free.0[0]);
        black_box(executors.filter_map(free).fold(0, u32::bitxor));
    }

    fn read_executors(&self, executors: impl ExactSizeIterator<Item = u32> + Clone) {
        // A single one is not waited for longer when its turn comes.
        if executors.len() < 2 {
            return;
        }
        self.read_free(executors.clone());
        if let Some(engine) = self.wire.engine() {
            engine.read_ahead_on(executors.map(ExecutorId));
        }
    }
}
