//! What the engine waits for.

use serde::Serialize;

use crate::api::ids::{HoldId, SetId, Time, WorkflowId};

/// What will happen without any event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Due {
    /// A hold's deadline passes.
    HoldExpires(HoldId),
    /// A workflow without a job has lingered long enough.
    GapEnds(WorkflowId),
    /// A workflow gives back what only a later, wider stage would use.
    RentEnds(WorkflowId),
    /// Gap holds yield, since nothing runs and somebody waits.
    StallEnds,
    /// A set's launches are not spread any more.
    SpreadEnds(SetId),
    /// The idle budget is used up by the holds that there are.
    BudgetIsSpent,
    /// A running task is old enough for a copy.
    CopyComesOfAge,
    /// A set is looked at again: its bound passes, or a copy may pay.
    SetIsReviewed,
    /// A gate lets something pass.
    GateOpens,
}

/// One timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Timer {
    /// When it rings.
    pub at: Time,
    /// For what, and for whom.
    pub due: Due,
}
