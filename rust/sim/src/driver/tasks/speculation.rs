//! Speculation as stock Spark does it (`checkSpeculatableTasks` of Spark 4.1, without process rates).

use std::collections::BTreeSet;

use holdfast_engine::Time;

use crate::cluster::level::Level;
use crate::cluster::place::{Place, Site};
use crate::driver::tasks::pending::Pending;
use crate::world::Speculation;

/// A millisecond in nanoseconds.
const MILLI: u64 = 1_000_000;

/// Which tasks of a set should run once more, and from when on a task is slow.
#[derive(Debug)]
pub struct Speculated {
    /// Marked and not launched (`speculatableTasks`).
    marked: BTreeSet<u32>,
    /// The same by place (`pendingSpeculatableTasks`).
    pending: Pending,
    /// What finished attempts took, sorted.
    durations: Vec<u64>,
    least_finished: usize,
}

impl Speculated {
    /// Makes the state of a set of `tasks` tasks; `places` as for its pending tasks.
    #[must_use]
    pub fn new(tasks: u32, places: Vec<Place>, config: &Speculation) -> Self {
        let mut pending = Pending::new(tasks, places);
        // Nothing waits for a copy yet.
        pending.empty();
        let quantile = libm::floor(config.quantile * f64::from(tasks));
        let least_finished = usize::try_from(crate::world::whole(quantile)).unwrap_or(1).max(1);
        Self { marked: BTreeSet::new(), pending, durations: Vec::new(), least_finished }
    }

    /// Returns whether no task is to get a copy.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Returns whether some task may get one, if its lists say so: a task that has got its copy stays in the lists of
    /// its places, and is found there when an attempt of it is lost.
    #[must_use]
    pub fn may_give(&self) -> bool {
        !self.marked.is_empty() && self.pending.has_returned()
    }

    /// Notes that an attempt has ended well after `nanos` nanoseconds.
    pub fn finished(&mut self, nanos: u64) {
        let place = self.durations.partition_point(|&d| d <= nanos);
        self.durations.insert(place, nanos);
    }

    /// Returns how old an attempt has to be for a copy now, in nanoseconds; none while too few have finished.
    #[must_use]
    pub fn threshold(&self, config: &Speculation) -> Option<u64> {
        let number = self.durations.len();
        if number < self.least_finished {
            return None;
        }
        // The median is the upper one of two (`PercentileHeap`).
        let median = self.durations[number / 2];
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let slow = crate::world::whole(config.multiplier * median as f64);
        Some(slow.max(config.least_ms * MILLI))
    }

    /// Marks a task, unless it is.
    pub fn mark(&mut self, task: u32) -> bool {
        let new = self.marked.insert(task);
        if new {
            self.pending.put_back(task);
        }
        new
    }

    /// Returns whether a task is marked.
    #[must_use]
    pub fn is_marked(&self, task: u32) -> bool {
        self.marked.contains(&task)
    }

    /// Takes a task for an executor; `waits` says whether it may run once more on that host.
    pub fn take(
        &mut self,
        site: Site,
        most: Level,
        waits: impl Fn(u32) -> bool + Copy,
        stays: impl Fn(u32) -> bool + Copy,
    ) -> Option<(u32, Level)> {
        if self.marked.is_empty() {
            return None;
        }
        let (task, level) = self.pending.take_unless(site, most, waits, stays)?;
        self.marked.remove(&task);
        Some((task, level))
    }
}

/// Returns whether an attempt that was launched at `since` is slow at `now`.
#[must_use]
pub fn is_slow(since: Time, now: Time, threshold: u64) -> bool {
    // Spark measures in milliseconds.
    now.since(since) / MILLI > threshold / MILLI
}
