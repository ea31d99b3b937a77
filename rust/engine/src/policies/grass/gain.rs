//! What a copy gains (GR-2, GR-3).

use std::cmp::Reverse;

use crate::api::ids::Time;
use crate::policies::grass::race::{Race, Run};

/// A running task, and what a copy of it would do. Nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    pub task: u32,
    pub units: u32,
    /// t_rem.
    pub rest: u64,
    /// t_new.
    pub new: u64,
}

/// Returns it; none while no task has finished.
#[inline]
pub(crate) fn gain(race: &Race, run: &Run, now: Time) -> Option<Gain> {
    let new = race.pace.new_attempt(run.units)?;
    Some(Gain { task: run.task, units: run.units, rest: race.pace.remaining(run, now), new })
}

impl Gain {
    /// Whether two attempts take less slot-time from now on than one: t_rem - 2 t_new > 0.
    pub fn saves(&self) -> bool {
        self.rest > self.new.saturating_mul(2)
    }

    /// Sorts by saved slot-time, the most first.
    pub fn most_saving(&self) -> (Reverse<i128>, u32) {
        (Reverse(i128::from(self.rest) - 2 * i128::from(self.new)), self.task)
    }

    /// Sorts by what a new attempt takes.
    pub fn size(&self) -> (u64, u32, u32) {
        (self.new, self.units, self.task)
    }

    /// Sorts by when the task is done, with a copy if that is sooner.
    pub fn done(&self) -> (u64, u32, u32) {
        (self.rest.min(self.new), self.units, self.task)
    }

    /// Sorts by what the running attempt still takes, the most first.
    pub fn longest(&self) -> (Reverse<u64>, u32) {
        (Reverse(self.rest), self.task)
    }
}
