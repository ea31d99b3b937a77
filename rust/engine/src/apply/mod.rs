//! What each event changes. The order of checks, then changes, keeps a refused event harmless.

mod attempts;
mod executors;
pub(crate) mod gaps;
mod jobs;
mod pools;
mod profiles;
mod sets;
mod tasks;
mod workflows;

use crate::api::event::Event;
use crate::apply::attempts::{launched, slot_freed};
use crate::apply::executors::{executor_added, executor_barred, executor_lost};
use crate::apply::jobs::{job_ended, job_submitted, known_job, stage_planned};
use crate::apply::pools::{enter_pool, pool_defined};
use crate::apply::profiles::profile_defined;
use crate::apply::sets::{SetShape, set_ended, set_submitted};
use crate::apply::tasks::{finished_elsewhere, known_task, unfinished};
use crate::apply::workflows::{
    akin, bounded, declare, recalled, run_ended, workflow_closed, workflow_opened,
};
use crate::ledger::{PlanEntry, Transition};
use crate::roles::Needs;
use crate::state::Core;
use crate::step::{Applied, Out};

pub(crate) fn apply(core: &mut Core, event: &Event, out: &mut Out) -> Applied {
    match *event {
        Event::ProfileDefined { profile, runs_on, demand } => {
            profile_defined(core, profile, runs_on, demand)
        }
        Event::ExecutorAdded { executor, profile, capacity } => {
            executor_added(core, executor, profile, capacity, out);
            Ok(())
        }
        Event::ExecutorBarred { executor, barred } => {
            executor_barred(core, executor, barred, out);
            Ok(())
        }
        Event::ExecutorLost { executor } => {
            executor_lost(core, executor, out);
            Ok(())
        }
        Event::PoolDefined { pool, fair, weight, min_share } => {
            pool_defined(core, pool, fair, weight, min_share);
            Ok(())
        }
        Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool } => {
            let isolation = core.rules.needs.isolation(isolation);
            workflow_opened(core, workflow, priority, isolation, out);
            declare(core, workflow, parallelism);
            enter_pool(core, workflow, pool);
            Ok(())
        }
        Event::Bounded { workflow, tenant, holds } => bounded(core, workflow, tenant, holds),
        Event::Akin { workflow, to } => akin(core, workflow, to),
        Event::WorkflowClosed { workflow } => {
            workflow_closed(core, workflow, out);
            Ok(())
        }
        Event::RunEnded { workflow } => {
            run_ended(core, workflow, out);
            Ok(())
        }
        Event::JobSubmitted { job, workflow, continues } => {
            job_submitted(core, job, workflow, continues)
        }
        Event::StagePlanned { job, stage, tasks, next, next_profile, signature } => {
            let submitted = false;
            let entry = PlanEntry { stage, tasks, next, next_profile, signature, submitted };
            stage_planned(core, job, entry)
        }
        Event::Recalled { workflow, first, second, then, tasks, after_ms } => {
            let nanos = u64::from(after_ms) * 1_000_000;
            recalled(core, workflow, Transition { after: [first, second], then, tasks, nanos })
        }
        Event::JobEnded { job, succeeded } => {
            job_ended(core, job, succeeded, out);
            Ok(())
        }
        Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind } => {
            let shape = SetShape { tasks, profile, fills_cache, kind };
            set_submitted(core, set, job, stage, shape)
        }
        Event::SetEnded { set } => {
            set_ended(core, set, out);
            Ok(())
        }
        Event::Launched { attempt, set, task, executor, local } => {
            launched(core, attempt, set, task, executor, local, out)
        }
        Event::SlotFreed { attempt, outcome } => {
            slot_freed(core, attempt, outcome, out);
            Ok(())
        }
        Event::Unfinished { set, task } => unfinished(core, set, task),
        Event::FinishedElsewhere { set, task } => finished_elsewhere(core, set, task),
        Event::StageBounded { job, .. } => known_job(core, job),
        Event::TaskSized { set, task, .. } => known_task(core, set, task),
        // A late report, or something remembered: there is nothing to check.
        Event::Progressed { .. } | Event::Sampled { .. } | Event::Tick => Ok(()),
    }
}
