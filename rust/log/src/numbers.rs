// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! Numbers of what is no event.

use holdfast_engine::{EndCause, Reason};
use serde::{Deserialize, Serialize};

/// What a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameKind {
    /// An executor.
    Executor,
    /// A workflow.
    Workflow,
    /// Whose latest job a workflow's was: the id is the workflow's; an empty name takes it back.
    User,
    /// What a client chose that gave a workflow something: the id is the workflow's; an empty name takes it back.
    Claim,
}

impl NameKind {
    /// Its number in logs and in the host's calls.
    #[must_use]
    pub const fn code(self) -> u8 {
        name_kind_code(self)
    }

    /// The kind of that number.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        name_kind_from(code)
    }
}

const fn name_kind_code(value: NameKind) -> u8 {
    match value {
        NameKind::Executor => 0,
        NameKind::Workflow => 1,
        NameKind::User => 2,
        NameKind::Claim => 3,
    }
}

const fn name_kind_from(number: u8) -> Option<NameKind> {
    match number {
        0 => Some(NameKind::Executor),
        1 => Some(NameKind::Workflow),
        2 => Some(NameKind::User),
        3 => Some(NameKind::Claim),
        _ => None,
    }
}

pub(crate) const fn reason_code(value: Reason) -> u8 {
    match value {
        Reason::Waiting => 0,
        Reason::Barrier => 1,
        Reason::Gap => 2,
        Reason::Grow => 3,
        Reason::Nearer => 4,
    }
}

pub(crate) const fn reason_from(number: u8) -> Option<Reason> {
    match number {
        0 => Some(Reason::Waiting),
        1 => Some(Reason::Barrier),
        2 => Some(Reason::Gap),
        3 => Some(Reason::Grow),
        4 => Some(Reason::Nearer),
        _ => None,
    }
}

pub(crate) const fn end_cause_code(value: EndCause) -> u8 {
    match value {
        EndCause::Used => 0,
        EndCause::Moved => 1,
        EndCause::Overridden => 2,
        EndCause::Expired => 3,
        EndCause::NotNeeded => 4,
        EndCause::WorkflowOver => 5,
        EndCause::ExecutorGone => 6,
    }
}

pub(crate) const fn end_cause_from(number: u8) -> Option<EndCause> {
    match number {
        0 => Some(EndCause::Used),
        1 => Some(EndCause::Moved),
        2 => Some(EndCause::Overridden),
        3 => Some(EndCause::Expired),
        4 => Some(EndCause::NotNeeded),
        5 => Some(EndCause::WorkflowOver),
        6 => Some(EndCause::ExecutorGone),
        _ => None,
    }
}
