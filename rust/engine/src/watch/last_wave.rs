//! Last waves: when they began, how long the shortest task took, and the barrier's deadline from both.

use crate::holds::ends::for_holds;
use crate::ledger::keys::{SetKey, WorkflowKey};
use crate::ledger::{Attempt, Wave};
use crate::math::pareto::STRICT;
use crate::policies::ssr::isolation::{deadline, deadline_of_set};
use crate::policies::ssr::widen::learned_slowdown;
use crate::state::Core;

/// What a set has pending or unfinished may have changed.
pub(crate) fn watch_wave(core: &mut Core, set: SetKey) {
    let s = &mut core.ledger.sets[set];
    let w = &core.ledger.workflows.slab[s.workflow];
    if w.isolation >= STRICT || s.zombie {
        return;
    }
    if s.pending > 0 {
        (s.watch.barrier.wave, s.watch.barrier.until) = (None, None);
    } else if s.watch.barrier.wave.is_none() && s.unfinished > 0 {
        s.watch.barrier.wave = Some(Wave { at: core.now, tasks: s.unfinished });
    }
    if s.watch.barrier.until.is_none()
        && s.unfinished > 0
        && let Some((deadline, bound_ns)) =
            deadline_of_set(&core.rules, w, s, core.now, &mut core.scratch.ages)
    {
        (s.watch.barrier.until, s.watch.barrier.bound_ns) = (Some(deadline), Some(bound_ns));
    }
    let workflow = s.workflow;
    count_barrier(core, set);
    renew_barrier(core, workflow);
}

/// A stage that is complete for the first time has kept its barrier, or not.
fn count_barrier(core: &mut Core, set: SetKey) {
    let s = &mut core.ledger.sets[set];
    if s.unfinished > 0 {
        return;
    }
    if let (Some(barrier), Some(bound_ns)) =
        (s.watch.barrier.until, s.watch.barrier.bound_ns.take())
    {
        let w = &mut core.ledger.workflows.slab[s.workflow];
        // The cap or the idle budget may have ended its holds before.
        let kept = core.now <= barrier && !w.flags.exhausted;
        w.holding.account.barrier(w.isolation, kept, bound_ns);
    }
}

/// A task has finished: the shortest of its set gives t_m, the others the shape.
pub(crate) fn learn_duration(core: &mut Core, attempt: &Attempt) {
    let w = &mut core.ledger.workflows.slab[attempt.workflow];
    if w.isolation >= STRICT {
        return;
    }
    let duration = core.now.since(attempt.launched_at).max(1);
    let set = &mut core.ledger.sets[attempt.set];
    match set.watch.barrier.shortest {
        None => set.watch.barrier.shortest = Some(duration),
        Some(shortest) if duration < shortest => {
            w.learned.tail.learn_shorter(duration, shortest, set.watch.barrier.samples);
            set.watch.barrier.shortest = Some(duration);
            set.watch.barrier.samples += 1;
        }
        Some(shortest) => {
            w.learned.tail.learn(duration, shortest);
            set.watch.barrier.samples += 1;
        }
    }
}

/// A task has finished: what it cost to be away from its input.
pub(crate) fn learn_remote_slowdown(core: &mut Core, attempt: &Attempt) {
    let nanos = core.now.since(attempt.launched_at);
    let set = &mut core.ledger.sets[attempt.set];
    if attempt.local {
        set.watch.input.local =
            (set.watch.input.local.0 + 1, set.watch.input.local.1.saturating_add(nanos));
        return;
    }
    let w = &mut core.ledger.workflows.slab[attempt.workflow];
    let executor = core.ledger.executors.slab[attempt.executor].id;
    if *w.learned.away.entry(executor).or_insert(core.now) > attempt.launched_at {
        // Nothing of the kind had run there before: classes and broadcasts came along with the input.
        set.watch.input.remote_slowdown_milli =
            learned_slowdown(set.watch.input.remote_slowdown_milli, set, nanos)
                .or(set.watch.input.remote_slowdown_milli);
    } else {
        w.learned.remote_slowdown_milli =
            learned_slowdown(w.learned.remote_slowdown_milli, set, nanos)
                .or(w.learned.remote_slowdown_milli);
    }
}

/// With a new isolation the last waves begin anew.
pub(crate) fn change_isolation(core: &mut Core, workflow: WorkflowKey, isolation: u32) {
    if core.ledger.workflows.slab[workflow].isolation == isolation {
        return;
    }
    core.ledger.workflows.slab[workflow].isolation = isolation;
    let jobs = core.ledger.workflows.slab[workflow].jobs.iter();
    let sets: Vec<SetKey> =
        jobs.flat_map(|&job| core.ledger.jobs[job].sets.iter().copied()).collect();
    for set in sets {
        (core.ledger.sets[set].watch.barrier.wave, core.ledger.sets[set].watch.barrier.until) =
            (None, None);
        watch_wave(core, set);
    }
    renew_barrier(core, workflow);
}

/// Gives a workflow's holds the deadline of its barrier as it is now. In a gap they have the gap's.
pub(crate) fn renew_barrier(core: &mut Core, workflow: WorkflowKey) {
    let barrier = deadline(&core.ledger, &core.ledger.workflows.slab[workflow]);
    if core.ledger.workflows.slab[workflow].holding.barrier == barrier {
        return;
    }
    core.ledger.workflows.slab[workflow].charge(core.now);
    core.ledger.workflows.slab[workflow].holding.barrier = barrier;
    let until = core.ledger.workflows.slab[workflow].holds_until();
    for_holds(core, workflow, |holds, hold| holds.set_deadline(hold, until));
}
