//! Sets whose results nobody wants any more.

use crate::driver::classify::take_out;
use crate::driver::ends::{kill, maybe_finish};
use crate::driver::state::Driver;
use crate::ids::NONE;

/// Kills all attempts of a set, in the order of launches (`killAllTaskAttempts`).
pub(crate) fn suspend(driver: &mut Driver<'_>, set: u32) {
    let mut running: Vec<u32> = driver.tasks.sets[set as usize]
        .tasks
        .iter()
        .flat_map(|task| {
            std::iter::successors((task.latest != NONE).then_some(task.latest), |&a| {
                let next = driver.tasks.attempts[a as usize].next;
                (next != NONE).then_some(next)
            })
        })
        .collect();
    running.sort_unstable_by_key(|&attempt| driver.tasks.attempts[attempt as usize].number);
    for attempt in running {
        kill(driver, attempt);
    }
    take_out(driver, set);
    maybe_finish(driver, set);
}
