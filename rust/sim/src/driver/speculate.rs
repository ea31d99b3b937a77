//! Slow tasks of stock Spark (`checkSpeculatableTasks` of Spark 4.1).

use crate::driver::classify::classify;
use crate::driver::state::Driver;
use crate::driver::tasks::speculation::is_slow;
use crate::driver::timers::rings_again;
use crate::host::agenda::MILLI;
use crate::host::event::SimEvent;

/// Marks slow tasks (`checkSpeculatableTasks`).
pub(crate) fn speculate(driver: &mut Driver<'_>) {
    let Some(config) = driver.world.spark.speculation else { return };
    let mut found = false;
    let now = driver.agenda.now;
    for i in 0..driver.tasks.attempts.capacity() {
        let Some(a) = driver.tasks.attempts.get(i).copied().filter(|a| a.runs) else { continue };
        let s = &mut driver.tasks.sets[a.set as usize];
        let t = s.tasks[a.task as usize];
        if s.life.zombie || s.tasks.len() < 2 || t.successful || t.copies != 1 {
            continue;
        }
        let Some(speculated) = &mut s.speculated else { continue };
        let Some(threshold) = speculated.threshold(&config) else { continue };
        if !speculated.is_marked(a.task) && is_slow(a.launched, now, threshold) {
            speculated.mark(a.task);
            found = true;
            classify(driver, a.set);
        }
    }
    if found {
        driver.agenda.revive_offers();
    }
    if rings_again(driver) {
        driver.agenda.plan(config.interval_ms * MILLI, SimEvent::Speculate);
    }
}
