//! Workflows: what is said of them.

use crate::api::decision::EndCause;
use crate::api::error::EngineError;
use crate::api::ids::{TenantId, WorkflowId};
use crate::apply::gaps::{end_run, has_live_job, workflow_over};
use crate::ledger::Transition;
use crate::needs::may_hold;
use crate::state::Core;
use crate::step::{Applied, Out};
use crate::watch::last_wave::change_isolation;

pub(crate) fn workflow_opened(
    core: &mut Core,
    id: WorkflowId,
    priority: i32,
    isolation: u32,
    out: &mut Out,
) {
    let Some(&key) = core.ledger.workflows.ids.get(&id) else {
        core.ledger.workflows.insert(id, priority, isolation);
        return;
    };
    core.ledger.set_closed(key, false);
    if core.ledger.workflows.slab[key].priority != priority {
        core.ledger.workflows.change_priority(key, priority);
        core.step.reoffer = true;
    }
    change_isolation(core, key, isolation);
    let w = &core.ledger.workflows.slab[key];
    if w.holding.gap.is_some() && !may_hold(&core.rules, w) {
        workflow_over(core, key, EndCause::WorkflowOver, out);
    }
}

pub(crate) fn workflow_closed(core: &mut Core, id: WorkflowId, out: &mut Out) {
    let Some(&key) = core.ledger.workflows.ids.get(&id) else {
        return core.ledger.workflows.gone.forget_missed_gap(id);
    };
    core.ledger.set_closed(key, true);
    core.ledger.workflows.with_known(key, |course, known| course.end(known));
    if !has_live_job(core, key) {
        workflow_over(core, key, EndCause::WorkflowOver, out);
    }
}

pub(crate) fn run_ended(core: &mut Core, id: WorkflowId, out: &mut Out) {
    match core.ledger.workflows.ids.get(&id) {
        Some(&key) => end_run(core, key, out),
        None => core.ledger.workflows.gone.forget_missed_gap(id),
    }
}

pub(crate) fn declare(core: &mut Core, workflow: WorkflowId, parallelism: u32) {
    if let Some(&key) = core.ledger.workflows.ids.get(&workflow) {
        core.ledger.workflows.slab[key].width.declared = parallelism;
    }
}

pub(crate) fn recalled(core: &mut Core, workflow: WorkflowId, step: Transition) -> Applied {
    let known = core.ledger.workflows.ids.get(&workflow);
    let key = *known.ok_or(EngineError::UnknownWorkflow)?;
    core.ledger.workflows.known(key).recall(step);
    Ok(())
}

/// Nobody need know `to` yet.
pub(crate) fn akin(core: &mut Core, workflow: WorkflowId, to: WorkflowId) -> Applied {
    let known = core.ledger.workflows.ids.get(&workflow);
    let key = *known.ok_or(EngineError::UnknownWorkflow)?;
    core.ledger.workflows.slab[key].learned.akin = (to != workflow).then_some(to);
    Ok(())
}

pub(crate) fn bounded(
    core: &mut Core,
    workflow: WorkflowId,
    tenant: TenantId,
    holds: u32,
) -> Result<(), EngineError> {
    let workflows = &mut core.ledger.workflows;
    let key = *workflows.ids.get(&workflow).ok_or(EngineError::UnknownWorkflow)?;
    let w = &mut workflows.slab[key];
    if w.holding.tenant != tenant {
        workflows.tenants.join(w.holding.tenant, tenant, w.held);
        w.holding.tenant = tenant;
    }
    workflows.tenants.bound(tenant, holds);
    Ok(())
}
