// Generated from the tables of rust/schema: cargo run -p holdfast-schema -- write
//! Why an event or an ask was refused. A refused event changes nothing but time (R16).

use std::fmt;

/// Why an event or an ask was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineError {
    /// The executor was never added, or is lost.
    UnknownExecutor,
    /// The workflow was never opened, or is forgotten.
    UnknownWorkflow,
    /// The job was never submitted, or has ended.
    UnknownJob,
    /// The job was submitted already.
    KnownJob,
    /// The task set was never submitted, or has ended.
    UnknownSet,
    /// The task set was submitted already.
    KnownSet,
    /// The profile was never defined.
    UnknownProfile,
    /// The attempt runs already.
    KnownAttempt,
    /// The set has fewer tasks.
    TaskOutOfRange,
    /// A task that asks for nothing.
    EmptyDemand,
    /// No tasks, or more than 2^24.
    BadTaskCount,
}

impl EngineError {
    /// A stable number, from 1.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::UnknownExecutor => 1,
            Self::UnknownWorkflow => 2,
            Self::UnknownJob => 3,
            Self::KnownJob => 4,
            Self::UnknownSet => 5,
            Self::KnownSet => 6,
            Self::UnknownProfile => 7,
            Self::KnownAttempt => 8,
            Self::TaskOutOfRange => 9,
            Self::EmptyDemand => 10,
            Self::BadTaskCount => 11,
        }
    }

    /// The error with that number.
    #[must_use]
    pub const fn from_code(code: i32) -> Option<Self> {
        match code {
            1 => Some(Self::UnknownExecutor),
            2 => Some(Self::UnknownWorkflow),
            3 => Some(Self::UnknownJob),
            4 => Some(Self::KnownJob),
            5 => Some(Self::UnknownSet),
            6 => Some(Self::KnownSet),
            7 => Some(Self::UnknownProfile),
            8 => Some(Self::KnownAttempt),
            9 => Some(Self::TaskOutOfRange),
            10 => Some(Self::EmptyDemand),
            11 => Some(Self::BadTaskCount),
            _ => None,
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownExecutor => "unknown executor",
            Self::UnknownWorkflow => "unknown workflow",
            Self::UnknownJob => "unknown job",
            Self::KnownJob => "job submitted twice",
            Self::UnknownSet => "unknown task set",
            Self::KnownSet => "task set submitted twice",
            Self::UnknownProfile => "unknown resource profile",
            Self::KnownAttempt => "attempt launched twice",
            Self::TaskOutOfRange => "task number out of range",
            Self::EmptyDemand => "a profile must ask for some part of a core",
            Self::BadTaskCount => "number of tasks must be 1 to 2^24",
        })
    }
}

impl std::error::Error for EngineError {}
