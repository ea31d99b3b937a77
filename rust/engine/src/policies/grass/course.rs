//! The course of a bounded set: when it began, with which rule, and what it teaches when its bound is reached.

use crate::api::event::Bound;
use crate::api::ids::Time;
use crate::policies::grass::learner::Sample;
use crate::policies::grass::race::{Limit, Mode, Race};

const MILLIS: u64 = 1_000_000;
/// A set without a deadline asks so many times which rule to follow.
const STEPS: u32 = 16;

/// What a user has said of a stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub bound: Bound,
    /// Milliseconds from then, or millionths.
    pub value: u32,
    pub said_at: Time,
    /// The most tasks that a set of the stage had.
    pub tasks: u32,
}

impl Bounds {
    /// Returns what it means for a set of so many tasks, after which others take `later` nanoseconds. A share of tasks is
    /// rounded so that the bound is honoured. A later set has only those tasks that earlier ones have not finished.
    pub fn limit(self, tasks: u32, later: u64) -> Limit {
        match self.bound {
            Bound::Deadline => {
                let left = (u64::from(self.value) * MILLIS).saturating_sub(later);
                Limit::Deadline(self.said_at.after(left))
            }
            Bound::Error => {
                let kept = 1_000_000 - u64::from(self.value.min(1_000_000));
                let all = self.tasks.max(tasks);
                let wanted = (u64::from(all) * kept).div_ceil(1_000_000);
                let wanted = u32::try_from(wanted).unwrap_or(u32::MAX);
                Limit::Enough(wanted.saturating_sub(all - tasks))
            }
        }
    }
}

/// The course of one set whose rule may change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Course {
    pub bound: Bound,
    /// The deadline in milliseconds from the begin, or how many tasks are needed.
    pub value: u32,
    pub begun: Time,
    /// It runs with one rule throughout.
    pub explores: bool,
    pub utilization: u32,
    /// It has all tasks of its stage: what is left of an earlier set says nothing of others.
    pub teaches: bool,
    /// Its user has said a bound; else it needs all tasks.
    pub said: bool,
    /// Its user has said one, and other stages of its job come after it.
    pub followed: bool,
    /// Its bound has been reached, or has passed.
    pub over: bool,
}

impl Course {
    /// Of a set that begins now.
    pub fn new(race: &Race, now: Time, explores: bool, utilization: u32) -> Self {
        let (bound, value) = match race.limit {
            Limit::None => (Bound::Error, race.tasks()),
            Limit::Deadline(at) => {
                (Bound::Deadline, u32::try_from(at.since(now) / MILLIS).unwrap_or(u32::MAX))
            }
            Limit::Enough(tasks) => (Bound::Error, tasks),
        };
        let said = race.limit != Limit::None;
        let (teaches, followed, over) = (true, false, false);
        Self { bound, value, begun: now, explores, utilization, teaches, said, followed, over }
    }

    /// Returns what is left to the bound: tasks, or thousandths of a task's time. None while no task has finished.
    pub fn left(&self, race: &Race, now: Time) -> Option<u32> {
        match race.limit {
            Limit::Deadline(at) => Some(thousandths(at.since(now), race.usual()?)),
            Limit::Enough(_) | Limit::None => Some(race.needed()),
        }
    }

    /// Whether it asks the learner when so many tasks are still needed: in sixteenths of its tasks.
    pub fn asks(&self, race: &Race) -> bool {
        self.bound == Bound::Deadline || race.needed().is_multiple_of((race.tasks() / STEPS).max(1))
    }

    /// Returns what it teaches now that it is over. None if no task has finished.
    pub fn sample(&self, race: &Race, accuracy: u32, now: Time) -> Option<Sample> {
        let usual = race.usual()?;
        let share = u64::from(race.done) * 1_000_000 / u64::from(race.tasks().max(1));
        let (value, score) = match self.bound {
            Bound::Deadline => (
                thousandths(u64::from(self.value) * MILLIS, usual),
                u32::try_from(share).unwrap_or(u32::MAX),
            ),
            Bound::Error => (self.value, thousandths(now.since(self.begun), usual)),
        };
        Some(Sample {
            greedy: race.mode == Mode::Gs,
            bound: self.bound,
            tasks: race.tasks(),
            value,
            utilization: self.utilization,
            accuracy,
            score,
        })
    }
}

/// A time in thousandths of another.
fn thousandths(nanos: u64, of: u64) -> u32 {
    let parts = u128::from(nanos) * 1_000 / u128::from(of.max(1));
    u32::try_from(parts).unwrap_or(u32::MAX)
}
