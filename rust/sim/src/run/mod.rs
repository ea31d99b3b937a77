//! One simulation from its world to its outcome, many of them, and slowdowns.

pub mod batch;
mod drawn;
pub(crate) mod options;
pub(crate) mod outcome;
pub(crate) mod simulate;
pub mod slowdown;
