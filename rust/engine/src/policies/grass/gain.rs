//! What a copy gains (GR-2, GR-3).

use std::cmp::Reverse;

use crate::api::ids::Time;
use crate::policies::grass::estimates::{Pace, nanos};
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

/// Estimates at one moment: what they have in common is read once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<'a> {
    pace: &'a Pace,
    now: Time,
    /// What a unit takes; none while no task has finished.
    unit: Option<u64>,
}

impl<'a> Moment<'a> {
    #[inline]
    pub fn new(race: &'a Race, now: Time) -> Self {
        Self { pace: &race.pace, now, unit: race.pace.unit() }
    }

    /// t_new; 0 while no task has finished.
    #[inline]
    pub fn new_attempt(&self, units: u32) -> u64 {
        self.unit.map_or(0, |unit| nanos(unit, units))
    }

    /// Returns what a copy would do. While no task has finished it gains nothing.
    #[inline]
    pub fn gain(&self, run: &Run) -> Gain {
        let (task, units) = (run.task, run.units);
        let new = self.new_attempt(units);
        let rest = if self.unit.is_some() { self.pace.remaining(run, new, self.now) } else { 0 };
        Gain { task, units, rest, new }
    }
}

impl Gain {
    /// Whether two attempts take less slot-time from now on than one: t_rem - 2 t_new > 0.
    #[inline]
    pub fn saves(&self) -> bool {
        self.rest > self.new.saturating_mul(2)
    }

    /// Whether a copy ends before the original.
    #[inline]
    pub fn is_sooner(&self) -> bool {
        self.new < self.rest
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
    #[inline]
    pub fn done(&self) -> (u64, u32, u32) {
        (self.rest.min(self.new), self.units, self.task)
    }

    /// Sorts by what the running attempt still takes, the most first.
    pub fn longest(&self) -> (Reverse<u64>, u32) {
        (Reverse(self.rest), self.task)
    }
}
