//! A round of offers (`TaskSchedulerImpl.resourceOffers` of Spark 4.1, and what the shim adds to it).
//!
//! Spark asks every set about every executor, level by level. Here a set is looked at only where an answer could be
//! something else than "no, and nothing changes": the crate's README says why that is the same.

use crate::driver::classify::classify;
use crate::driver::decisions::{tell, tell_profile};
use crate::driver::order::Cursor;
use crate::driver::round::admit::{admit, wake_waiters};
use crate::driver::round::exhaustive::exhaustive_round;
use crate::driver::round::gather::{gather, join_holders, join_owed};
use crate::driver::round::launch::start;
use crate::driver::round::visit::visit;
use crate::driver::state::Driver;
use holdfast_engine::{Event as EngineEvent, ExecutorId, ProfileId};

/// Offers all executors with room (`makeOffers()`).
pub(crate) fn offer_all(driver: &mut Driver<'_>) {
    if !driver.cluster.free.is_empty() {
        driver.round.offers.begin_all(driver.shuffle(), &driver.cluster);
        round(driver, None);
    }
}

/// Offers an executor (`makeOffers(executor)`); a backend without a timer offers everything instead.
pub(crate) fn offer(driver: &mut Driver<'_>, executor: u32) {
    let is_new = !driver.cluster.executors[executor as usize].known;
    if !is_new && !driver.cluster.has_room(executor) {
        return;
    }
    if driver.world.spark.revive_ms == 0 {
        driver.round.offers.begin_all(driver.shuffle(), &driver.cluster);
    } else {
        driver.round.offers.begin_single(executor);
    }
    round(driver, is_new.then_some(executor));
}

/// Tells the engine of an executor that is offered for the first time.
fn introduce(driver: &mut Driver<'_>, executor: u32) {
    tell_profile(driver, 0);
    let e = &mut driver.cluster.executors[executor as usize];
    e.known = true;
    let capacity = e.capacity;
    driver.cluster.introduced += 1;
    let (executor, profile) = (ExecutorId(executor), ProfileId(0));
    tell(driver, EngineEvent::ExecutorAdded { executor, profile, capacity });
}

/// Makes a round of the offers that have begun; `new` is an executor that joins with it.
pub(crate) fn round(driver: &mut Driver<'_>, new: Option<u32>) {
    // What is over is over in this round, however late the timer is.
    if driver.shim.wire.is_overdue(driver.agenda.now) {
        tell(driver, EngineEvent::Tick);
    }
    if let Some(executor) = new {
        introduce(driver, executor);
    }
    if driver.exhaustive {
        exhaustive_round(driver, new.is_some());
        return finish_round(driver);
    }
    wake_waiters(driver);
    admit(driver, new.is_some());
    driver.queues.order.begin();
    driver.round.in_round = true;
    gather(driver);
    let (mut cursor, mut blocked, mut epoch) = (None, refused(driver), driver.round.epoch);
    driver.admission.missed += u64::from(blocked != 0 || !driver.admission.shared_admitted);
    while has_offers(driver) {
        if epoch != driver.round.epoch {
            (blocked, epoch) = (refused(driver), driver.round.epoch);
            join_owed(driver, cursor);
        }
        let Some((at, set)) = next_set(driver, cursor, blocked) else { break };
        cursor = Some(at);
        let turn = visit(driver, set);
        let s = &driver.tasks.sets[set as usize];
        if turn.vetoed && !turn.launched && !turn.settled && s.kind.shared {
            blocked |= 1 << s.kind.profile;
            driver.admission.missed += 1;
        }
        driver.round.touched.push(set);
        join_holders(driver, at);
    }
    driver.round.in_round = false;
    finish_round(driver);
}

/// Returns the profiles of which sets that share asks get no slot in this round, as far as it is known.
fn refused(driver: &Driver<'_>) -> u64 {
    match driver.round.offers.single() {
        Some(executor) => driver.cluster.executors[executor as usize].refused(),
        None if driver.cluster.open == 0 => u64::MAX,
        None => 0,
    }
}

/// Returns whether an offer is left that has room.
fn has_offers(driver: &Driver<'_>) -> bool {
    match driver.round.offers.single() {
        Some(executor) => driver.cluster.has_room(executor),
        None => !driver.cluster.free.is_empty(),
    }
}

/// Returns the next set behind `cursor` in the order of the round.
fn next_set(
    driver: &mut Driver<'_>,
    cursor: Option<Cursor>,
    blocked: u64,
) -> Option<(Cursor, u32)> {
    let admitted = driver.admission.shared_admitted;
    let sits_out =
        |shared: bool, profile: u32| shared && (!admitted || blocked & (1 << profile) != 0);
    let mut after = cursor;
    loop {
        let open = driver.queues.order.next(after, |lane| sits_out(lane.shared, lane.profile));
        let behind = after.map_or(0, |after| driver.round.extras.partition_point(|e| e.0 <= after));
        let next = match (open, driver.round.extras.get(behind).copied()) {
            (Some(open), Some(extra)) => open.min(extra),
            (open, extra) => open.or(extra)?,
        };
        let s = &driver.tasks.sets[next.1 as usize];
        if !s.life.zombie && !s.queued.skipped && !sits_out(s.kind.shared, s.kind.profile) {
            return Some(next);
        }
        driver.tasks.sets[next.1 as usize].queued.owed = true;
        driver.round.touched.push(next.1);
        after = Some(next.0);
    }
}

/// Applies what a round has changed: where sets queue, and what runs from now on.
fn finish_round(driver: &mut Driver<'_>) {
    driver.round.new_holders.clear();
    let mut touched = std::mem::take(&mut driver.round.touched);
    for set in touched.drain(..) {
        classify(driver, set);
    }
    driver.round.touched = touched;
    let mut launched = std::mem::take(&mut driver.round.launched);
    // The backend sends them off executor by executor.
    launched.sort_by_key(|&(place, _)| place);
    for (_, attempt) in launched.drain(..) {
        start(driver, attempt);
    }
    driver.round.launched = launched;
}
