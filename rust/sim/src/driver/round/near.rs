//! Offers where a set's tasks would like to run, or where its own slots are held.

use crate::cluster::level::Level;
use crate::driver::parts::Round;
use crate::driver::state::Driver;

/// Returns whether own held slots are as good as near ones: without waiting for locality, or for copies.
pub(crate) fn may_use_holds(driver: &Driver<'_>, set: u32, most: Level) -> bool {
    let s = &driver.tasks.sets[set as usize];
    if s.count.waiting > 0 {
        most == Level::Any && driver.shim.wire.may_widen && !s.delay.is_last()
    } else {
        driver.shim.wire.wants_copies(s.id)
    }
}

/// Fills the list of offers where a set's tasks would like to run, or where its own slots are held.
pub(crate) fn find_near(driver: &mut Driver<'_>, set: u32, most: Level, allowed: Level) {
    driver.round.near.clear();
    let s = &driver.tasks.sets[set as usize];
    let own = may_use_holds(driver, set, most);
    let keys = s.pending.executors.known() + s.pending.hosts.known();
    if let Some(executor) = driver.round.offers.single() {
        add_near(driver, set, executor, allowed, own);
    } else if driver.cluster.free.len() <= keys {
        for i in 0..driver.cluster.free.len() {
            let executor = driver.cluster.free[i];
            add_near(driver, set, executor, allowed, own);
        }
    } else {
        add_near_by_key(driver, set, allowed, own);
    }
    driver.round.near.sort_unstable();
    driver.round.near.dedup();
}

/// Adds an executor's offer if the set would like to run there, or holds something there.
fn add_near(driver: &mut Driver<'_>, set: u32, executor: u32, allowed: Level, own: bool) {
    let e = &driver.cluster.executors[executor as usize];
    let s = &mut driver.tasks.sets[set as usize];
    if s.prefers_executor(executor)
        || (allowed >= Level::Node && s.prefers_host(e.host))
        || (own && e.holders().contains(&s.owner))
    {
        driver.round.near.push((driver.round.offers.place(executor), executor));
    }
}

/// Adds the offers of all executors that the set's tasks name.
fn add_near_by_key(driver: &mut Driver<'_>, set: u32, allowed: Level, own: bool) {
    let Driver { tasks, cluster, round, shim, .. } = driver;
    let Round { offers, near, .. } = round;
    let s = &mut tasks.sets[set as usize];
    let (tasks, pending) = (&s.tasks, &mut s.pending);
    let waits = |task: u32| tasks[task as usize].waits();
    let mut add = |executor: u32| near.push((offers.place(executor), executor));
    pending.executors.wanted(|e| cluster.has_room(e), waits, &mut add);
    if allowed >= Level::Node {
        let with_room = |host: u32| cluster.on(host).filter(|&e| cluster.has_room(e));
        let good = |host: u32| with_room(host).next().is_some();
        pending.hosts.wanted(good, waits, |host| with_room(host).for_each(&mut add));
    }
    if own {
        let held = shim.workflows[s.owner as usize].holds.iter().map(|&(_, executor)| executor);
        held.filter(|&executor| cluster.has_room(executor)).for_each(add);
    }
}
