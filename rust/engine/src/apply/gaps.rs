//! Gaps: how a workflow waits between two jobs, and what ends its wait.

use crate::api::decision::EndCause;
use crate::apply::pools::touch_sharers;
use crate::holds::ends::{end_holds_of, for_holds};
use crate::ledger::Gap;
use crate::ledger::keys::WorkflowKey;
use crate::needs::may_hold;
use crate::policies::ssr::linger::longest;
use crate::policies::ssr::look_ahead;
use crate::roles::Needs;
use crate::state::Core;
use crate::step::Out;

/// How long gap holds may stop a cluster on which nothing runs.
const STALL_NS: u64 = 1_000_000_000;

pub(crate) fn has_live_job(core: &Core, workflow: WorkflowKey) -> bool {
    core.ledger.workflows.slab[workflow].jobs.iter().any(|&job| !core.ledger.jobs[job].done)
}

/// The workflow has something to run: it becomes active, or its gap is over.
pub(crate) fn arrive(core: &mut Core, key: WorkflowKey) {
    let now = core.now;
    let w = &mut core.ledger.workflows.slab[key];
    if !w.flags.active {
        let gap = w.holding.missed_gap.take().map_or(0, |start| now.since(start));
        if gap <= longest(&core.rules) {
            w.holding.largest_gap = w.holding.largest_gap.max(gap);
        }
        core.ledger.pools.add_active(w.pool, true);
        core.ledger.workflows.activate(key, now);
        return touch_sharers(core);
    }
    w.charge(now);
    let Some(gap) = w.holding.gap.take() else { return };
    if gap.teaches {
        w.holding.largest_gap = w.holding.largest_gap.max(now.since(gap.start));
    }
    w.holding.episode = Some(now);
    w.flags.exhausted = false;
    core.ledger.workflows.gaps.retain(|&other| other != key);
    if !gap.teaches {
        core.ledger.workflows.arrive_anew(key);
        core.step.reoffer = true;
    }
    let w = &core.ledger.workflows.slab[key];
    let cap = (core.rules.needs.has_episodes()).then(|| now.after(core.rules.hold_max_ns));
    let until = w.holds_until();
    for_holds(core, key, |holds, hold| {
        if let Some(cap) = cap {
            holds.set_cap(hold, cap);
        }
        holds.set_deadline(hold, until);
    });
}

/// The last live job of a workflow is done: it lingers, or it is over.
pub(crate) fn begin_gap(core: &mut Core, workflow: WorkflowKey, continues: bool, out: &mut Out) {
    let now = core.now;
    let wait = look_ahead::wait(&core.ledger, &core.rules);
    let latest_set = core.ledger.set_serial;
    let w = &core.ledger.workflows.slab[workflow];
    let linger = core.rules.needs.linger(
        &core.rules,
        w.holding.largest_gap,
        if w.flags.knows_gaps { 0 } else { wait },
    );
    if !may_hold(&core.rules, w) || w.flags.closed || !continues || linger == 0 {
        return workflow_over(core, workflow, EndCause::WorkflowOver, out);
    }
    let deadline = now.after(linger);
    core.ledger.begin_gap(workflow, Gap { start: now, deadline, latest_set, teaches: true });
    for_holds(core, workflow, |holds, hold| holds.set_deadline(hold, deadline));
}

/// A run of a workflow has ended: what it lingers for now is another one, of somebody else perhaps.
pub(crate) fn end_run(core: &mut Core, workflow: WorkflowKey, out: &mut Out) {
    let bridge = core.rules.needs.bridge(&core.rules);
    let latest = core.now.after(bridge);
    core.ledger.workflows.with_known(workflow, |course, known| course.end(known));
    let holding = &mut core.ledger.workflows.slab[workflow].holding;
    let Some(gap) = &mut holding.gap else {
        holding.missed_gap = None;
        return;
    };
    if bridge == 0 {
        return workflow_over(core, workflow, EndCause::WorkflowOver, out);
    }
    gap.deadline = gap.deadline.min(latest);
    gap.teaches = false;
    let deadline = gap.deadline;
    for_holds(core, workflow, |holds, hold| holds.set_deadline(hold, deadline));
}

/// No further job is expected: everything is given back.
pub(crate) fn workflow_over(
    core: &mut Core,
    workflow: WorkflowKey,
    cause: EndCause,
    out: &mut Out,
) {
    end_holds_of(core, workflow, cause, out);
    let w = &mut core.ledger.workflows.slab[workflow];
    let gap = w.holding.gap.take();
    // The next job may come all the same: then the linger was too short.
    let missed = gap.filter(|gap| cause == EndCause::Expired && gap.teaches);
    w.holding.missed_gap = missed.map(|gap| gap.start);
    if gap.is_some() {
        core.ledger.workflows.gaps.retain(|&other| other != workflow);
    }
    if core.ledger.workflows.slab[workflow].flags.active {
        core.ledger.pools.add_active(core.ledger.workflows.slab[workflow].pool, false);
        core.ledger.workflows.deactivate(workflow);
    }
    core.ledger.workflows.forget_if_unused(workflow);
}

pub(crate) fn expire_gaps(core: &mut Core, out: &mut Out) {
    let workflows = &core.ledger.workflows;
    let due =
        |w: WorkflowKey| workflows.slab[w].holding.gap.is_some_and(|gap| gap.deadline <= core.now);
    if !workflows.gaps.iter().any(|&w| due(w)) {
        return;
    }
    let mut over: Vec<WorkflowKey> = workflows.gaps.iter().copied().filter(|&w| due(w)).collect();
    over.sort_by_key(|&w| {
        let w = &core.ledger.workflows.slab[w];
        (w.holding.gap.map(|gap| gap.deadline), w.id)
    });
    for w in over {
        workflow_over(core, w, EndCause::Expired, out);
    }
}

/// The stall rule: nothing runs anywhere and a job waits that a driver may wait for, so gap holds yield.
pub(crate) fn yield_gap_holds(core: &mut Core, out: &mut Out) {
    let mut idle: Vec<WorkflowKey> = core.ledger.workflows.gaps.clone();
    idle.retain(|&w| core.ledger.workflows.slab[w].held > 0);
    idle.sort_by_key(|&w| core.ledger.workflows.rank(w));
    for w in idle {
        core.exhaust(w);
        end_holds_of(core, w, EndCause::Expired, out);
    }
}

/// Returns the latest set that was submitted when the first of the gaps began in which slots are held.
fn first_gap_with_holds(core: &Core) -> Option<u32> {
    let gaps = core.ledger.workflows.gaps.iter().map(|&w| &core.ledger.workflows.slab[w]);
    gaps.filter(|w| w.held > 0).filter_map(|w| w.holding.gap).map(|gap| gap.latest_set).min()
}

/// What waited before a gap began is not what its driver waits for.
pub(crate) fn watch_stall(core: &mut Core) {
    let stalled = core.ledger.attempts.is_empty()
        && core.ledger.pending > 0
        && first_gap_with_holds(core).is_some_and(|before| core.ledger.waits_since(before));
    core.stall = stalled.then(|| core.stall.unwrap_or(core.now.after(STALL_NS)));
}
