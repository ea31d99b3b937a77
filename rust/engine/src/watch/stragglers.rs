//! Copies of stragglers on own held slots (SSR-10): the two asks, and the wake-ups they need.

use crate::api::choice::Choice;
use crate::api::error::EngineError;
use crate::api::ids::{ExecutorId, SetId, Time};
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::ledger::{Set, Side};
use crate::policies::ssr::copies::{age, is_time, old_enough};
use crate::state::Core;

/// The task of this set that should get a copy on this executor now: the one that was launched first, among
/// those that are old enough, run only once, elsewhere, and have neither failed nor been copied before. There
/// must be an own hold on the executor (R10).
///
/// # Errors
/// The set or the executor is unknown.
pub(crate) fn copy(
    core: &Core,
    set: SetId,
    executor: ExecutorId,
) -> Result<Option<u32>, EngineError> {
    let (set_key, set) = core.ledger.known_set(set)?;
    let key = core.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
    if let Choice::Copy(task) = core.picks.choose(&core.books(), set_key, Some(key)) {
        return Ok(Some(task));
    }
    if set.watch.copies.youngest.is_none() || !has_hold_for(core, set, key) {
        return Ok(None);
    }
    // It has caught up: whoever has copies to make and holds was looked at after the latest change.
    let latest = age(&core.rules, set).and_then(|age| old_enough(core.now, age));
    let Some(latest) = latest else { return Ok(None) };
    let mut old = set.watch.copies.running.until(&set.tasks, latest).map(|(_, task)| task);
    Ok(old.find(|&task| set.tasks[task as usize].executor != key))
}

/// Whether some task of this set should get a copy somewhere: a host that leaves out sets without pending tasks
/// must ask for this one.
///
/// # Errors
/// The set is unknown.
pub(crate) fn wants_copies(core: &Core, set: SetId) -> Result<bool, EngineError> {
    let (key, set) = core.ledger.known_set(set)?;
    if let Choice::Copy(_) = core.picks.choose(&core.books(), key, None) {
        return Ok(true);
    }
    Ok(set.watch.copies.youngest.is_some() && core.ledger.workflows.slab[set.workflow].held > 0)
}

fn has_hold_for(core: &Core, set: &Set, executor: ExecutorKey) -> bool {
    let holds = core.ledger.executors.slab[executor].holds;
    let mut holds = core.ledger.holds.oldest_first(holds, Side::Executor);
    holds.any(|key| {
        let hold = core.ledger.holds.get(key);
        hold.owner == set.workflow && hold.size.covers(&set.demand)
    })
}

/// Who may get a copy now. R5: an answer turns from none to a task only if the set comes to its time, a task comes
/// of age, or a hold is made, and each of these is said.
///
/// Where nothing of a workflow with holds has changed in this step, and nobody has come of age, all stays as it is.
pub(crate) fn watch_copies(core: &mut Core) {
    if !core.step.stirred
        && core.copy_due.is_none_or(|due| due > core.now)
        && !core.touches_holders()
    {
        return;
    }
    core.copy_due = None;
    for i in 0..core.ledger.workflows.holders.len() {
        let w = &core.ledger.workflows.slab[core.ledger.workflows.holders[i]];
        let is_time = is_time(&core.ledger, w);
        let (workflow, jobs) = (core.ledger.workflows.holders[i], w.jobs.len());
        for job in 0..jobs {
            let job = core.ledger.workflows.slab[workflow].jobs[job];
            for set in 0..core.ledger.jobs[job].sets.len() {
                let set = core.ledger.jobs[job].sets[set];
                watch_copies_of(core, set, is_time);
            }
        }
    }
}

fn watch_copies_of(core: &mut Core, set: SetKey, is_time: bool) {
    let s = &mut core.ledger.sets[set];
    let was = s.watch.copies.youngest.take();
    if !is_time || !s.kind.may_copy || s.zombie {
        return;
    }
    s.watch.copies.running.durations.catch_up();
    let Some(age) = age(&core.rules, s) else { return };
    s.watch.copies.running.tidy(&s.tasks, s.unfinished);
    let latest = old_enough(core.now, age);
    let newest =
        latest.and_then(|latest| s.watch.copies.running.until(&s.tasks, latest).next_back());
    s.watch.copies.youngest = newest;
    // Time 0 is old enough for nothing unless it is so at once.
    let next = match latest {
        Some(latest) => s.watch.copies.running.first_after(&s.tasks, latest),
        None => s.watch.copies.running.until(&s.tasks, Time(u64::MAX)).next(),
    };
    let due = next.map(|(at, _)| at.after(age));
    core.copy_due = [core.copy_due, due].into_iter().flatten().min();
    core.step.offer_copies |= newest.is_some() && (core.step.held_more || newest > was);
}
