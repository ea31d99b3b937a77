//! The turn of one set in a round: level by level, pass by pass (`TaskSchedulerImpl.resourceOfferSingleTaskSet` and
//! `TaskSetManager.resourceOffer` of Spark 4.1, and the shim's `allowed`).

use crate::cluster::level::Level;
use crate::driver::read_ahead::{read_near, read_offers};
use crate::driver::round::ask::{
    allowed, allowed_after, allowed_next, ask, has_next, is_offered_something,
};
use crate::driver::round::barrier_set::visit_together;
use crate::driver::round::near::{find_near, may_use_holds};
use crate::driver::round::offer::try_offer;
use crate::driver::round::turn::{Pass, Turn};
use crate::driver::state::Driver;

/// Offers to one set, level by level, until nothing more is launched.
pub(crate) fn visit(driver: &mut Driver<'_>, set: u32) -> Turn {
    if driver.tasks.sets[set as usize].kind.together {
        return visit_together(driver, set);
    }
    let mut turn = Turn::default();
    let (levels, before) = {
        let s = &driver.tasks.sets[set as usize];
        (s.delay.levels(), s.delay.current())
    };
    for &level in levels.as_slice() {
        while pass(driver, set, level, &mut turn) {}
        if !turn.settled && !driver.exhaustive {
            // Nothing is offered, at whatever level.
            break;
        }
    }
    let (now, all) = (driver.agenda.now, driver.round.offers.all);
    let s = &mut driver.tasks.sets[set as usize];
    if turn.settled {
        s.queued.fresh = false;
    }
    // Where it was refused for a hold it hears of that when the hold has ended.
    let hears = s.kind.by_holds;
    let sees_all = all && turn.settled && (!turn.vetoed || hears);
    let refused = turn.vetoed && !(hears && turn.settled);
    s.queued.owed = !sees_all && (s.queued.owed || refused || s.delay.current() > before);
    if sees_all {
        s.heard.missed = driver.admission.missed;
    }
    if turn.rejected {
        s.delay.no_rejects = false;
    } else if turn.launched && (all || s.delay.no_rejects) {
        s.delay.launched(now, if turn.widened { turn.ordinary } else { turn.nearest });
        s.delay.no_rejects = true;
        s.queued.fresh = true;
    }
    turn
}

/// Makes one pass over the offers at one level. Returns whether it launched something.
fn pass(driver: &mut Driver<'_>, set: u32, most: Level, turn: &mut Turn) -> bool {
    if driver.exhaustive {
        return exhaustive_pass(driver, set, most, turn);
    }
    // Where nothing is offered nothing changes.
    turn.settled = is_offered_something(driver, set, turn);
    if !turn.settled {
        return false;
    }
    let number = driver.round.offers.first(&driver.cluster);
    let mut pass = Pass::new(set, most, number);
    loop {
        let allowed = allowed(driver, set, most);
        let s = &mut driver.tasks.sets[set as usize];
        let goes_on = if s.goes_anywhere(allowed) {
            pass_anywhere(driver, &mut pass, turn)
        } else {
            if allowed == Level::Any {
                // Nothing waits any more: Spark comes upon that, and clears its lists.
                s.pending.clear();
            }
            pass_near(driver, &mut pass, allowed, turn)
        };
        // Without another offer Spark looks neither at its lists nor at the level any more.
        if !goes_on || !has_next(driver, &pass) {
            break;
        }
    }
    if most == Level::Any && driver.tasks.sets[set as usize].is_schedulable() && pass.launches == 0
    {
        turn.rejected = true;
    }
    turn.launched |= pass.launches > 0;
    pass.launches > 0
}

/// Over all offers that are left. Whether it stopped before the last one, since not any executor will do any more.
fn pass_anywhere(driver: &mut Driver<'_>, pass: &mut Pass, turn: &mut Turn) -> bool {
    while let Some(executor) = driver.round.offers.get(pass.number, &driver.cluster) {
        if pass.number >= pass.read {
            pass.read = read_offers(driver, pass.set, pass.number);
        }
        pass.number += 1;
        let place = driver.round.offers.place(executor);
        if !pass.is_behind(place) || !try_offer(driver, pass, executor, turn) {
            continue;
        }
        pass.after = Some(place);
        let allowed = allowed_next(driver, pass);
        if !driver.tasks.sets[pass.set as usize].goes_anywhere(allowed) {
            return true;
        }
    }
    false
}

/// Over the offers where the set's tasks would like to run, or where its own slots are held. Whether it stopped
/// before the last one, since its tasks may run elsewhere by now.
fn pass_near(driver: &mut Driver<'_>, pass: &mut Pass, allowed: Level, turn: &mut Turn) -> bool {
    if turn.exhausted == Some(allowed) && !may_use_holds(driver, pass.set, pass.most) {
        return false;
    }
    find_near(driver, pass.set, pass.most, allowed);
    read_near(driver);
    let near = std::mem::take(&mut driver.round.near);
    let (from, waited) = (pass.after, driver.tasks.sets[pass.set as usize].count.waiting > 0);
    let mut goes_on = false;
    for &(place, executor) in &near {
        if pass.is_behind(place) && try_offer(driver, pass, executor, turn) {
            pass.after = Some(place);
            let s = &driver.tasks.sets[pass.set as usize];
            goes_on = if s.count.waiting > 0 {
                allowed_after(driver, pass) != allowed
            } else {
                // With nothing left to launch it may be time for copies.
                driver.shim.wire.wants_copies(s.id)
            };
            if goes_on {
                break;
            }
        }
    }
    if pass.most == Level::Any && pass.launches > 0 && waited {
        let waits = driver.tasks.sets[pass.set as usize].count.waiting > 0;
        let until = if goes_on || !waits { pass.after } else { None };
        reject_passed_over(driver, (from, until), pass.set, &near, turn);
    }
    driver.round.near = near;
    turn.exhausted = (pass.launches == 0).then_some(allowed);
    goes_on
}

/// Offers behind the first of two places, and not behind the second, that Spark asked about in vain while something
/// still waited.
fn reject_passed_over(
    driver: &mut Driver<'_>,
    (from, until): (Option<u32>, Option<u32>),
    set: u32,
    near: &[(u32, u32)],
    turn: &mut Turn,
) {
    let (mut after, mut ignored) = (from, Turn::default());
    while let Some((place, executor)) = driver.round.offers.behind(after, &driver.cluster) {
        after = Some(place);
        if turn.rejected || until.is_some_and(|until| place > until) {
            return;
        }
        let looked_at = near.binary_search(&(place, executor)).is_ok();
        turn.rejected |= !looked_at && ask(driver, set, executor, &mut ignored).is_some();
    }
}

/// Makes one pass over all offers at one level. Returns whether it launched something.
fn exhaustive_pass(driver: &mut Driver<'_>, set: u32, most: Level, turn: &mut Turn) -> bool {
    let mut pass = Pass::new(set, most, 0);
    while let Some(executor) = driver.round.offers.get(pass.number, &driver.cluster) {
        pass.number += 1;
        try_offer(driver, &mut pass, executor, turn);
    }
    turn.launched |= pass.launches > 0;
    pass.launches > 0
}
