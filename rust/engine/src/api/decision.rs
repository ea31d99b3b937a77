// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! What the engine answers.

use serde::{Deserialize, Serialize};

use crate::api::ids::{ExecutorId, HoldId, Time, WorkflowId};

/// Why a slot is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Own tasks of a running set have no slot yet (waiting for locality, a retry).
    Waiting,
    /// The next stage of the job needs it (SSR-1).
    Barrier,
    /// The next job of the workflow needs it.
    Gap,
    /// Claimed from what others released, since the workflow owns less than it needs ("Grow").
    Grow,
    /// It is nearer to the workflow's input than a hold that was given up for it.
    Nearer,
}

/// Why a hold ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndCause {
    /// Its owner launched a task into it.
    Used,
    /// Its owner launched elsewhere and owns enough without it, or holds a slot nearer to its input instead.
    Moved,
    /// A workflow that ranks before its owner took the slot.
    Overridden,
    /// Its deadline passed.
    Expired,
    /// The owner's need fell.
    NotNeeded,
    /// The owner has no future.
    WorkflowOver,
    /// The executor was lost or barred.
    ExecutorGone,
}

/// An effect the host has to know about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// A slot is held from now on.
    Held {
        /// The new hold.
        hold: HoldId,
        /// Its owner.
        workflow: WorkflowId,
        /// Where.
        executor: ExecutorId,
        /// Why.
        reason: Reason,
        /// When it ends at the latest.
        deadline: Time,
    },
    /// A hold is over. Each hold ends exactly once (R8).
    HoldEnded {
        /// Which hold.
        hold: HoldId,
        /// Why.
        cause: EndCause,
    },
    /// Something that was refused may be allowed now: offer all free slots again (R5).
    Reoffer,
}

/// Why an ask is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VetoReason {
    /// What is free there is held for workflows that rank before the asker.
    Held,
    /// The set already has its share of this executor ("spread").
    Spread,
    /// What is free there is set aside for workflows with a priority (static reservation).
    Aside,
}

/// The answer to "may this set use a slot of this executor now?".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Yes.
    Allow,
    /// Yes, and the slot is held for the asker, for whom waiting for better locality does not pay.
    AllowHeld,
    /// No; a [`Decision::Reoffer`] follows what turns this into a yes.
    Veto(VetoReason),
}
