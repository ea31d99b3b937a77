//! Sets that are not open, and that some offer of a round may concern.

use crate::cluster::executors::Waiter;
use crate::cluster::level::Level;
use crate::driver::order::Cursor;
use crate::driver::state::Driver;
use crate::driver::tasks::set::{Class, TaskSet};

/// Finds sets that are not open, and that some offer of this round may concern.
pub(crate) fn gather(driver: &mut Driver<'_>) {
    driver.round.extras.clear();
    match driver.round.offers.single() {
        Some(executor) => gather_on(driver, executor),
        None if driver.world.spark.revive_ms == 0 => {
            for i in 0..driver.cluster.free.len() {
                let executor = driver.cluster.free[i];
                gather_on(driver, executor);
            }
        }
        None => {
            gather_owed(driver);
            gather_reopened(driver);
            driver.round.reopened.clear();
            for i in 0..driver.queues.special.len() {
                let set = driver.queues.special[i];
                add_extra(driver, set);
            }
        }
    }
    driver.round.extras.sort_unstable();
    driver.round.extras.dedup();
}

/// Adds sets that are owed a look.
fn gather_owed(driver: &mut Driver<'_>) {
    if driver.cluster.open == 0 {
        // They are refused everything; the others are asked in every round of all.
        return;
    }
    let mut owed = std::mem::take(&mut driver.queues.owed);
    owed.retain(|&set| {
        let Some(s) = driver.tasks.sets.get_mut(set as usize) else { return false };
        s.queued.listed = s.queued.owed && s.queued.class == Class::Local;
        if s.queued.listed {
            driver.round.extras.push((driver.queues.order.cursor(s), set));
        }
        s.queued.listed
    });
    driver.queues.owed = owed;
}

/// Adds sets that executors concern where a hold has ended.
fn gather_reopened(driver: &mut Driver<'_>) {
    for i in 0..driver.round.reopened.len() {
        if driver.cluster.has_room(driver.round.reopened[i]) {
            let executor = driver.round.reopened[i];
            gather_on(driver, executor);
        }
    }
}

/// Adds sets that wait at an executor, or hold something there.
fn gather_on(driver: &mut Driver<'_>, executor: u32) {
    let Driver { cluster, tasks, queues, round, .. } = driver;
    let (sets, calls) = (&mut tasks.sets, &tasks.calls);
    let (order, extras) = (&queues.order, &mut round.extras);
    let e = &mut cluster.executors[executor as usize];
    let calls = |w: &Waiter| calls[w.set as usize] == w.stamp;
    e.waiters.retain(|w| {
        let waits = |s: &mut TaskSet| s.waits_for(w.place, false);
        let found = |s: &TaskSet| extras.push((order.cursor(s), w.set));
        calls(w) && concerns(sets, w, waits, |_| true, found)
    });
    let allowed =
        |s: &TaskSet| s.delay.current() >= Level::Node || s.delay.levels().has(Level::NoPreference);
    cluster.tidy_host(executor, |w| {
        let waits = |s: &mut TaskSet| s.waits_for(w.place, true);
        let found = |s: &TaskSet| extras.push((order.cursor(s), w.set));
        calls(w) && concerns(sets, w, waits, allowed, found)
    });
    for i in 0..driver.cluster.executors[executor as usize].holders().len() {
        let owner = driver.cluster.executors[executor as usize].holders()[i];
        add_sets_of(driver, owner);
    }
}

/// Adds the sets of a workflow.
fn add_sets_of(driver: &mut Driver<'_>, owner: u32) {
    for i in 0..driver.shim.workflows[owner as usize].sets.len() {
        let set = driver.shim.workflows[owner as usize].sets[i];
        add_extra(driver, set);
    }
}

/// Adds a set that could launch something.
fn add_extra(driver: &mut Driver<'_>, set: u32) {
    let s = &driver.tasks.sets[set as usize];
    let for_copies = match driver.round.launched.is_empty() {
        true => driver.shim.wire.wants_copies(s.id),
        false => driver.round.copiers.contains(&set),
    };
    if !s.life.zombie && (s.is_schedulable() || for_copies) {
        driver.round.extras.push((driver.queues.order.cursor(s), set));
    }
}

/// Adds the sets that were refused what a hold kept that has just ended.
pub(crate) fn join_owed(driver: &mut Driver<'_>, cursor: Option<Cursor>) {
    if driver.round.offers.single().is_none() && driver.world.spark.revive_ms > 0 {
        gather_owed(driver);
        gather_reopened(driver);
        driver.round.extras.retain(|&(at, _)| cursor.is_none_or(|cursor| at > cursor));
        driver.round.extras.sort_unstable();
        driver.round.extras.dedup();
    }
}

/// Adds the sets behind `at` of workflows for which holds were made just now.
pub(crate) fn join_holders(driver: &mut Driver<'_>, at: Cursor) {
    if driver.round.new_holders.is_empty() {
        return;
    }
    let mut owners = std::mem::take(&mut driver.round.new_holders);
    owners.sort_unstable();
    owners.dedup();
    for &owner in &owners {
        add_sets_of(driver, owner);
    }
    owners.clear();
    driver.round.new_holders = owners;
    driver.round.extras.retain(|&(cursor, _)| cursor > at);
    driver.round.extras.sort_unstable();
    driver.round.extras.dedup();
}

/// Returns whether an executor's or host's entry of a set stays; if the set waits for locality and `allowed`, it is
/// `found`.
fn concerns(
    sets: &mut slab::Slab<TaskSet>,
    waiter: &Waiter,
    prefers: impl Fn(&mut TaskSet) -> bool,
    allowed: impl Fn(&TaskSet) -> bool,
    found: impl FnOnce(&TaskSet),
) -> bool {
    let Some(s) = sets.get_mut(waiter.set as usize).filter(|s| s.queued.stamp == waiter.stamp)
    else {
        return false;
    };
    if s.queued.class == Class::Open && !s.queued.fresh {
        // Any executor will do. Should that end, it registers anew.
        s.queued.registered = false;
        return false;
    }
    // First what the set itself says: where its tasks are listed is further away in memory.
    if s.life.zombie || s.count.waiting == 0 {
        return false;
    }
    let local = s.queued.class == Class::Local;
    if local && !allowed(s) {
        return true;
    }
    let stays = prefers(s);
    if stays && local {
        found(s);
    }
    stays
}
