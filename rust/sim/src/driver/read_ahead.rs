//! Reading ahead: what comes next, brought nearer before its turn.
//!
//! What an attempt's end touches has not been looked at for as long as its task ran. In a large cluster that is far
//! away in memory, in some thirty places, of which each step would wait for one after the other. Here they are read for
//! many ends at once, in passes of which none waits for what it reads itself. Nothing follows from what is read.

use crate::cluster::executors::Waiter;
use crate::driver::state::Driver;
use crate::driver::tasks::attempt::Attempt;
use crate::driver::tasks::set::TaskSet;
use crate::host::event::SimEvent;
use holdfast_engine::{AttemptId, ExecutorId};
use std::hint::black_box;
use std::ops::BitXor;

/// Sets that wait for locality of which an executor's entries are read, at most.
const MOST_WAITERS: usize = 4;

/// Offers of which the executors are read at a time, at most.
const MOST_OFFERS: usize = 32;

/// Reads what the events that come next are about.
pub(crate) fn read_ahead(driver: &mut Driver<'_>) {
    if !cfg!(feature = "read-ahead") {
        return;
    }
    let attempts = &driver.tasks.attempts;
    let known = |event| match event {
        SimEvent::End(attempt) => attempts.get(attempt as usize).copied(),
        _ => None,
    };
    driver.ahead.ending.clear();
    driver.ahead.ending.extend(driver.agenda.queue.soon().filter_map(known));
    if driver.ahead.ending.is_empty() {
        return;
    }
    let passes = [read_tables, read_lists, read_waiters, read_waiting];
    for pass in passes {
        black_box(driver.ahead.ending.iter().map(|a| pass(driver, a)).fold(0, u64::bitxor));
    }
    if let Some(engine) = driver.shim.wire.engine() {
        engine.read_ahead(driver.ahead.ending.iter().map(|a| AttemptId(a.number)));
    }
}

/// Reads what an end looks at of the attempt's set and executor.
fn read_tables(driver: &Driver<'_>, a: &Attempt) -> u64 {
    let e = &driver.cluster.executors[a.executor as usize];
    let there = u64::from(e.free.0[0]) ^ e.waiters.len() as u64;
    let set = driver.tasks.sets.get(a.set as usize);
    there
        ^ set.map_or(0, |s| {
            u64::from(s.count.running)
                ^ u64::from(s.life.finished)
                ^ s.queued.stamp
                ^ u64::from(s.source.stage_attempt)
        })
}

/// Reads what they refer to.
fn read_lists(driver: &Driver<'_>, a: &Attempt) -> u64 {
    let e = &driver.cluster.executors[a.executor as usize];
    let near =
        if e.host_has_waiters { driver.cluster.hosts[e.host as usize].waiters.len() } else { 0 };
    let waiter = e.waiters.first().map_or(0, |w| w.stamp);
    let set = driver.tasks.sets.get(a.set as usize);
    near as u64
        ^ waiter
        ^ set.map_or(0, |s| {
            u64::from(s.tasks[a.task as usize].copies)
                ^ u64::from(driver.dag.stages[s.stage as usize].missing)
        })
}

/// Reads sets that would like to run there, and whether the stage is done.
fn read_waiters(driver: &Driver<'_>, a: &Attempt) -> u64 {
    let e = &driver.cluster.executors[a.executor as usize];
    let near = e.host_has_waiters.then(|| &driver.cluster.hosts[e.host as usize].waiters);
    let calling = calling(driver, e.waiters.iter().chain(near.into_iter().flatten()));
    let set = driver.tasks.sets.get(a.set as usize);
    calling.fold(0, |read, (s, _)| read ^ u64::from(s.count.waiting) ^ s.queued.stamp)
        ^ set.map_or(0, |s| {
            let stage = &driver.dag.stages[s.stage as usize];
            let partition = s.partition(a.task);
            u64::from(stage.is_done(partition))
                ^ u64::from(driver.dag.jobs[stage.job as usize].over)
                ^ stage.ran_on.get(partition as usize).map_or(0, |&e| u64::from(e))
        })
}

/// Reads the task that a set which waits there would launch.
fn read_waiting(driver: &Driver<'_>, a: &Attempt) -> u64 {
    let e = &driver.cluster.executors[a.executor as usize];
    calling(driver, e.waiters.iter()).fold(0, |read, (s, place)| read ^ s.peek(place))
}

/// Returns sets that wait, of the first of these entries, and the places of their lists.
fn calling<'a>(
    driver: &'a Driver<'_>,
    waiters: impl Iterator<Item = &'a Waiter>,
) -> impl Iterator<Item = (&'a TaskSet, u32)> {
    let calling =
        waiters.take(MOST_WAITERS).filter(|w| driver.tasks.calls[w.set as usize] == w.stamp);
    calling.filter_map(|w| Some((driver.tasks.sets.get(w.set as usize)?, w.place)))
}

/// Reads the executors that a set's next launches take when any will do: from that offer on. The first offer of which
/// the executor has not been read.
pub(crate) fn read_offers(driver: &mut Driver<'_>, set: u32, number: usize) -> usize {
    if !cfg!(feature = "read-ahead") {
        return usize::MAX;
    }
    let wanted = (driver.tasks.sets[set as usize].count.waiting as usize).min(MOST_OFFERS);
    driver.ahead.executors.clear();
    for next in number..number + wanted {
        driver.ahead.executors.extend(driver.round.offers.get(next, &driver.cluster));
    }
    read_executors(driver, driver.ahead.executors.iter().copied());
    number + wanted.max(1)
}

/// Reads the executors near to a set's tasks.
pub(crate) fn read_near(driver: &Driver<'_>) {
    read_executors(driver, driver.round.near.iter().map(|&(_, executor)| executor));
}

/// Reads what rounds look at of executors.
fn read_executors(driver: &Driver<'_>, executors: impl ExactSizeIterator<Item = u32> + Clone) {
    if !cfg!(feature = "read-ahead") {
        return;
    }
    // A single one is not waited for longer when its turn comes.
    if executors.len() < 2 {
        return;
    }
    driver.cluster.read_free(executors.clone());
    if let Some(engine) = driver.shim.wire.engine() {
        engine.read_ahead_on(executors.map(ExecutorId));
    }
}
