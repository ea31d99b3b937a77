//! The driver's timers: they ring for as long as there is something to do.

use crate::driver::state::{Event, Host, MILLI};

/// More than the levels of locality that a task may wait for.
const LEVELS: u64 = 4;

impl Host<'_> {
    /// The timer of the backend (`spark.scheduler.revive.interval`).
    pub(crate) fn revive(&mut self) {
        self.offer_all();
        if self.rings_again() {
            self.plan(self.world.spark.revive_ms * MILLI, Event::Revive);
        }
    }

    /// Whether something is still to be done. Asked by a timer that has rung, after what it does.
    pub(crate) fn rings_again(&mut self) -> bool {
        (self.open > 0 || self.meter.busy() > 0) && !self.is_stuck()
    }

    /// Whether there is nothing left but timers, and has not been for longer than tasks wait for locality and a round of
    /// all executors is away: none launches anything any more, as when the last executor is lost.
    fn is_stuck(&mut self) -> bool {
        let spark = &self.world.spark;
        let other = usize::from(spark.revive_ms > 0 && spark.speculation.is_some());
        if self.queue.len() > other || self.meter.busy() > 0 || self.wire.due().is_some() {
            self.idle_since = None;
            return false;
        }
        let waits = (spark.locality_wait_ms * LEVELS + spark.revive_ms) * MILLI;
        self.now.since(*self.idle_since.get_or_insert(self.now)) > waits
    }
}
