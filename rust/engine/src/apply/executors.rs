//! Executors: how they come, change, and go.

use crate::api::decision::EndCause;
use crate::api::event::Outcome;
use crate::api::ids::{AttemptId, ExecutorId, ProfileId, Resources};
use crate::apply::attempts::{remove_attempt, settle};
use crate::holds::choice::least_important_hold;
use crate::holds::ends::end_hold;
use crate::ledger::Side;
use crate::ledger::keys::{ExecutorKey, HoldKey};
use crate::state::Core;
use crate::step::Out;

pub(crate) fn executor_added(
    core: &mut Core,
    id: ExecutorId,
    profile: ProfileId,
    capacity: Resources,
    out: &mut Out,
) {
    let Some(key) = core.ledger.executors.key(id) else {
        core.ledger.executors.insert(id, profile, capacity);
        core.step.reoffer = true;
        return core.touch_all();
    };
    let e = &core.ledger.executors.slab[key];
    let (old, moved) = (e.capacity, e.profile != profile);
    core.ledger.executors.change(key, |e| {
        e.capacity = capacity;
        e.profile = profile;
    });
    while let Some(victim) = misplaced_hold(core, key, moved) {
        end_hold(core, victim, EndCause::ExecutorGone, out);
        // The hold may have been larger than what the executor lost.
        core.step.reoffer = true;
    }
    core.step.reoffer |= moved || !old.covers(&capacity);
    core.touch_all();
}

/// A hold that has lost its place: any if `all`, else while running + held exceeds capacity.
fn misplaced_hold(core: &Core, executor: ExecutorKey, all: bool) -> Option<HoldKey> {
    let e = &core.ledger.executors.slab[executor];
    let over = all || !e.capacity.covers(&e.running.plus(e.held));
    if over { least_important_hold(core, executor, None) } else { None }
}

pub(crate) fn executor_barred(core: &mut Core, id: ExecutorId, barred: bool, out: &mut Out) {
    let Some(key) = core.ledger.executors.key(id) else { return };
    if core.ledger.executors.slab[key].barred == barred {
        return;
    }
    core.ledger.executors.change(key, |e| e.barred = barred);
    if barred {
        end_holds_on(core, key, out);
    }
    core.step.reoffer |= !barred;
    core.touch_all();
}

fn end_holds_on(core: &mut Core, executor: ExecutorKey, out: &mut Out) {
    loop {
        let holds = core.ledger.executors.slab[executor].holds;
        let Some(key) = core.ledger.holds.oldest_first(holds, Side::Executor).next() else {
            return;
        };
        end_hold(core, key, EndCause::ExecutorGone, out);
    }
}

pub(crate) fn executor_lost(core: &mut Core, id: ExecutorId, out: &mut Out) {
    let Some(key) = core.ledger.executors.key(id) else { return };
    let there = core.ledger.attempts.iter().filter(|(_, attempt)| attempt.executor() == key);
    let mut there: Vec<AttemptId> = there.map(|(attempt, _)| attempt).collect();
    there.sort_unstable();
    for attempt in there {
        if let Some(attempt) = remove_attempt(core, attempt) {
            settle(core, &attempt, Outcome::NotFinished);
            core.ledger.workflows.forget_if_unused(attempt.workflow);
        }
    }
    end_holds_on(core, key, out);
    core.ledger.executors.remove(key);
    // What ran there once says nothing of an executor that comes.
    core.ledger.workflows.slab.iter_mut().for_each(|(_, w)| _ = w.learned.away.remove(&id));
    core.spreads.launches.retain(|&(_, executor), _| executor != key);
    core.touch_all();
}
