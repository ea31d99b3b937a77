//! What the twin shows.

use holdfast_engine::{
    Account, Config, ExecutorView, HoldView, SetView, Time, Totals, WorkflowId, WorkflowView,
};

use super::Reference;

fn count<T: TryInto<u32>>(number: T) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

impl Reference {
    /// See `Engine::accounts`.
    #[must_use]
    pub fn accounts(&self) -> Vec<(Option<WorkflowId>, Account)> {
        let live = self.workflows.iter().map(|(id, w)| (Some(*id), w.account));
        let gone = self.forgotten.iter().map(|(id, memory)| (Some(*id), memory.account));
        let mut all: Vec<_> = live.chain(gone).chain([(None, self.lost)]).collect();
        all.retain(|(_, account)| Self::is_shown(account));
        all.sort_by_key(|(id, _)| *id);
        all
    }

    /// Says whether an account has anything to show.
    pub(super) fn is_shown(account: &Account) -> bool {
        account.made > 0 || account.unforeseen > 0
    }

    /// The time of the last step.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Counters since the start.
    #[must_use]
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Live holds in order of id.
    #[must_use]
    pub fn holds(&self) -> Vec<HoldView> {
        let view = |(id, hold): (&_, &super::state::Hold)| HoldView {
            id: *id,
            workflow: hold.workflow,
            executor: hold.executor,
            size: hold.size,
            reason: hold.reason,
            made_at: hold.made_at,
            deadline: hold.deadline,
            cap: hold.cap,
        };
        self.holds.iter().map(view).collect()
    }

    /// Executors that are present, in order of id.
    #[must_use]
    pub fn executors(&self) -> Vec<ExecutorView> {
        let view = |(id, executor): (&_, &super::state::Executor)| ExecutorView {
            id: *id,
            profile: executor.profile,
            capacity: executor.capacity,
            running: self.running_on(*id),
            held: self.held_on(*id),
            barred: executor.barred,
        };
        self.executors.iter().map(view).collect()
    }

    /// Workflows that are remembered, in order of id.
    #[must_use]
    pub fn workflows(&self) -> Vec<WorkflowView> {
        self.workflows.keys().map(|id| self.workflow_view(*id)).collect()
    }

    fn workflow_view(&self, id: WorkflowId) -> WorkflowView {
        let workflow = &self.workflows[&id];
        WorkflowView {
            id,
            priority: workflow.priority,
            pool: workflow.pool,
            active: workflow.arrival.is_some(),
            arrival: workflow.arrival.unwrap_or(0),
            running: self.running_of(id),
            held: count(self.holds_of(id).len()),
            owned: self.owned(id),
            need: self.need(id),
            pending: self.pending_of(id),
            may_hold: self.may_hold(id),
            exhausted: workflow.exhausted,
            in_gap: workflow.gap.is_some(),
        }
    }

    /// Sets that have not ended, in order of id.
    #[must_use]
    pub fn sets(&self) -> Vec<SetView> {
        let view = |(id, set): (&_, &super::state::Set)| SetView {
            id: *id,
            workflow: set.workflow,
            job: set.job,
            stage: set.stage,
            tasks: set.tasks,
            unfinished: self.unfinished(set),
            pending: self.pending(set),
            zombie: set.zombie,
        };
        self.sets.iter().map(view).collect()
    }
}
