//! Jobs: how they come and end.

use crate::api::decision::EndCause;
use crate::api::error::EngineError;
use crate::api::ids::{JobId, SetId, WorkflowId};
use crate::apply::gaps::{arrive, begin_gap, has_live_job, workflow_over};
use crate::apply::sets::end_set;
use crate::ledger::{Job, PlanEntry};
use crate::policies::ssr::need::gap_need;
use crate::state::Core;
use crate::step::{Applied, Out};

pub(crate) fn job_submitted(
    core: &mut Core,
    id: JobId,
    workflow: WorkflowId,
    continues: bool,
) -> Applied {
    let key = *core.ledger.workflows.ids.get(&workflow).ok_or(EngineError::UnknownWorkflow)?;
    if core.ledger.job_ids.contains_key(&id) {
        return Err(EngineError::KnownJob);
    }
    let w = &core.ledger.workflows.slab[key];
    // What the first stage will be is not known before it comes.
    let last_n =
        if w.holding.gap.is_some() { gap_need(&core.rules, core.now, w) } else { w.width.declared };
    arrive(core, key);
    core.ledger.add_job(Job {
        id,
        workflow: key,
        continues,
        done: false,
        plan: Vec::new(),
        plan_width: 0,
        sets: Vec::new(),
        unfinished: 0,
        last_n,
    });
    Ok(())
}

/// Events that only policies take care of are about jobs that are known.
pub(crate) fn known_job(core: &Core, job: JobId) -> Applied {
    core.ledger.job_ids.get(&job).map(|_| ()).ok_or(EngineError::UnknownJob)
}

pub(crate) fn stage_planned(core: &mut Core, job: JobId, entry: PlanEntry) -> Applied {
    let job = *core.ledger.job_ids.get(&job).ok_or(EngineError::UnknownJob)?;
    core.ledger.plan(job, entry);
    Ok(())
}

pub(crate) fn job_ended(core: &mut Core, id: JobId, succeeded: bool, out: &mut Out) {
    let Some(&key) = core.ledger.job_ids.get(&id) else { return };
    let mut sets: Vec<SetId> =
        core.ledger.jobs[key].sets.iter().map(|&set| core.ledger.sets[set].id).collect();
    sets.sort_unstable();
    for set in sets {
        end_set(core, set);
    }
    let job = core.ledger.remove_job(key);
    let workflow = job.workflow;
    if !succeeded {
        core.ledger.workflows.slab[workflow].holding.missed_gap = None;
    }
    let w = &core.ledger.workflows.slab[workflow];
    if !w.flags.active || has_live_job(core, workflow) {
        return core.ledger.workflows.forget_if_unused(workflow);
    }
    if !succeeded {
        workflow_over(core, workflow, EndCause::WorkflowOver, out);
    } else if w.holding.gap.is_none() {
        begin_gap(core, workflow, job.continues, out);
    }
}
