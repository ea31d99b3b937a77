//! One executor offered to one set (`TaskSetManager.resourceOffer` of Spark 4.1).

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::round::ask::{allowed, ask};
use crate::driver::round::copies::{take_copy, take_picked};
use crate::driver::round::launch::launch;
use crate::driver::round::turn::{Pass, Turn};
use crate::driver::state::Driver;
use crate::driver::tasks::set::TaskSet;
use holdfast_engine::Choice;

/// Offers one executor to a set. Returns whether it launched.
pub(crate) fn try_offer(
    driver: &mut Driver<'_>,
    pass: &mut Pass,
    executor: u32,
    turn: &mut Turn,
) -> bool {
    let (set, most) = (pass.set, pass.most);
    let Some(held) = ask(driver, set, executor, turn) else { return false };
    let site = Site { executor, host: driver.cluster.executors[executor as usize].host };
    let picked = picked(driver, set, site);
    if picked == Picked::Nothing {
        return false;
    }
    let allowed = allowed(driver, set, most);
    let found = find(driver, pass, site, (picked, allowed)).or_else(|| {
        let s = &mut driver.tasks.sets[set as usize];
        let widens =
            held && most > Level::NoPreference && s.count.waiting > 0 && !s.delay.is_last();
        let found = if widens { take(s, site, most, picked) } else { None };
        found.map(|found| (found, false, true))
    });
    let Some((found, copy, widened)) = found else {
        turn.rejected |= most == Level::Any && driver.tasks.sets[set as usize].is_schedulable();
        return false;
    };
    let (task, level) = found;
    turn.nearest = Some(turn.nearest.map_or(level, |nearest| nearest.min(level)));
    turn.widened |= widened;
    if !widened {
        turn.ordinary = Some(turn.ordinary.map_or(level, |nearest| nearest.min(level)));
    }
    pass.launches += 1;
    turn.exhausted = None;
    launch(driver, set, task, level, executor, copy);
    true
}

/// What the engine wants of a set.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Picked {
    /// What Spark would take.
    Usual,
    /// A pending task by its size: see [`Choice::Pending`].
    Sized(bool, u32),
    /// A copy of a task.
    Copy(u32),
    /// No task now, though some wait.
    Nothing,
}

/// Asks the engine what a set launches next there. A copy that may not run there is left to Spark's choice.
fn picked(driver: &mut Driver<'_>, set: u32, site: Site) -> Picked {
    let s = &mut driver.tasks.sets[set as usize];
    if !driver.shim.wire.picks {
        return Picked::Usual;
    }
    if s.count.waiting == 0 && !s.source.units.is_empty() {
        // What was taken by its size is still in the lists.
        s.pending.clear();
    }
    match driver.shim.wire.pick(s.id, site.executor) {
        Choice::Host => Picked::Usual,
        // Spark comes upon that, and clears its lists.
        Choice::Nothing if s.count.waiting == 0 => Picked::Usual,
        Choice::Nothing => Picked::Nothing,
        Choice::Pending { largest, most } => Picked::Sized(largest, most),
        Choice::Copy(task) => {
            take_picked(driver, set, task, site.executor).map_or(Picked::Usual, Picked::Copy)
        }
    }
}

/// Takes a task without widening. Returns it, whether it is a copy, and whether its level says nothing of where pending
/// tasks are launched: that of a picked copy.
fn find(
    driver: &mut Driver<'_>,
    pass: &Pass,
    site: Site,
    (picked, allowed): (Picked, Level),
) -> Option<((u32, Level), bool, bool)> {
    if let Picked::Copy(task) = picked {
        return Some(((task, allowed), true, true));
    }
    let s = &mut driver.tasks.sets[pass.set as usize];
    if let Some(found) = take(s, site, allowed, picked) {
        return Some((found, false, false));
    }
    take_copy(driver, pass.set, site, allowed).map(|found| (found, true, false))
}

/// Takes a pending task: in the order of sizes where these are known, else in Spark's.
fn take(s: &mut TaskSet, site: Site, furthest: Level, picked: Picked) -> Option<(u32, Level)> {
    match picked {
        Picked::Sized(largest, most) if !s.source.units.is_empty() => {
            s.take_sized(site, furthest, (largest, most))
        }
        Picked::Usual | Picked::Sized(..) | Picked::Copy(_) | Picked::Nothing => {
            s.take(site, furthest)
        }
    }
}
