//! The tables themselves.

mod counters;
mod decisions;
mod events;
mod keys;
mod names;

pub use counters::COUNTERS;
pub use decisions::{DECISIONS, END_CAUSES, ERRORS, FAULTS, REASONS, VERDICTS, VETOES};
pub use events::{EVENTS, OUTCOMES, STAGE_KINDS};
pub use keys::{CONFIG_ONLY, KEY_ENUMS, keys};
pub use names::NAME_KINDS;

/// Number of the interface between the shim and the native library: changes with every name, argument or meaning of it.
pub const ABI: i64 = 7;
