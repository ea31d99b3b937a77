//! Order of a step, 3: the event.

use holdfast_engine::{EngineError, Event, Transition};

use super::Reference;
use super::pools::Pool;
use super::state::{PlanEntry, Submission};

impl Reference {
    pub(super) fn apply(&mut self, event: &Event) -> Result<(), EngineError> {
        match *event {
            Event::ProfileDefined { profile, runs_on, demand } => {
                if demand.0[0] == 0 {
                    return Err(EngineError::EmptyDemand);
                }
                if !self.profiles.contains_key(&profile) {
                    self.forget_profiles();
                }
                if self.profiles.insert(profile, (runs_on, demand)) != Some((runs_on, demand)) {
                    self.touch_all();
                }
            }
            Event::ExecutorAdded { executor, profile, capacity } => {
                self.executor_added(executor, profile, capacity);
            }
            Event::ExecutorBarred { executor, barred } => self.executor_barred(executor, barred),
            Event::ExecutorLost { executor } => self.executor_lost(executor),
            Event::WorkflowOpened { workflow, priority, isolation, parallelism, pool } => {
                self.workflow_opened(workflow, priority, isolation, parallelism, pool);
            }
            Event::Bounded { workflow, tenant, holds } => {
                return self.bounded(workflow, tenant, holds);
            }
            Event::Recalled { workflow, first, second, then, tasks, after_ms } => {
                let step = Transition {
                    after: [first, second],
                    then,
                    tasks,
                    nanos: u64::from(after_ms) * 1_000_000,
                };
                return self.recalled(workflow, step);
            }
            Event::PoolDefined { pool, fair, weight, min_share } => {
                self.pool_defined(pool, Pool { fair, weight: weight.max(1), min_share });
            }
            Event::Akin { workflow, to } => return self.say_akin(workflow, to),
            Event::WorkflowClosed { workflow } => self.workflow_closed(workflow),
            Event::RunEnded { workflow } => self.run_ended(workflow),
            Event::JobSubmitted { job, workflow, continues } => {
                return self.job_submitted(job, workflow, continues);
            }
            Event::StagePlanned { job, stage, tasks, next, next_profile, signature } => {
                return self.stage_planned(
                    job,
                    stage,
                    PlanEntry { tasks, next, next_profile, signature, submitted: false },
                );
            }
            Event::JobEnded { job, succeeded } => {
                self.later_stages_end(job, succeeded);
                self.job_ended(job, succeeded);
            }
            Event::SetSubmitted { set, job, stage, tasks, profile, fills_cache, kind } => {
                let shape = Submission { set, job, stage, tasks, profile, fills_cache, kind };
                return self.set_submitted(&shape);
            }
            Event::SetEnded { set } => {
                self.later_stages_begin(set);
                self.set_ended(set);
            }
            Event::Launched { attempt, set, task, executor, local } => {
                return self.launched(attempt, set, task, executor, local);
            }
            Event::SlotFreed { attempt, outcome } => self.slot_freed(attempt, outcome),
            Event::Unfinished { set, task } => return self.unfinished_again(set, task),
            Event::FinishedElsewhere { set, task } => return self.finished_elsewhere(set, task),
            Event::StageBounded { job, .. } => {
                return self.jobs.get(&job).map(|_| ()).ok_or(EngineError::UnknownJob);
            }
            Event::TaskSized { set, task, .. } => {
                let set = self.sets.get(&set).ok_or(EngineError::UnknownSet)?;
                return if task < set.tasks { Ok(()) } else { Err(EngineError::TaskOutOfRange) };
            }
            Event::Progressed { .. } | Event::Sampled { .. } | Event::Tick => {}
        }
        Ok(())
    }
}
