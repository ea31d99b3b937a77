//! Jobs that need not do everything, and what running tasks report.

use serde::{Deserialize, Serialize};

/// Bounds a job's answer (NSDI'14, section 2.1): tasks of its stages without parents may be missing. Stages that follow
/// run in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundSpec {
    /// Keeps what is done so many milliseconds after the job was submitted.
    DeadlineMs(u64),
    /// Names the share of tasks that may be missing, in millionths; 0 wants all.
    ErrorPpm(u32),
}

impl BoundSpec {
    /// Returns how many tasks of so many are enough, if that is what bounds the job. The bound is honoured: a part of a
    /// task counts as one.
    #[must_use]
    pub fn enough(self, tasks: u32) -> Option<u32> {
        let Self::ErrorPpm(ppm) = self else { return None };
        let kept = u64::from(1_000_000 - ppm.min(1_000_000));
        u32::try_from((u64::from(tasks) * kept).div_ceil(1_000_000)).ok()
    }
}

/// Says how running tasks report, and how good estimates are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProgressSpec {
    /// Share of a task's work between two reports, in millionths.
    pub every_ppm: u32,
    /// Mean of |estimate - truth| / truth of what a running attempt still takes. Each attempt is off by a share that is
    /// uniform from minus to plus twice that: mean accuracy is 1 minus this.
    pub rest_error: f64,
    /// The same of the sizes that are told of tasks.
    pub size_error: f64,
    /// Nothing is estimated: each attempt reports as it begins, and a task's size is what its next attempt takes.
    pub oracle: bool,
}

impl Default for ProgressSpec {
    fn default() -> Self {
        Self { every_ppm: 50_000, rest_error: 0.0, size_error: 0.0, oracle: false }
    }
}

impl ProgressSpec {
    /// Returns the field that cannot be, and what to write instead.
    pub(crate) fn wrong(&self) -> Option<String> {
        if !(1..=1_000_000).contains(&self.every_ppm) {
            return Some(format!("every_ppm: {}; write 1 to 1000000", self.every_ppm));
        }
        let errors = [("rest_error", self.rest_error), ("size_error", self.size_error)];
        let bad = errors.into_iter().find(|(_, value)| !(0.0..0.5).contains(value));
        bad.map(|(name, value)| format!("{name}: {value}; write a number from 0 to below 0.5"))
    }
}
