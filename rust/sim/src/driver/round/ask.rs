//! What a set may look at in a round: the engine's answer, and the locality level that is allowed.

use crate::cluster::level::Level;
use crate::driver::round::turn::{Pass, Turn};
use crate::driver::state::Driver;
use holdfast_engine::Verdict;

/// Returns whether a set may look at an offer, and whether the slot is held for it; `None` if it may not.
pub(crate) fn ask(
    driver: &mut Driver<'_>,
    set: u32,
    executor: u32,
    turn: &mut Turn,
) -> Option<bool> {
    let s = &driver.tasks.sets[set as usize];
    let e = &driver.cluster.executors[executor as usize];
    let free = e.free;
    if !free.covers(&s.kind.demand) {
        return None;
    }
    let by_holds = s.kind.by_holds && !driver.exhaustive;
    if by_holds && e.holders().is_empty() {
        return Some(false);
    }
    if by_holds && e.refused() & (1 << s.kind.profile) != 0 {
        turn.vetoed = true;
        return None;
    }
    match driver.shim.wire.verdict(s.id, executor, &free) {
        Verdict::Allow => Some(false),
        Verdict::AllowHeld => Some(true),
        Verdict::Veto(_) => {
            turn.vetoed = true;
            if by_holds {
                driver.cluster.refuse(executor, s.kind.profile);
            }
            None
        }
    }
}

/// Returns whether the engine lets the set look at some offer.
pub(crate) fn is_offered_something(driver: &mut Driver<'_>, set: u32, turn: &mut Turn) -> bool {
    let mut number = driver.round.offers.first(&driver.cluster);
    while let Some(executor) = driver.round.offers.get(number, &driver.cluster) {
        if ask(driver, set, executor, turn).is_some() {
            return true;
        }
        number += 1;
    }
    false
}

/// Returns whether the engine lets the set look at an offer that is left of this pass: behind its latest launch, if it
/// has one.
pub(crate) fn has_next(driver: &mut Driver<'_>, pass: &Pass) -> bool {
    let mut ignored = Turn::default();
    let mut after = pass.after;
    while let Some((place, executor)) = driver.round.offers.behind(after, &driver.cluster) {
        after = Some(place);
        if ask(driver, pass.set, executor, &mut ignored).is_some() {
            return true;
        }
    }
    false
}

/// Returns the level that is allowed now, no further than `most`.
pub(crate) fn allowed(driver: &mut Driver<'_>, set: u32, most: Level) -> Level {
    if most == Level::NoPreference {
        return most;
    }
    let now = driver.agenda.now;
    driver.tasks.sets[set as usize].allowed(now).min(most)
}

/// Returns the level of the next offer of this pass: as it will be found there, and changed only then.
pub(crate) fn allowed_next(driver: &Driver<'_>, pass: &Pass) -> Level {
    let s = &driver.tasks.sets[pass.set as usize];
    let current = s.delay.current();
    if pass.most == Level::NoPreference { pass.most } else { current.min(pass.most) }
}

/// Returns the level that the next offer would find, if there is one.
pub(crate) fn allowed_after(driver: &mut Driver<'_>, pass: &Pass) -> Level {
    if pass.most == Level::NoPreference || driver.tasks.sets[pass.set as usize].has_more() {
        return allowed_next(driver, pass);
    }
    if has_next(driver, pass) {
        allowed(driver, pass.set, pass.most)
    } else {
        allowed_next(driver, pass)
    }
}
