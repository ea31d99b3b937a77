//! The only place that knows Holdfast's events, decisions, counters and keys.
//!
//! ```text
//!   tables (this library)  --  holdfast-schema write  -->  generated files of engine, log, JNI, shim and docs
//!        |
//!        +-- read at run time by the command line: what `--conf` may say
//! ```
//!
//! Architecture invariant: nothing else lists them by hand; a test compares each generated file with the tables.
//! Architecture invariant: kinds and numbers are never used twice: old logs must mean what they meant.

mod model;
mod tables;

pub use model::{
    Counter, Enum, ErrorCode, Event, Field, Key, Numbered, Of, Scope, Source, Type, Value, Variant,
};
pub use tables::{
    ABI, BOUNDS, CONFIG_ONLY, COUNTERS, DECISIONS, END_CAUSES, ERRORS, EVENTS, FAULTS, FIRST,
    KEY_ENUMS, NAME_KINDS, OUTCOMES, REASONS, STAGE_KINDS, VERDICTS, VETOES, keys,
};

/// What every key begins with.
pub const PREFIX: &str = "spark.holdfast.";

/// What local properties begin with.
pub const LOCAL_PREFIX: &str = "holdfast.";
