//! Delay scheduling of one set: how far from their input its tasks may run by now (`TaskSetManager` of Spark 4.1, with
//! `spark.locality.wait.legacyResetOnTaskLaunch` off).

use holdfast_engine::Time;

use crate::cluster::level::{Level, Levels};
use crate::driver::tasks::pending::Pending;

/// Where a set's delay scheduling stands.
#[derive(Clone, Copy, Debug)]
pub struct Delay {
    reset: Time,
    wait_ns: u64,
    levels: Levels,
    /// Of the level that is allowed.
    current: u8,
    /// No offer has been rejected since the last reset of the wait (`noRejectsSinceLastReset`).
    pub no_rejects: bool,
}

impl Delay {
    /// Begins at the nearest of `levels`, from `now` on; `wait_ns` for each level.
    #[must_use]
    pub fn new(levels: Levels, now: Time, wait_ns: u64) -> Self {
        Self { levels, current: 0, reset: now, wait_ns, no_rejects: true }
    }

    /// Returns the levels that matter (`myLocalityLevels`).
    #[must_use]
    pub fn levels(&self) -> Levels {
        self.levels
    }

    /// Returns whether every level is allowed.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.current == self.levels.last()
    }

    /// Returns the level that was allowed when it was last looked at.
    #[must_use]
    pub fn current(&self) -> Level {
        self.levels.as_slice()[usize::from(self.current)]
    }

    /// Returns until when looking at it again changes nothing, as long as the pending tasks stay what they are.
    #[must_use]
    pub fn until(&self) -> Time {
        if self.is_last() { Time::NEVER } else { self.reset.after(self.wait_of(self.current())) }
    }

    /// Returns the level that is allowed now (`getAllowedLocalityLevel`).
    pub fn allowed(
        &mut self,
        now: Time,
        pending: &mut Pending,
        waits: impl Fn(u32) -> bool + Copy,
    ) -> Level {
        while !self.is_last() {
            let level = self.current();
            if !pending.more(level, waits) {
                self.reset = now;
            } else if now.since(self.reset) >= self.wait_of(level) {
                // The next level's wait began when this one's was over.
                self.reset = self.reset.after(self.wait_of(level));
            } else {
                return level;
            }
            self.current += 1;
        }
        self.current()
    }

    /// Resets the wait after a round that launched and rejected nothing; `nearest` of its launches
    /// (`resetDelayScheduleTimer`).
    pub fn launched(&mut self, now: Time, nearest: Option<Level>) {
        self.reset = now;
        if let Some(level) = nearest {
            self.current = self.levels.index_of(level);
        }
    }

    /// Takes other levels, since executors came or went (`recomputeLocality`).
    pub fn recompute(&mut self, levels: Levels) {
        let (before, index) = (self.levels, self.current);
        let level = self.current();
        self.levels = levels;
        self.current = levels.index_of(level);
        if self.current > index
            && let Some(&new) = levels.as_slice().iter().find(|&&l| !before.has(l))
        {
            // A nearer level is new: back to it.
            self.current = levels.index_of(new);
        }
    }

    fn wait_of(&self, level: Level) -> u64 {
        if matches!(level, Level::NoPreference | Level::Any) { 0 } else { self.wait_ns }
    }
}
