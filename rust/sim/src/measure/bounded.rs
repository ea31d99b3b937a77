//! What came of bounded jobs.

use serde::Serialize;

use crate::world::BoundSpec;

/// A bounded job that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BoundedJob {
    /// Its workflow, in the world.
    pub workflow: u32,
    /// Its place in that.
    pub job: u32,
    /// What bounded it.
    pub bound: BoundSpec,
    /// Tasks of its stages without parents.
    pub tasks: u32,
    /// Those that were done when its bound was reached, or it ended before.
    pub done: u32,
    /// How long it took from its submission, in nanoseconds.
    pub took_ns: u64,
}

impl BoundedJob {
    /// Returns the share of tasks that were done.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        f64::from(self.done) / f64::from(self.tasks.max(1))
    }
}
