//! One executor offered to one set (`TaskSetManager.resourceOffer` of Spark 4.1).

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::round::ask::{allowed, ask};
use crate::driver::round::copies::{take_copy, take_picked};
use crate::driver::round::launch::launch;
use crate::driver::round::turn::{Pass, Turn};
use crate::driver::state::Driver;
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
    let allowed = allowed(driver, set, most);
    let site = Site { executor, host: driver.cluster.executors[executor as usize].host };
    let picked = picked(driver, set, site, allowed);
    let s = &mut driver.tasks.sets[set as usize];
    let (found, copy, widened) = if let Picked::Task(task, level, copy) = picked {
        ((task, level), copy, false)
    } else if picked == Picked::Nothing {
        turn.rejected |= most == Level::Any && s.is_schedulable();
        return false;
    } else if let Some(found) = s.take(site, allowed) {
        (found, false, false)
    } else if let Some(found) = take_copy(driver, set, site, allowed) {
        (found, true, false)
    } else {
        let s = &mut driver.tasks.sets[set as usize];
        let widens =
            held && most > Level::NoPreference && s.count.waiting > 0 && !s.delay.is_last();
        match if widens { s.take(site, most) } else { None } {
            Some(found) => (found, false, true),
            None => {
                turn.rejected |= most == Level::Any && s.is_schedulable();
                return false;
            }
        }
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
    /// A task at a level, which runs elsewhere if it is a copy.
    Task(u32, Level, bool),
    /// No task now.
    Nothing,
}

/// Asks the engine what a set launches next there. A copy that may not run there is left to Spark's choice.
fn picked(driver: &mut Driver<'_>, set: u32, site: Site, allowed: Level) -> Picked {
    let s = &mut driver.tasks.sets[set as usize];
    if !driver.shim.wire.picks {
        return Picked::Usual;
    }
    if s.count.waiting == 0 {
        // What was taken by its size is still in the lists.
        s.pending.clear();
    }
    match driver.shim.wire.pick(s.id, site.executor) {
        Choice::Host => Picked::Usual,
        Choice::Nothing => Picked::Nothing,
        Choice::Pending { largest, most } => {
            let found = s.take_sized(site, allowed, (largest, most));
            found.map_or(Picked::Nothing, |(task, level)| Picked::Task(task, level, false))
        }
        Choice::Copy(task) => {
            let found = take_picked(driver, set, task, site.executor);
            found.map_or(Picked::Usual, |task| Picked::Task(task, allowed, true))
        }
    }
}
