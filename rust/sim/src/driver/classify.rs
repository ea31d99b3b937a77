//! Where a set queues: among the open ones, among those that wait for locality, or nowhere.

use crate::cluster::executors::Waiter;
use crate::driver::state::Driver;
use crate::driver::tasks::set::{Class, TaskSet};
use holdfast_engine::Time;
use std::cmp::Reverse;

/// Brings a set's place up to date. Not while a round goes on: its order is that of its beginning.
pub(crate) fn classify(driver: &mut Driver<'_>, set: u32) {
    let moves = driver.queues.order.moves(driver.tasks.sets[set as usize].lane);
    let key = moves.then(|| key_of(driver, set));
    let s = &mut driver.tasks.sets[set as usize];
    let class = s.class_now();
    let key = key.unwrap_or(s.queued.key);
    if class == Class::Local
        && s.queued.class != Class::Local
        && s.heard.missed != driver.admission.missed
    {
        // While any executor did, it was left out of rounds together with others.
        s.queued.owed = true;
    }
    if class == Class::Local && s.queued.owed && !s.queued.listed {
        s.queued.listed = true;
        driver.queues.owed.push(set);
    }
    if class == s.queued.class
        && key == s.queued.key
        && (class != Class::Local || s.queued.registered)
    {
        return;
    }
    let (was, old, lane) = (s.queued.class, s.queued.key, s.lane);
    s.queued.class = class;
    s.queued.key = key;
    if (was == Class::Local) != (class == Class::Local) {
        if class == Class::Local {
            driver.queues.local.insert(set)
        } else {
            driver.queues.local.remove(&set)
        };
    }
    if was == Class::Open {
        driver.queues.order.put(lane, old, set, false);
    }
    if class == Class::Open {
        driver.queues.order.put(lane, key, set, true);
    }
    if class == Class::Local {
        register(driver, set);
    }
}

pub(crate) fn key_of(driver: &Driver<'_>, set: u32) -> u128 {
    let s = &driver.tasks.sets[set as usize];
    let pool = driver.queues.order.lanes[s.lane as usize].pool;
    driver.queues.order.key(
        pool,
        driver.dag.jobs[s.source.job as usize].id,
        driver.dag.stages[s.stage as usize].id,
        s,
    )
}

/// Tells its executors and hosts that a set waits, and plans the end of its wait.
fn register(driver: &mut Driver<'_>, set: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    if !s.queued.registered {
        driver.tasks.stamps += 1;
        s.queued.stamp = driver.tasks.stamps;
        driver.tasks.calls[set as usize] = if s.count.waiting > 0 { s.queued.stamp } else { 0 };
        s.queued.registered = true;
        s.queued.wait_planned = false;
        let stamp = s.queued.stamp;
        for place in s.pending.executors.places() {
            if s.waits_for(place, false) {
                let executor = s.pending.executors.key(place);
                driver.cluster.wait_at_executor(executor, Waiter { set, stamp, place });
            }
        }
        for place in s.pending.hosts.places() {
            // A set that waits for a host's only executor is found at that executor.
            let host = s.pending.hosts.key(place);
            let only = driver.cluster.only_one(host);
            let there = |executor| s.pending.all_prefer(executor, place);
            if !only.is_some_and(there) && s.waits_for(place, true) {
                driver.cluster.wait_at_host(host, Waiter { set, stamp, place });
            }
        }
    }
    if !s.queued.wait_planned && s.delay.until() != Time::NEVER {
        s.queued.wait_planned = true;
        driver.queues.waits.push(Reverse((s.delay.until(), s.queued.stamp, set)));
    }
}

/// Computes a set's locality levels, with the executors that are there (`recomputeLocality`).
pub(crate) fn levels_anew(driver: &mut Driver<'_>, set: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    s.heard.seen = driver.cluster.introduced;
    if s.life.zombie {
        return;
    }
    let cluster = &driver.cluster;
    let levels = TaskSet::levels(&s.pending, |e| cluster.stays(e), |h| cluster.host_stays(h));
    s.delay.recompute(levels);
    s.queued.fresh = true;
    s.queued.owed = true;
    s.queued.registered = false;
    classify(driver, set);
}

/// Takes a set out of everything that offers it something.
pub(crate) fn take_out(driver: &mut Driver<'_>, set: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    s.life.zombie = true;
    s.queued.stamp = 0;
    driver.tasks.calls[set as usize] = 0;
    s.queued.registered = false;
    classify(driver, set);
}
