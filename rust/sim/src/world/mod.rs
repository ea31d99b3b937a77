//! What a simulation follows from: executors, workflows, and how Spark and the engine are configured.

mod bounds;
mod check;
pub mod draw;
mod durations;
pub mod scenario;
mod slots;
mod spark;
mod spec;

pub use bounds::{BoundSpec, ProgressSpec};
pub(crate) use check::{MOST_SLOTS, parents};
pub(crate) use durations::whole;
pub use durations::{Durations, LONGEST_MS};
pub use spark::{SparkSpec, Speculation, WarmUp};
pub use spec::*;
