//! The driver's timers: they ring for as long as there is something to do.

use crate::driver::round::rounds::offer_all;
use crate::driver::state::Driver;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;

/// More than the levels of locality that a task may wait for.
const LEVELS: u64 = 4;

/// Serves the timer of the backend (`spark.scheduler.revive.interval`).
pub(crate) fn revive(driver: &mut Driver<'_>) {
    offer_all(driver);
    if rings_again(driver) {
        driver.agenda.plan(driver.world.spark.revive_ms * MILLI, SimEvent::Revive);
    }
}

/// Returns whether something is still to be done. Asked by a timer that has rung, after what it does.
pub(crate) fn rings_again(driver: &mut Driver<'_>) -> bool {
    (driver.dag.open > 0 || driver.meter.busy() > 0) && !is_stuck(driver)
}

/// Returns whether there is nothing left but timers, and has not been for longer than tasks wait for locality and a
/// round of all executors is away: none launches anything any more, as when the last executor is lost.
fn is_stuck(driver: &mut Driver<'_>) -> bool {
    let spark = &driver.world.spark;
    let other = usize::from(spark.revive_ms > 0 && spark.speculation.is_some());
    if driver.agenda.queue.len() > other
        || driver.meter.busy() > 0
        || driver.shim.wire.due().is_some()
    {
        driver.agenda.idle_since = None;
        return false;
    }
    let waits = (spark.locality_wait_ms * LEVELS + spark.revive_ms) * MILLI;
    driver.agenda.now.since(*driver.agenda.idle_since.get_or_insert(driver.agenda.now)) > waits
}
