//! One executor offered to one set (`TaskSetManager.resourceOffer` of Spark 4.1).

use crate::cluster::level::Level;
use crate::cluster::place::Site;
use crate::driver::round::ask::{allowed, ask};
use crate::driver::round::copies::take_copy;
use crate::driver::round::launch::launch;
use crate::driver::round::turn::{Pass, Turn};
use crate::driver::state::Driver;

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
    let s = &mut driver.tasks.sets[set as usize];
    let (found, copy, widened) = if let Some(found) = s.take(site, allowed) {
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
