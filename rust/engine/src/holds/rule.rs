//! The hold rule: when a freed slot is held, and what the hold is.

use crate::api::decision::{Decision, Reason};
use crate::api::ids::{HoldId, Resources, Time};
use crate::holds::budget::budget_left;
use crate::ledger::keys::{ExecutorKey, WorkflowKey};
use crate::ledger::{Hold, Workflow};
use crate::needs::{may_hold, need};
use crate::roles::Needs;
use crate::state::Core;
use crate::step::Out;

/// Of a hold that may be made: its size, the start of its episode, and how long it lives.
pub(crate) struct Terms {
    size: Resources,
    start: Time,
    cap: Time,
    deadline: Time,
}

/// The hold rule: holds a slot of the executor iff the workflow owns less than it needs.
pub(crate) fn try_hold(
    core: &mut Core,
    workflow: WorkflowKey,
    executor: ExecutorKey,
    reason: Reason,
    out: &mut Out,
) -> bool {
    let need = need(&core.ledger, &core.rules, core.now, workflow);
    core.ledger.workflows.slab[workflow].owned() < need
        && hold(core, workflow, executor, reason, out)
}

/// Holds a slot if the workflow may and the executor can.
pub(crate) fn hold(
    core: &mut Core,
    workflow: WorkflowKey,
    executor: ExecutorKey,
    reason: Reason,
    out: &mut Out,
) -> bool {
    let Some(Terms { size, start, cap, deadline }) = terms(core, workflow, executor) else {
        return false;
    };
    if budget_left(core, core.ledger.holds.len() + 1) == Some(0)
        || !tenant_has_room(core, workflow, 0)
    {
        return false;
    }
    let id = HoldId(core.next_hold);
    core.next_hold = core.next_hold.wrapping_add(1);
    let now = core.now;
    let e = core.ledger.executors.slab[executor].id;
    let w = &mut core.ledger.workflows.slab[workflow];
    out.push(Decision::Held { hold: id, workflow: w.id, executor: e, reason, deadline });
    w.holding.episode = Some(start);
    w.charge(now);
    w.holding.account.made += 1;
    core.ledger.add_hold(Hold {
        id,
        owner: workflow,
        executor,
        size,
        reason,
        made_at: core.now,
        cap,
        deadline,
    });
    core.totals.made += 1;
    core.step.held_more = true;
    core.step.stirred = true;
    true
}

/// What a hold of the workflow on that executor would be; `None` if the workflow may not or the executor cannot.
pub(crate) fn terms(core: &Core, workflow: WorkflowKey, executor: ExecutorKey) -> Option<Terms> {
    let w = &core.ledger.workflows.slab[workflow];
    let (profile, size) = w.slots.next?;
    let e = &core.ledger.executors.slab[executor];
    let runs_there = core.ledger.executors.runs_on(profile) == Some(e.profile);
    let usable = !e.barred && runs_there && core.ledger.left(executor).covers(&size);
    let (start, cap, deadline) = span(core, w).filter(|_| usable)?;
    Some(Terms { size, start, cap, deadline })
}

/// Of a hold that a workflow would make now: the start of its episode, its cap and its deadline; `None` if it may not
/// make any, wherever.
fn span(core: &Core, w: &Workflow) -> Option<(Time, Time, Time)> {
    if w.flags.exhausted || !w.flags.active || !may_hold(&core.rules, w) {
        return None;
    }
    let own_time = !core.rules.needs.has_episodes();
    let start = w.holding.episode.filter(|_| !own_time).unwrap_or(core.now);
    let cap = start.after(core.rules.hold_max_ns);
    let deadline = w.holds_until().min(cap);
    (deadline > core.now).then_some((start, cap, deadline))
}

/// Whether a workflow could make one more hold, if some executor has room for it.
pub(crate) fn may_make(core: &Core, workflow: WorkflowKey) -> bool {
    span(core, &core.ledger.workflows.slab[workflow]).is_some()
        && budget_left(core, core.ledger.holds.len() + 1) != Some(0)
        && tenant_has_room(core, workflow, 0)
}

/// Whether the workflow's tenant may hold one slot more, once it has given up so many.
pub(crate) fn tenant_has_room(core: &Core, workflow: WorkflowKey, given_up: u32) -> bool {
    let workflows = &core.ledger.workflows;
    workflows.tenants.has_room(workflows.slab[workflow].holding.tenant, given_up)
}
