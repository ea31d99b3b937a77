//! The course of a bounded set: when it began, with which rule, and what it teaches when its bound is reached.

use crate::api::event::Bound;
use crate::api::ids::Time;
use crate::policies::grass::learner::Sample;
use crate::policies::grass::race::{Limit, Race};

const MILLIS: u64 = 1_000_000;

/// What a user has said of a stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub bound: Bound,
    /// Milliseconds from then, or millionths.
    pub value: u32,
    pub said_at: Time,
}

impl Bounds {
    /// Returns what it means for a set of so many tasks, after which others take `later` nanoseconds. A share of tasks is
    /// rounded so that the bound is honoured.
    pub fn limit(self, tasks: u32, later: u64) -> Limit {
        match self.bound {
            Bound::Deadline => {
                let left = (u64::from(self.value) * MILLIS).saturating_sub(later);
                Limit::Deadline(self.said_at.after(left))
            }
            Bound::Error => {
                let kept = 1_000_000 - u64::from(self.value.min(1_000_000));
                let tasks = (u64::from(tasks) * kept).div_ceil(1_000_000);
                Limit::Enough(u32::try_from(tasks).unwrap_or(u32::MAX))
            }
        }
    }
}

/// The course of one bounded set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub bound: Bound,
    /// The deadline in milliseconds from the begin, or how many tasks are needed.
    pub value: u32,
    pub begun: Time,
    /// It runs with one rule throughout.
    pub explores: bool,
    pub utilization: u32,
    /// Other stages of its job come after it.
    pub followed: bool,
    /// Its bound has been reached, or has passed.
    pub over: bool,
}

impl Course {
    /// Of a set that begins now; none without a bound.
    pub fn new(limit: Limit, now: Time, explores: bool, utilization: u32) -> Option<Self> {
        let millis = |at: Time| u32::try_from(at.since(now) / MILLIS).unwrap_or(u32::MAX);
        let (bound, value) = match limit {
            Limit::None => return None,
            Limit::Deadline(at) => (Bound::Deadline, millis(at)),
            Limit::Enough(tasks) => (Bound::Error, tasks),
        };
        let (followed, over) = (false, false);
        Some(Self { bound, value, begun: now, explores, utilization, followed, over })
    }

    /// Returns what is left to the bound: milliseconds, or tasks.
    pub fn left(&self, race: &Race, now: Time) -> u32 {
        match race.limit {
            Limit::Deadline(at) => u32::try_from(at.since(now) / MILLIS).unwrap_or(u32::MAX),
            Limit::Enough(_) | Limit::None => race.needed(),
        }
    }

    /// Returns what it teaches now that it is over.
    pub fn sample(&self, race: &Race, greedy: bool, accuracy: u32, now: Time) -> Sample {
        let share = u64::from(race.done) * 1_000_000 / u64::from(race.tasks().max(1));
        let score = match self.bound {
            Bound::Deadline => share,
            Bound::Error => now.since(self.begun) / MILLIS,
        };
        Sample {
            greedy,
            bound: self.bound,
            tasks: race.tasks(),
            value: self.value,
            utilization: self.utilization,
            accuracy,
            score: u32::try_from(score).unwrap_or(u32::MAX),
        }
    }
}
