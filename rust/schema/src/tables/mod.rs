//! The tables themselves.

mod counters;
mod decisions;
mod enums;
mod events;
mod keys;
mod names;

pub use counters::COUNTERS;
pub use decisions::{DECISIONS, END_CAUSES, ERRORS, FAULTS, REASONS, VERDICTS, VETOES};
pub use enums::{BOUNDS, OUTCOMES, STAGE_KINDS};
pub use events::EVENTS;
pub use keys::{CONFIG_ONLY, FIRST, KEY_ENUMS, keys};
pub use names::NAME_KINDS;

/// Number of the interface between the shim and the native library: changes with every name, argument or meaning of it.
pub const ABI: i64 = 9;
