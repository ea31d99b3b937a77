//! What hosts see of the books: for tests, reports and `explain`.

use serde::Serialize;

use crate::api::decision::Reason;
use crate::api::ids::{
    ExecutorId, HoldId, JobId, PoolId, ProfileId, Resources, SetId, StageId, Time, WorkflowId,
};

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
