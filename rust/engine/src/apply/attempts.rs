//! Attempts: how they take a slot and leave it, and what that means for their tasks.

use crate::api::decision::Reason;
use crate::api::error::EngineError;
use crate::api::event::Outcome;
use crate::api::ids::{AttemptId, ExecutorId, SetId};
use crate::apply::sets::note_width;
use crate::holds::claims::claim_slot;
use crate::holds::launch::{consume_hold, make_room};
use crate::holds::narrow::learn_rivals;
use crate::holds::rule::try_hold;
use crate::holds::sizes::watch_slot;
use crate::holds::swap::swap;
use crate::ledger::Attempt;
use crate::ledger::keys::{ExecutorKey, SetKey};
use crate::needs::may_hold;
use crate::state::Core;
use crate::step::{Applied, Out};
use crate::watch::last_wave::{learn_duration, learn_remote_slowdown, watch_wave};
use crate::watch::spread::shorten_spread;

pub(crate) fn launched(
    core: &mut Core,
    id: AttemptId,
    set: SetId,
    task: u32,
    executor: ExecutorId,
    local: bool,
    out: &mut Out,
) -> Applied {
    if core.ledger.attempts.contains(id) {
        return Err(EngineError::KnownAttempt);
    }
    let set = *core.ledger.set_ids.get(&set).ok_or(EngineError::UnknownSet)?;
    let executor = core.ledger.executors.key(executor).ok_or(EngineError::UnknownExecutor)?;
    if core.ledger.sets[set].tasks.len() <= task as usize {
        return Err(EngineError::TaskOutOfRange);
    }
    let is_copy = run(core, set, task, executor);
    core.ledger.sets[set].watch.input.near += u32::from(local);
    let s = &core.ledger.sets[set];
    let (workflow, demand, spread) = (s.workflow, s.demand, s.watch.spread_until.is_some());
    let (set_serial, launched_at) = (s.serial, core.now);
    let asked = (s.demand_key, demand);
    let attempt =
        Attempt { workflow, set, set_serial, task, executor, demand, launched_at, is_copy, local };
    if spread {
        *core.spreads.launches.entry((set, executor)).or_default() += 1;
    }
    core.ledger.add_attempt(id, attempt);
    core.ledger.workflows.slab[workflow].charge(core.now);
    let w = &mut core.ledger.workflows.slab[workflow];
    w.running += 1;
    w.slots.using = w.slots.using.plus(demand);
    core.ledger.pools.add_owned(core.ledger.workflows.slab[workflow].pool, 1);
    core.ledger.executors.enter(executor, workflow, asked);
    consume_hold(core, workflow, executor, &demand, out);
    make_room(core, workflow, executor, out);
    Ok(())
}

/// Books one more attempt of a task; whether it is a copy.
fn run(core: &mut Core, set: SetKey, task: u32, executor: ExecutorKey) -> bool {
    let now = core.now;
    core.ledger.change_task(set, task, |t| {
        t.running += 1;
        if t.running == 1 {
            (t.since, t.executor) = (now, executor);
        } else {
            t.copied = true;
        }
    });
    let s = &mut core.ledger.sets[set];
    let t = &s.tasks[task as usize];
    if s.zombie || t.finished {
        return false;
    }
    if t.running > 1 {
        core.totals.copies += 1;
        return true;
    }
    if s.kind.may_copy {
        s.watch.copies.running.launched((now, task), &s.tasks, s.unfinished);
    }
    core.ledger.add_pending(set, -1);
    watch_wave(core, set);
    false
}

pub(crate) fn slot_freed(core: &mut Core, id: AttemptId, outcome: Outcome, out: &mut Out) {
    let Some(attempt) = remove_attempt(core, id) else { return };
    let workflow = attempt.workflow;
    settle(core, &attempt, outcome);
    watch_slot(core, workflow);
    let mut taken = claim_slot(core, workflow, attempt.executor, out);
    let w = &core.ledger.workflows.slab[workflow];
    // Most releases are those of workflows that never hold.
    if !taken && w.flags.active && may_hold(&core.rules, w) {
        let reason = match (w.pending > 0, w.holding.gap.is_some()) {
            (true, _) => Reason::Waiting,
            (_, true) => Reason::Gap,
            _ => Reason::Barrier,
        };
        // Where smaller tasks come next there is room for several.
        while try_hold(core, workflow, attempt.executor, reason, out) {
            taken = true;
            if !core.ledger.workflows.slab[workflow].is_resized() {
                break;
            }
        }
    }
    if !taken {
        swap(core, workflow, attempt.executor, out);
    }
    core.ledger.workflows.forget_if_unused(workflow);
}

pub(crate) fn remove_attempt(core: &mut Core, id: AttemptId) -> Option<Attempt> {
    let attempt = core.ledger.remove_attempt(id, core.now)?;
    core.make_hungry(attempt.workflow);
    Some(attempt)
}

/// Books what an ended attempt means for its task.
pub(crate) fn settle(core: &mut Core, attempt: &Attempt, outcome: Outcome) {
    let Some(set) = core.ledger.sets.get_mut(attempt.set) else { return };
    if set.serial != attempt.set_serial {
        return;
    }
    set.watch.input.near -= u32::from(attempt.local);
    let (width, zombie) = (set.width(), set.zombie);
    let was_finished = set.tasks[attempt.task as usize].finished;
    let executor = core.ledger.executors.slab[attempt.executor].id;
    core.ledger.change_task(attempt.set, attempt.task, |task| {
        task.running -= 1;
        if !zombie && !task.finished && outcome == Outcome::Finished {
            task.finished = true;
            task.set_done_on(Some(executor));
        }
        task.failed |= outcome == Outcome::Failed;
    });
    if zombie {
        return;
    }
    let task = core.ledger.sets[attempt.set].tasks[attempt.task as usize];
    if task.finished && !was_finished {
        core.totals.copies_won += u64::from(attempt.is_copy);
        core.ledger.sets[attempt.set].finished_on(executor);
        core.ledger.add_unfinished(attempt.set, -1);
        shorten_spread(core, attempt);
        learn_duration(core, attempt);
        learn_rivals(core, attempt);
        learn_remote_slowdown(core, attempt);
        let s = &mut core.ledger.sets[attempt.set];
        if s.kind.may_copy {
            s.watch.copies.running.durations.add(core.now.since(attempt.launched_at));
        }
    } else if !task.finished && task.running == 0 {
        core.ledger.add_pending(attempt.set, 1);
    }
    watch_wave(core, attempt.set);
    note_width(core, attempt.workflow, width);
}
