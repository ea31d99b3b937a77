//! Why an event or an ask was refused. A refused event changes nothing but time (R16).

use std::fmt;

macro_rules! errors {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal, $text:literal;)*) => {
        /// Why an event or an ask was refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EngineError { $($(#[doc = $doc])* $name,)* }

        impl EngineError {
            /// A stable number, from 1.
            #[must_use]
            pub const fn code(self) -> i32 {
                match self { $(Self::$name => $code,)* }
            }

            /// The error with that number.
            #[must_use]
            pub const fn from_code(code: i32) -> Option<Self> {
                match code { $($code => Some(Self::$name),)* _ => None }
            }
        }

        impl fmt::Display for EngineError {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $text,)* })
            }
        }
    };
}

errors! {
    /// The executor was never added, or is lost.
    UnknownExecutor = 1, "unknown executor";
    /// The workflow was never opened, or is forgotten.
    UnknownWorkflow = 2, "unknown workflow";
    /// The job was never submitted, or has ended.
    UnknownJob = 3, "unknown job";
    /// The job was submitted already.
    KnownJob = 4, "job submitted twice";
    /// The task set was never submitted, or has ended.
    UnknownSet = 5, "unknown task set";
    /// The task set was submitted already.
    KnownSet = 6, "task set submitted twice";
    /// The profile was never defined.
    UnknownProfile = 7, "unknown resource profile";
    /// The attempt runs already.
    KnownAttempt = 8, "attempt launched twice";
    /// The set has fewer tasks.
    TaskOutOfRange = 9, "task number out of range";
    /// A task that asks for nothing.
    EmptyDemand = 10, "a profile must ask for some part of a core";
    /// No tasks, or more than 2^24.
    BadTaskCount = 11, "number of tasks must be 1 to 2^24";
}

impl std::error::Error for EngineError {}
