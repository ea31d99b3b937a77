//! What the books say, for tests, reports and `explain`. Nothing here is on a hot path.

use serde::Serialize;

use crate::api::account::Account;
use crate::api::decision::Reason;
use crate::api::ids::{
    ExecutorId, HoldId, JobId, PoolId, ProfileId, Resources, SetId, StageId, Time, WorkflowId,
};
use crate::engine::Engine;
use crate::ledger::{Pool, Transition};
use crate::policies::ssr::need::{may_hold, need};

/// A live hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct HoldView {
    /// Its number.
    pub id: HoldId,
    /// Its owner.
    pub workflow: WorkflowId,
    /// Where.
    pub executor: ExecutorId,
    /// What is held.
    pub size: Resources,
    /// Why.
    pub reason: Reason,
    /// Since when.
    pub made_at: Time,
    /// Until when, as things are.
    pub deadline: Time,
    /// Until when at the latest.
    pub cap: Time,
}

/// An executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct ExecutorView {
    /// Its id.
    pub id: ExecutorId,
    /// Its profile.
    pub profile: ProfileId,
    /// All it has.
    pub capacity: Resources,
    /// What attempts occupy.
    pub running: Resources,
    /// What holds occupy.
    pub held: Resources,
    /// Whether it gets no new tasks.
    pub barred: bool,
}

/// A workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct WorkflowView {
    /// Its id.
    pub id: WorkflowId,
    /// Larger is more important.
    pub priority: i32,
    /// Its pool.
    pub pool: PoolId,
    /// Whether it has a job, or lingers.
    pub active: bool,
    /// Smaller came first.
    pub arrival: u64,
    /// Attempts that occupy a slot.
    pub running: u32,
    /// Holds.
    pub held: u32,
    /// Slots it owns, of what it launches next: held ones, and what its attempts will leave.
    pub owned: u32,
    /// Slots it should own now.
    pub need: u32,
    /// Tasks without a slot.
    pub pending: u64,
    /// Whether it may hold at all.
    pub may_hold: bool,
    /// Whether the cap of this barrier or gap has passed.
    pub exhausted: bool,
    /// Whether it waits for its next job.
    pub in_gap: bool,
}

/// A pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PoolView {
    /// Its id.
    pub id: PoolId,
    /// Whether those in it share fairly.
    pub fair: bool,
    /// Its weight.
    pub weight: u32,
    /// Slots that it gets before others get more.
    pub min_share: u32,
    /// Slots that its workflows own.
    pub owned: u32,
}

/// A task set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SetView {
    /// Its id.
    pub id: SetId,
    /// Its workflow.
    pub workflow: WorkflowId,
    /// Its job.
    pub job: JobId,
    /// Its stage.
    pub stage: StageId,
    /// m.
    pub tasks: u32,
    /// Tasks that are not done.
    pub unfinished: u32,
    /// Tasks without a slot.
    pub pending: u32,
    /// Whether it was superseded.
    pub zombie: bool,
}

impl Engine {
    /// The sums of every workflow that has held a slot, by id; first, without an id, those of workflows that are not
    /// remembered one by one.
    #[must_use]
    pub fn accounts(&self) -> Vec<(Option<WorkflowId>, Account)> {
        let live = self.ledger.workflows.slab.iter().map(|(_, w)| {
            let mut w = w.clone();
            w.charge(self.now);
            (Some(w.id), w.sums())
        });
        let gone = self.ledger.workflows.accounts_of_the_gone();
        let mut all: Vec<_> =
            live.chain(gone).filter(|(_, account)| account.is_reported()).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// What every workflow repeats that has a pattern, by id: see [`Event::Recalled`](crate::Event::Recalled).
    #[must_use]
    pub fn patterns(&self) -> Vec<(WorkflowId, &[Transition])> {
        let live = self.ledger.workflows.slab.iter().map(|(_, w)| (w.id, w.pattern.steps()));
        let gone = self.ledger.workflows.patterns_of_the_gone();
        let mut all: Vec<_> = live.chain(gone).filter(|(_, steps)| !steps.is_empty()).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        all
    }

    /// Live holds by id.
    #[must_use]
    pub fn holds(&self) -> Vec<HoldView> {
        let mut views: Vec<HoldView> = self
            .ledger
            .holds
            .unordered()
            .map(|hold| HoldView {
                id: hold.id,
                workflow: self.ledger.workflows.slab[hold.owner].id,
                executor: self.ledger.executors.slab[hold.executor].id,
                size: hold.size,
                reason: hold.reason,
                made_at: hold.made_at,
                deadline: hold.deadline,
                cap: hold.cap,
            })
            .collect();
        views.sort_unstable_by_key(|view| view.id);
        views
    }

    /// Executors by id.
    #[must_use]
    pub fn executors(&self) -> Vec<ExecutorView> {
        let executors = &self.ledger.executors;
        let views = executors.in_order().iter().map(|&key| &executors.slab[key]);
        views
            .map(|e| ExecutorView {
                id: e.id,
                profile: e.profile,
                capacity: e.capacity,
                running: e.running,
                held: e.held,
                barred: e.barred,
            })
            .collect()
    }

    /// Workflows by id.
    #[must_use]
    pub fn workflows(&self) -> Vec<WorkflowView> {
        let mut views: Vec<WorkflowView> = self
            .ledger
            .workflows
            .slab
            .iter()
            .map(|(key, w)| WorkflowView {
                id: w.id,
                priority: w.priority,
                pool: self.ledger.pools.get(w.pool).id,
                active: w.active,
                arrival: w.arrival,
                running: w.running,
                held: w.held,
                owned: w.owned(),
                need: need(&self.ledger, &self.config, self.now, key),
                pending: w.pending,
                may_hold: may_hold(&self.config, w),
                exhausted: w.exhausted,
                in_gap: w.gap.is_some(),
            })
            .collect();
        views.sort_unstable_by_key(|view| view.id);
        views
    }

    /// Pools by id; the root is always there.
    #[must_use]
    pub fn pools(&self) -> Vec<PoolView> {
        let mut views: Vec<PoolView> = self.ledger.pools.all().map(Pool::view).collect();
        views.sort_unstable_by_key(|view| view.id);
        views
    }

    /// Task sets by id.
    #[must_use]
    pub fn sets(&self) -> Vec<SetView> {
        let mut views: Vec<SetView> = self
            .ledger
            .sets
            .iter()
            .map(|(_, set)| SetView {
                id: set.id,
                workflow: self.ledger.workflows.slab[set.workflow].id,
                job: self.ledger.jobs[set.job].id,
                stage: set.stage,
                tasks: set.width(),
                unfinished: set.unfinished,
                pending: set.pending,
                zombie: set.zombie,
            })
            .collect();
        views.sort_unstable_by_key(|view| view.id);
        views
    }
}
