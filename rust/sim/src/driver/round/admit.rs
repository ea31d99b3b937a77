//! Which sets take part in a round (`isSchedulable` of the shim).

use crate::driver::classify::{classify, levels_anew};
use crate::driver::state::Driver;
use crate::driver::tasks::set::Class;
use crate::ids::index;
use std::cmp::Reverse;

/// Ends waits for locality that are over: any executor may do from now on.
pub(crate) fn wake_waiters(driver: &mut Driver<'_>) {
    while let Some(&Reverse((at, stamp, set))) = driver.queues.waits.peek()
        && at <= driver.agenda.now
    {
        driver.queues.waits.pop();
        let Some(s) = driver.tasks.sets.get_mut(set as usize).filter(|s| s.queued.stamp == stamp)
        else {
            continue;
        };
        if s.queued.class == Class::Local && s.delay.until() > driver.agenda.now {
            // It began anew meanwhile.
            driver.queues.waits.push(Reverse((s.delay.until(), stamp, set)));
            continue;
        }
        s.queued.wait_planned = false;
        s.queued.owed = true;
        if s.queued.class == Class::Local {
            s.queued.fresh = true;
            classify(driver, set);
        }
    }
}

/// Finds which sets take part in this round, and computes locality levels anew where executors have joined.
pub(crate) fn admit(driver: &mut Driver<'_>, is_new: bool) {
    let asking = driver.shim.wire.may_skip();
    driver.admission.shared_admitted = true;
    if asking && driver.admission.some_shared {
        // Those that wait for locality are to sit out a round, too, in which a hold ends.
        let waits = |&set: &u32| driver.tasks.sets[set as usize].kind.shared;
        let some = driver.queues.order.some_open(|lane| lane.shared);
        let some = some.or_else(|| driver.queues.local.iter().copied().find(waits));
        let some = some.map(|set| driver.tasks.sets[set as usize].id);
        driver.admission.shared_admitted = some.is_none_or(|id| driver.shim.wire.admits(id));
    }
    if asking || driver.admission.some_skipped {
        driver.admission.some_skipped = false;
        for i in 0..driver.queues.special.len() {
            let set = driver.queues.special[i];
            admit_special(driver, set);
        }
    }
    if is_new || (driver.admission.shared_behind && driver.admission.shared_admitted) {
        levels_of_all(driver);
    }
}

/// Asks whether a set with asks of its own takes part.
fn admit_special(driver: &mut Driver<'_>, set: u32) {
    let s = &mut driver.tasks.sets[set as usize];
    if !s.is_schedulable() {
        // With something to launch it is to be asked for again; with copies only it takes part.
        s.queued.skipped &= !driver.shim.wire.wants_copies(s.id);
        driver.admission.some_skipped |= s.queued.skipped;
        return;
    }
    let was = s.queued.skipped;
    s.queued.skipped = !driver.shim.wire.admits(s.id);
    driver.admission.some_skipped |= s.queued.skipped;
    if was && !s.queued.skipped && s.heard.seen != driver.cluster.introduced {
        levels_anew(driver, set);
    }
}

/// Tells sets that an executor has joined. Sets that sit this round out hear it when they are back.
fn levels_of_all(driver: &mut Driver<'_>) {
    driver.admission.shared_behind = !driver.admission.shared_admitted;
    let sets: Vec<u32> = driver.tasks.sets.iter().map(|(set, _)| index(set)).collect();
    for set in sets {
        let s = &driver.tasks.sets[set as usize];
        let admitted =
            if s.kind.shared { driver.admission.shared_admitted } else { !s.queued.skipped };
        if s.is_schedulable() && admitted && s.heard.seen != driver.cluster.introduced {
            levels_anew(driver, set);
        }
    }
}
