//! Rounds as Spark makes them: every set is asked about every offer. Slow; tests compare the quick way with it.

use crate::driver::classify::levels_anew;
use crate::driver::order::Cursor;
use crate::driver::round::visit::visit;
use crate::driver::state::Driver;
use crate::ids::index;

/// Returns the task sets of a round that has begun, sorted (`getSortedTaskSetQueue`).
fn all_sets(driver: &mut Driver<'_>) -> Vec<(Cursor, u32)> {
    let all: Vec<u32> = driver.tasks.sets.iter().map(|(set, _)| index(set)).collect();
    let mut queue = Vec::new();
    for set in all {
        let s = &driver.tasks.sets[set as usize];
        let id = s.id;
        let takes_part = if s.is_schedulable() {
            driver.shim.wire.admits(id)
        } else {
            !s.life.zombie && driver.shim.wire.wants_copies(id)
        };
        driver.tasks.sets[set as usize].queued.skipped = !takes_part;
        if takes_part {
            queue.push((driver.queues.order.cursor(&driver.tasks.sets[set as usize]), set));
        }
    }
    queue.sort_unstable();
    queue
}

/// Makes a round in which every set is asked; `new` if an executor has joined with it.
pub(crate) fn exhaustive_round(driver: &mut Driver<'_>, new: bool) {
    driver.queues.order.begin();
    let queue = all_sets(driver);
    for &(_, set) in &queue {
        let s = &driver.tasks.sets[set as usize];
        if s.is_schedulable()
            && (new || s.queued.sat_out)
            && s.heard.seen != driver.cluster.introduced
        {
            levels_anew(driver, set);
        }
    }
    for (_, s) in &mut driver.tasks.sets {
        s.queued.sat_out = s.queued.skipped && (s.queued.sat_out || s.is_schedulable());
    }
    for (_, set) in queue {
        visit(driver, set);
        driver.round.touched.push(set);
    }
}
